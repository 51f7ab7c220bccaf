import { buildSchema, printSchema } from 'graphql';
import type { SourceInput } from '../../../src/compiler/analyze.js';
import { schemaToCollection } from '../../../src/compiler/emit/collection.js';
import { emitAll } from '../../../src/compiler/emit/emitters.js';
import { schemaToGraphQL } from '../../../src/compiler/emit/graphql.js';
import { schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { effortFor, effortForCostlyInput } from '../effort.js';
import { generateTopology } from '../generate.js';
import { freshSchema, readParcel } from '../inputs.js';
import { compareSides } from '../measure.js';
import { type BenchContext, sizeLabel } from '../measurement.js';

/** Each emitter alone. */
export function measureEmission(context: BenchContext): void {
  if (context.wants('sdl')) for (const types of [1_000, 10_000]) measureSdl(types, context);
  for (const edges of [100, 1_000, 10_000]) {
    measureObjects(generated(edges), `${sizeLabel(edges)} edges`, edges, context);
  }
  measureObjects(readParcel(context.root), 'the parcel example', 100, context);
  if (context.wants('bytes')) {
    for (const edges of [100, 1_000, 10_000]) measureBytes(generated(edges), edges, 7_000, context);
    measureBytes(readParcel(context.root), 'the parcel example', 0.65 * 474_001, context);
  }
}

/** The size of both files: for each edge, or for a named example as a whole. */
function measureBytes(
  sources: readonly SourceInput[],
  input: number | string,
  budget: number,
  { report }: BenchContext,
): void {
  const artifacts = emitAll(freshSchema(sources), {
    title: 'Bench',
    collectionName: 'Bench',
    baseUrl: 'http://localhost:4000/graphql',
  });
  const files = [artifacts['openapi.json'], artifacts['collection.json']];
  const bytes = files.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const ours = typeof input === 'number' ? bytes / input : bytes;
  const ratio = ours / budget;
  report({
    row: 'bytes',
    size: typeof input === 'number' ? `${sizeLabel(input)} edges` : input,
    unit: typeof input === 'number' ? 'B/edge' : 'B',
    judged: input === 1_000 || typeof input === 'string',
    ours,
    baseline: budget,
    ratio: { median: ratio, min: ratio, max: ratio },
  });
}

function measureSdl(types: number, { isQuick, report }: BenchContext): void {
  const schema = freshSchema(generated(Math.round(types / typesPerEdge)));
  const built = buildSchema(schemaToGraphQL(schema));
  // graphql-js takes too long to build a schema for each run, so both sides print one that they know by
  // heart. Ours is copied each time: what is remembered about a schema is remembered by its identity.
  const comparison = compareSides(
    { fresh: () => ({ ...schema }), run: (copy) => flat(schemaToGraphQL(copy)) },
    { fresh: () => built, run: (same) => flat(printSchema(same)) },
    effortFor(types, isQuick),
  );
  report({ row: 'sdl', size: `${sizeLabel(types)} types`, unit: 'ms', judged: true, ...comparison });
}

function measureObjects(
  sources: readonly SourceInput[],
  size: string,
  edges: number,
  { isQuick, wants, report }: BenchContext,
): void {
  const emitters = {
    openapi: (schema: GqlSchema) => schemaToOpenAPI(schema, 'Bench'),
    collection: (schema: GqlSchema) => schemaToCollection(schema, 'Bench', 'http://localhost:4000/graphql'),
  };
  for (const row of ['openapi', 'collection'] as const) {
    if (!wants(row)) continue;
    const emit: (schema: GqlSchema) => unknown = emitters[row];
    const comparison = compareSides(
      { fresh: () => freshSchema(sources), run: emit },
      { fresh: () => emit(freshSchema(sources)), run: (object) => JSON.stringify(object) },
      effortForCostlyInput(edges, isQuick),
    );
    report({ row, size, unit: 'ms', judged: true, ...comparison });
  }
}

/** How many object types the generator makes for each edge. */
const typesPerEdge = 1.4;

function generated(edges: number): SourceInput[] {
  return [{ name: 'bench.gg', source: generateTopology({ edges }) }];
}

/** A text that is put together may exist as a plan only; reading its end makes the engine carry it out. */
function flat(text: string): string {
  return text.charCodeAt(text.length - 1) === 0 ? '' : text;
}
