import { buildSchema, printSchema } from 'graphql';
import type { SourceInput } from '../../../src/compiler/analyze.js';
import { compile } from '../../../src/compiler/compile.js';
import { effortForCompiler } from '../effort.js';
import { generateTopology } from '../generate.js';
import { freshSources, readParcel } from '../inputs.js';
import { compareSides, freshText, type Side } from '../measure.js';
import { type BenchContext, sizeLabel } from '../measurement.js';

const parcel = 'the parcel example';

/** The whole compiler, from text to three texts. */
export function measureCompile(context: BenchContext): void {
  const control = [{ name: 'bench.gg', source: generateTopology({ edges: 1_000 }) }];
  const side = compiling(control);
  const comparison = compareSides(side, side, effortForCompiler(1_000, context.isQuick));
  context.report({ row: 'same', size: '1k edges', unit: 'ms', judged: true, ...comparison });
  for (const edges of [100, 1_000, 10_000]) {
    const source = generateTopology({ edges });
    measureSources([{ name: 'bench.gg', source }], `${sizeLabel(edges)} edges`, edges, context);
  }
  measureSources(readParcel(context.root), parcel, 100, context);
}

function measureSources(
  sources: readonly SourceInput[],
  size: string,
  edges: number,
  { isQuick, report }: BenchContext,
): void {
  const compiled = compile(sources);
  if (!compiled.ok) throw new Error(`invariant: ${size} has errors: ${JSON.stringify(compiled.diagnostics)}`);
  const sdl = compiled.artifacts['schema.graphql'];
  const comparison = compareSides(
    compiling(sources),
    { fresh: () => freshText(sdl), run: (input) => lengthOf([printSchema(buildSchema(input))]) },
    effortForCompiler(edges, isQuick),
  );
  report({ row: 'compile', size, unit: 'ms', judged: edges > 100 || size === parcel, ...comparison });
}

function compiling(sources: readonly SourceInput[]): Side<readonly SourceInput[]> {
  return {
    fresh: () => freshSources(sources),
    run: (input) => lengthOf(Object.values(compile(input).artifacts ?? {})),
  };
}

/** Reads the end of each text, so that none of them is left as a plan of how to put it together. */
function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + (text.charCodeAt(text.length - 1) === 0 ? 1 : 0), 0);
}
