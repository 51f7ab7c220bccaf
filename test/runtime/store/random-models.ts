import fc from 'fast-check';
import {
  type Column,
  type ColumnKind,
  foreignKeysOf,
  type StoreModel,
  type Table,
} from '../../../src/analysis/store/model.js';

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

/** The table whose key has two columns. */
const wide = 'c';

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

/** Columns for the key of the table whose key has two, with or without a foreign key. */
const pair = fc
  .record({ prefix: fc.constantFrom('w', 'x'), isLinked: fc.boolean(), isSame: fc.boolean() })
  .map(({ prefix, isLinked, isSame }) => {
    const old = prefix === 'w' ? 'x' : 'w';
    const columns = ['Id', 'Part'].map((end): Column => {
      const was = isSame ? {} : { was: `${old}${end}` };
      return { name: `${prefix}${end}`, kind: 'text', isNullable: true, ...was };
    });
    const foreignKeys = [{ columns: columns.map((one) => one.name), to: wide }];
    return { columns, more: isLinked ? { foreignKeys } : {} };
  });

const table = (name: string): fc.Arbitrary<Table> =>
  fc
    .subarray(['p', 'q', 'r', 's'])
    .chain((names) => fc.tuple(fc.option(pair), fc.boolean(), ...names.map(column)))
    .map(([pairOf, isRuled, ...columns]) => ({
      ...pairOf?.more,
      name,
      type: name,
      key: 'id',
      ...(name === wide && { keys: ['id', 'part'] }),
      ...rulesOf(isRuled ? columns : []),
      columns: [
        { name: 'id', kind: 'text', isNullable: false },
        ...(name === wide ? [{ name: 'part', kind: 'text', isNullable: false } as const] : []),
        ...onceRenamed(columns),
        ...(pairOf?.columns ?? []),
      ],
      relations: [],
    }));

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
    tables: tables.map(({ foreignKeys, ...one }) => ({
      ...one,
      ...(foreignKeys && tables.some(({ name }) => name === wide) && { foreignKeys }),
      columns: one.columns.map(({ references, ...kept }) =>
        references !== undefined && tables.some(({ name }) => name === references && name !== wide)
          ? { ...kept, references }
          : kept,
      ),
    })),
  }));

/** A row with a value in each column that is no foreign key; rows with other ids have other numbers and texts. */
export const rowOf = (given: Table, id: string): Record<string, unknown> => {
  const linked = foreignKeysOf(given).flatMap(({ columns }) => columns);
  return Object.fromEntries(
    given.columns.map(({ name, kind }) => [
      name,
      // Without a foreign key, the columns of a pair hold the key of a row nevertheless.
      linked.includes(name) ? null : /^(?:id|[wx]Id)$/.test(name) ? id : ownValue(constants[kind], kind, id),
    ]),
  );
};

function ownValue(value: (typeof constants)[ColumnKind], kind: ColumnKind, id: string) {
  if (kind === 'text') return `${value}${id}`;
  return typeof value === 'number' ? value + Number(id) : value;
}
