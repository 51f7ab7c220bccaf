import { perObject } from '../../compiler/graph/maps.js';
import { baseName } from '../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { inputTypeOf } from '../../compiler/schema/schema-index.js';
import { foreignKeysOf, keysOf, tableNamed } from './model.js';
import { storeModelOf } from './tables.js';
import { type RowShape, storeWritesOf } from './writes.js';

/**
 * The arguments of mutations, and the fields of their inputs, whose values no two rows may share: those of unique columns, and
 * the keys of new rows. Values that refer to other rows, or that are the caller, are not among them.
 */
export const uniqueArguments = perObject((schema: GqlSchema): ReadonlySet<GqlArgument> => {
  const { model } = storeModelOf(schema);
  const { writes, shapes } = storeWritesOf(schema, model);
  const found = new Set<GqlArgument>();
  const seen = new Set<RowShape>();
  const add = (row: RowShape, given: readonly GqlArgument[], isInserted: boolean): void => {
    if (seen.has(row)) return;
    seen.add(row);
    const table = tableNamed(model, row.table);
    const referring = foreignKeysOf(table).flatMap(({ columns }) => columns);
    const rules = [...(table.uniques ?? []), ...(isInserted ? [keysOf(table)] : [])].flat();
    for (const { column: name, path } of row.values) {
      const column = table.columns.find((one) => one.name === name);
      const isFree = column?.role === undefined && name !== table.owner && !referring.includes(name);
      const argument = argumentAt(schema, given, path);
      if (isFree && (column?.isUnique || rules.includes(name)) && argument !== undefined) found.add(argument);
    }
    for (const { path, shape } of row.nested) {
      const inner = inputOf(schema, argumentAt(schema, given, path));
      add(shapes[shape] as RowShape, inner, true);
    }
  };
  const given = new Map(schema.mutations.map((one) => [one.name, one.arguments]));
  for (const { operation, row, action } of writes) add(row, given.get(operation) ?? [], action === 'insert');
  return found;
});

/** The argument, or the field of its input, at a path such as `['input', 'email']`. */
function argumentAt(
  schema: GqlSchema,
  given: readonly GqlArgument[],
  path: readonly string[],
): GqlArgument | undefined {
  let argument: GqlArgument | undefined;
  let beside = given;
  for (const name of path) {
    argument = beside.find((one) => one.name === name);
    beside = inputOf(schema, argument);
  }
  return argument;
}

function inputOf(schema: GqlSchema, argument: GqlArgument | undefined): readonly GqlArgument[] {
  return (argument && inputTypeOf(schema, baseName(argument.type))?.fields) ?? [];
}
