import fc from 'fast-check';
import type { Column, ColumnKind, StoreModel, Table } from '../../../src/analysis/store/model.js';

const kinds: readonly ColumnKind[] = ['text', 'integer', 'long', 'float', 'boolean', 'instant', 'json'];

const constants: Readonly<Record<ColumnKind, string | number | boolean | readonly string[]>> = {
  text: "it's",
  integer: 3,
  long: 3,
  float: 2.5,
  boolean: true,
  instant: '2024-01-01T00:00:00.000Z',
  json: ['a'],
};

/** A column that a migration can always add: one that is required has a default. */
const column = (name: string): fc.Arbitrary<Column> =>
  fc
    .record({
      kind: fc.constantFrom(...kinds),
      isNullable: fc.boolean(),
      hasDefault: fc.boolean(),
      isIndexed: fc.boolean(),
      isLimited: fc.boolean(),
      link: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 3, nil: undefined }),
      was: fc.option(fc.constantFrom('p', 'q', 'r', 's'), { nil: undefined }),
    })
    .map(({ kind, isNullable, hasDefault, isIndexed, isLimited, link, was }): Column => {
      const more = { name, ...(was !== undefined && was !== name && { was }) };
      if (link !== undefined) return { ...more, kind: 'text', isNullable: true, references: link };
      return {
        ...more,
        kind,
        isNullable,
        ...(isIndexed && kind !== 'json' && { isIndexed: true }),
        ...(isLimited && {
          constraints: kind === 'text' ? { maxLength: 90 } : { minimum: 0, maximum: 1000 },
        }),
        ...((hasDefault || !isNullable) && {
          fallback:
            kind === 'instant' && hasDefault
              ? { kind: 'now' }
              : kind === 'text' && hasDefault
                ? { kind: 'uuid' }
                : { kind: 'value', value: constants[kind] as never },
        }),
      };
    });

const table = (name: string): fc.Arbitrary<Table> =>
  fc
    .subarray(['p', 'q', 'r', 's'])
    .chain((names) => fc.tuple(fc.boolean(), ...names.map(column)))
    .map(([isRuled, ...columns]) => ({
      name,
      type: name,
      key: 'id',
      ...(name === wide && { keys: ['id', 'part'] }),
      ...rulesOf(isRuled ? columns : []),
      columns: [
        { name: 'id', kind: 'text', isNullable: false },
        ...(name === wide ? [{ name: 'part', kind: 'text', isNullable: false } as const] : []),
        ...onceRenamed(columns),
      ],
      relations: [],
    }));

/** The table whose key has two columns. */
const wide = 'c';

/** A rule over two columns, in one of which the rows differ. */
function rulesOf(columns: readonly Column[]): Pick<Table, 'uniques'> {
  const differs = columns.find(({ kind }) => kind !== 'json' && kind !== 'boolean' && kind !== 'instant');
  const other = columns.find((one) => one !== differs && one.kind !== 'json');
  return differs && other ? { uniques: [[differs.name, other.name]] } : {};
}

/** Two columns cannot both be what one was. */
function onceRenamed(columns: readonly Column[]): readonly Column[] {
  return columns.map(({ was, ...kept }, at) =>
    was === undefined || columns.slice(0, at).some((other) => other.was === was) ? kept : { ...kept, was },
  );
}

/** Models of up to three tables, which refer to each other. */
export const models: fc.Arbitrary<StoreModel> = fc
  .subarray(['a', 'b', 'c'], { minLength: 1 })
  .chain((names) => fc.tuple(...names.map(table)))
  .map((tables) => ({
    tables: tables.map((one) => ({
      ...one,
      columns: one.columns.map(({ references, ...kept }) =>
        references !== undefined && tables.some(({ name }) => name === references && name !== wide)
          ? { ...kept, references }
          : kept,
      ),
    })),
  }));

/** A row with a value in each column that is no foreign key; rows with other ids have other numbers and texts. */
export const rowOf = ({ columns }: Table, id: string): Record<string, unknown> =>
  Object.fromEntries(
    columns.map(({ name, kind, references }) => [
      name,
      name === 'id' ? id : references !== undefined ? null : ownValue(constants[kind], kind, id),
    ]),
  );

function ownValue(value: (typeof constants)[ColumnKind], kind: ColumnKind, id: string) {
  if (kind === 'text') return `${value}${id}`;
  return typeof value === 'number' ? value + Number(id) : value;
}
