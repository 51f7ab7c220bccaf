import fc from 'fast-check';
import { expect } from 'vitest';
import type { Column, ColumnKind, StoreModel } from '../../../../src/analysis/store/model.js';
import { formatCheck } from '../../../../src/base/json-schema/formats.js';
import { type Constraints, compileLimits, violation } from '../../../../src/base/json-schema/limits.js';
import { listOf, named, nonNull } from '../../../../src/compiler/graph/type-ref.js';
import type { GqlField, GqlSchema } from '../../../../src/compiler/schema/gql-schema.js';
import { compile } from '../../../../src/compiler.js';
import type { Store } from '../../../../src/runtime/store/store.js';
import { fromDatabase } from '../../../../src/runtime/store/values.js';
import { seedStore } from '../../../../src/runtime/store/write/seed-store.js';
import { models } from '../random-models.js';

const types = {
  text: named('String'),
  integer: named('Int'),
  long: named('BigInt'),
  float: named('Float'),
  boolean: named('Boolean'),
  instant: named('DateTime'),
  json: listOf(named('String')),
} as const;

const numbers = fc.record(
  {
    minimum: fc.integer({ min: -50, max: 5 }),
    maximum: fc.integer({ min: 40, max: 2000 }),
    exclusiveMinimum: fc.integer({ min: -50, max: 5 }),
    exclusiveMaximum: fc.integer({ min: 40, max: 2000 }),
    multipleOf: fc.constantFrom(1, 3, 5),
  },
  { requiredKeys: [] },
);

const textLimits: fc.Arbitrary<Constraints> = fc.oneof(
  fc.record(
    { minLength: fc.integer({ min: 0, max: 12 }), maxLength: fc.integer({ min: 12, max: 40 }) },
    { requiredKeys: [] },
  ),
  fc.constantFrom('^[A-Z]{3}-\\d{2,4}$', '^(?:ab|cd)[0-9a-f]{6}$', '\\w+@\\w+').map((pattern) => ({ pattern })),
  fc.constantFrom('email', 'uuid', 'date', 'uri').map((format) => ({ format })),
);

const limitsOf: Partial<Record<ColumnKind, fc.Arbitrary<Constraints>>> = {
  text: textLimits,
  integer: numbers,
  long: numbers,
  float: numbers,
  json: fc.record({ minItems: fc.integer({ min: 0, max: 3 }), maxItems: fc.integer({ min: 3, max: 5 }) }),
};

/** A column with other limits, whose values may have to differ. */
function limited({ fallback: _given, ...column }: Column): fc.Arbitrary<Column> {
  const { name, kind, references } = column;
  const refers = references !== undefined || /^[wx]/.test(name);
  const limits = refers ? undefined : limitsOf[kind];
  if (name === 'id' || name === 'part') return fc.constant(column);
  return fc
    .record({
      constraints: fc.option(limits ?? fc.constant(undefined), { nil: undefined }),
      isUnique: fc.boolean(),
      isRequired: fc.boolean(),
    })
    .map(({ constraints, isUnique, isRequired }) => {
      const { constraints: _old, was: _was, ...kept } = column;
      return {
        ...kept,
        // A reference that is required may lead back.
        isNullable: refers || !isRequired,
        ...(constraints && { constraints }),
        ...(isUnique && kind !== 'json' && kind !== 'boolean' && { isUnique: true as const }),
      };
    });
}

const seedable: fc.Arbitrary<StoreModel> = models.chain(({ tables }) =>
  fc
    .tuple(...tables.map((table) => fc.tuple(...table.columns.map(limited)).map((columns) => ({ ...table, columns }))))
    .map((limitedTables) => ({ tables: limitedTables })),
);

const base = compile({
  name: 'a.gg',
  source: '(root)-[:PROCESS { at: DateTime, size: BigInt, returns: Int }]->(it)',
}).schema;

/** A schema with a type for each table. */
function schemaOf({ tables }: StoreModel): GqlSchema {
  const objects = tables.map(({ name, columns }) => ({
    name,
    description: undefined,
    node: { id: name, labels: ['Stored'], span: { file: 'a.gg', start: 0, end: 0 } },
    fields: columns.map(
      ({ name: field, kind, isNullable, constraints, references }): GqlField => ({
        name: field,
        description: undefined,
        type:
          references !== undefined || field === 'id' ? named('ID') : isNullable ? types[kind] : nonNull(types[kind]),
        ...(constraints && { constraints }),
        fallback: undefined,
        span: undefined,
      }),
    ),
  }));
  return { ...base, objects: [...base.objects, ...objects] };
}

/** For random models: the database takes all rows, whose values are within all limits, and equal for equal seeds. */
export async function checkSeeds(
  make: () => (Store & AsyncDisposable) | Promise<Store & AsyncDisposable>,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(seedable, fc.nat({ max: 30 }), fc.nat(), async (model, rows, seed) => {
      await using store = await make();
      const schema = schemaOf(model);
      const plan = { rows, seed, owners: [] };
      const { seeded, diagnostics } = await seedStore(store, schema, model, plan);
      expect(diagnostics).toEqual([]);
      const db = await store.open(model);
      for (const table of model.tables) {
        const found = await db.selectFrom(table.name).selectAll().execute();
        expect(found.length).toBe(seeded.find((one) => one.table === table.name)?.inserted);
        if (rows > 0) expect(found.length).toBeGreaterThan(0);
        for (const row of found.map((one) => fromDatabase(store.engine, table, one)))
          for (const { name, constraints = {}, kind } of table.columns) {
            const value = kind === 'long' && row[name] !== null ? Number(row[name]) : row[name];
            expect(violation(compileLimits(constraints, formatCheck), value)).toBeUndefined();
          }
      }
      const again = await seedStore(store, schema, model, plan);
      for (const { table, inserted } of again.seeded)
        expect(inserted).toBe(seeded.find((one) => one.table === table)?.inserted ? undefined : 0);
    }),
    { numRuns },
  );
}
