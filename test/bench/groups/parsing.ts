import { createSourceFile } from '../../../src/base/source/source-file.js';
import type { Document } from '../../../src/compiler/syntax/ast.js';
import { parse } from '../../../src/compiler/syntax/parse.js';
import { parseWithRegexes } from '../baselines/regex-parser.js';
import { effortFor } from '../effort.js';
import { generateTopology } from '../generate.js';
import { generatePublicTopology } from '../generate-public.js';
import { readParcel } from '../inputs.js';
import { compareSides, freshText } from '../measure.js';
import { type BenchContext, type Measurement, sizeLabel } from '../measurement.js';
import { checkBaseline } from '../self-check.js';

/** Parsing alone, against regular expressions over the same texts. */
export function measureParsing(context: BenchContext): void {
  const { root, wants } = context;
  if (wants('parse-regex')) {
    for (const edges of [100, 1_000, 10_000, 100_000]) {
      const text = generateTopology({ edges });
      checkBaseline(text, parse(createSourceFile('bench.gg', text)).value);
      const judged = edges === 1_000 || edges === 10_000;
      measureTexts([text], { row: 'parse-regex', size: `${sizeLabel(edges)} edges`, judged }, context);
    }
  }
  if (wants('parse-files')) {
    // The regex parser cuts strings that hold brackets in the wrong place, so what it finds is not compared.
    const files = readParcel(root).map(({ source }) => source);
    measureTexts(files, { row: 'parse-files', size: 'the parcel example', judged: true }, context);
    const text = generatePublicTopology(2_000);
    measureTexts([text], { row: 'parse-files', size: 'like public files', judged: true }, context);
  }
}

function measureTexts(
  texts: readonly string[],
  line: Pick<Measurement, 'row' | 'size' | 'judged'>,
  { isQuick, report }: BenchContext,
): void {
  const units = texts.reduce((sum, text) => sum + countEdges(text), 0);
  const fresh = () => texts.map(freshText);
  const comparison = compareSides(
    { fresh, run: (inputs) => inputs.map((text) => parse(createSourceFile('bench.gg', text)).value), units },
    { fresh, run: (inputs) => inputs.map(parseWithRegexes), units },
    effortFor(units, isQuick),
  );
  report({ ...line, unit: 'ns/edge', ...comparison });
}

function countEdges(text: string): number {
  const { statements }: Document = parse(createSourceFile('bench.gg', text)).value;
  return statements.reduce((sum, part) => sum + (part.kind === 'Pipeline' ? part.hops.length : 0), 0);
}
