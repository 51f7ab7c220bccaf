import { createSourceFile } from '../../../src/base/source/source-file.js';
import { lowerGraph } from '../../../src/compiler/graph/lower/lower.js';
import { buildSchema } from '../../../src/compiler/schema/projection/build-schema.js';
import { parseTopology } from '../../compiler/syntax/parse-topology.js';
import { effortFor } from '../effort.js';
import { generateTopology } from '../generate.js';
import { compareSides, freshText } from '../measure.js';
import { type BenchContext, sizeLabel } from '../measurement.js';

/** How the time of an edge grows with the number of edges around it. */
export function measureGrowth({ isQuick, report }: BenchContext): void {
  for (const edges of [10_000, 100_000]) {
    report({
      row: 'growth-time',
      size: `${sizeLabel(edges)} edges`,
      unit: 'ns/edge',
      judged: edges === 100_000,
      ...compareSides(sideOf(edges), sideOf(1_000), effortFor(edges, isQuick)),
    });
  }
}

/** All that the front half of the compiler makes of a text: the tree, the graph and the schema. */
export function project(text: string) {
  const ast = parseTopology([createSourceFile('bench.gg', text)]).value;
  const graph = lowerGraph(ast).value;
  return { ast, graph, schema: buildSchema(graph).value };
}

function sideOf(edges: number) {
  const text = generateTopology({ edges });
  return { fresh: () => freshText(text), run: project, units: edges };
}
