import { createSourceFile } from '../../../src/base/source/source-file.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { analyzeFlow } from '../../../src/compiler/schema/flow-rules/analyze-flow.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { parseTopology } from '../../compiler/syntax/parse-topology.js';
import { effortForCompiler, effortForCostlyInput } from '../effort.js';
import { generateTopology } from '../generate.js';
import { compareSides, freshText } from '../measure.js';
import { type BenchContext, sizeLabel } from '../measurement.js';
import { project } from './growth.js';

/** The analysis: the flow rules alone, and everything between the text and the schema. */
export function measureAnalysis({ isQuick, wants, report }: BenchContext): void {
  for (const edges of [1_000, 10_000]) {
    const size = `${sizeLabel(edges)} edges`;
    const text = generateTopology({ edges });
    const parse = {
      fresh: () => freshText(text),
      run: (input: string) => parseTopology([createSourceFile('bench.gg', input)]),
      units: edges,
    };
    if (wants('flow')) {
      const flow = {
        fresh: () => {
          const { graph, schema } = project(freshText(text));
          return { ir: graph, schema };
        },
        run: analyzeFlow,
        units: edges,
      };
      const effort = effortForCostlyInput(edges, isQuick);
      report({ row: 'flow', size, unit: 'ns/edge', judged: true, ...compareSides(flow, parse, effort) });
    }
    if (wants('analyze')) {
      const whole = { fresh: parse.fresh, run: (input: string) => analyze(input), units: edges };
      const json = JSON.stringify(project(text).schema);
      const read = {
        fresh: () => freshText(json),
        run: (input: string) => JSON.parse(input) as GqlSchema,
        units: edges,
      };
      const effort = effortForCompiler(edges, isQuick);
      report({ row: 'analyze', size, unit: 'ns/edge', judged: true, ...compareSides(whole, read, effort) });
    }
  }
}
