import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../base/source/span.js';
import { baseName, nullable, type TypeRef } from '../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema, GqlWrites } from '../../compiler/schema/gql-schema.js';
import { columnGivenBy, inputTypeOf, isComposite, storedTypes } from '../../compiler/schema/schema-index.js';
import { keysOf, type Relation, type StoreModel, type Table, tableNamed } from './model.js';

/** The writes of the mutations of a topology, as plain data. */
export interface StoreWrites {
  readonly writes: readonly Write[];
  /** The rows that nested inputs give, by the names that {@link NestedRows} uses. */
  readonly shapes: Readonly<Record<string, RowShape>>;
}

/** The rows that a mutation writes, and how it answers. */
export interface Write {
  /** The name of the mutation. */
  readonly operation: string;
  readonly action: GqlWrites;
  readonly row: RowShape;
  /** Whether it answers with the row, with its key, or with true. */
  readonly answer: 'row' | 'key' | 'true';
  /** Whether it answers with null if there is no row of the key. */
  readonly isNullable: boolean;
  /** The column that an argument finds a row by, and does not change: the owner that the edge names. */
  readonly owner?: string;
}

/** Where the values of a row are in the object of the arguments, or in a nested input. */
export interface RowShape {
  /** The name of the table. */
  readonly table: string;
  readonly values: readonly GivenColumn[];
  readonly nested: readonly NestedRows[];
}

/** The place of the value of a column: `['input', 'title']`. */
export interface GivenColumn {
  readonly column: string;
  readonly path: readonly string[];
  /** Whether callers must give it. */
  readonly isRequired?: true;
  /** Whether REST reads it from a header. */
  readonly isHeader?: true;
}

/** New rows of a relation, which an input contains: one object, or a list of objects. */
export interface NestedRows extends Pick<Relation, 'kind' | 'columns'> {
  readonly path: readonly string[];
  /** The name of their {@link RowShape}. */
  readonly shape: string;
}

/**
 * Finds what each mutation into a stored node writes, and reports those that neither the store nor a resolver serves
 * (GG7002).
 */
export function storeWritesOf(
  schema: GqlSchema,
  model: StoreModel,
  isGiven: (coordinate: string) => boolean = () => false,
): StoreWrites & { readonly diagnostics: readonly Diagnostic[] } {
  const shapes = new Map<string, RowShape>();
  const diagnostics: Diagnostic[] = [];
  const typeOf = storedTypes(schema.objects);
  const tableOf = (operation: GqlOperation) => {
    const name = typeOf(operation)?.name;
    return model.tables.find((table) => table.type === name);
  };
  const writes = schema.mutations.flatMap((operation): Write[] => {
    const coordinate = `Mutation.${operation.name}`;
    const table = operation.renamed || isGiven(coordinate) ? undefined : tableOf(operation);
    if (table === undefined) return [];
    const reasons: string[] = [];
    const scope = { schema, model, shapes, report: (reason: string) => void reasons.push(reason) };
    const write = writeOf(operation, table, scope);
    const [reason] = reasons;
    if (reason === undefined) return [write];
    const span = operation.edges[0]?.span ?? wholeFile('layers');
    diagnostics.push(diagnose('GG7002', { operation: coordinate, reason }, span));
    return [];
  });
  return { writes, shapes: Object.fromEntries(shapes), diagnostics };
}

interface Scope {
  readonly schema: GqlSchema;
  readonly model: StoreModel;
  readonly shapes: Map<string, RowShape>;
  readonly report: (reason: string) => void;
}

function writeOf(operation: GqlOperation, table: Table, scope: Scope): Write {
  const { type, name } = operation;
  const row = shapeOf(table, operation.arguments, [], scope);
  const owner = ownerOf(operation, row);
  const action = operation.writes ?? actionOf(operation, table, row, owner);
  const missing = keysOf(table).find((key) => !row.values.some(({ column }) => column === key));
  if (action !== 'insert' && missing !== undefined)
    scope.report(`it has no argument “${missing}”, the key of ${table.type}`);
  if (action === 'delete') {
    const [other] = [...row.values, ...row.nested].filter((given) => isContent(table, given, owner));
    if (other !== undefined) scope.report(`a delete takes the key alone, and not “${other.path.join('.')}”`);
  }
  const isNew = action === 'insert' || action === 'upsert';
  checkRequired(row, isNew ? [] : undefined, scope, new Set());
  const answer = answerOf(type, table, scope);
  return { operation: name, action, row, answer, isNullable: isNullable(type), ...(owner && { owner }) };
}

/** The column of the argument that must be the id of the caller. */
function ownerOf({ owner }: GqlOperation, { values }: RowShape): string | undefined {
  return values.find(({ path }) => path.length === 1 && path[0] === owner)?.column;
}

function isNullable({ kind }: TypeRef): boolean {
  return kind !== 'nonNull';
}

/** Without a key it inserts, with nothing else it deletes; a key that may be absent makes it an upsert. */
function actionOf({ route }: GqlOperation, table: Table, row: RowShape, owner: string | undefined): GqlWrites {
  if (route?.method === 'DELETE') return 'delete';
  if (route?.method === 'PATCH') return 'update';
  const keys = keysOf(table).map((key) => row.values.filter(({ column }) => column === key));
  if (keys.some(({ length }) => length === 0)) return 'insert';
  if (![...row.values, ...row.nested].some((given) => isContent(table, given, owner))) return 'delete';
  return keys.every((given) => given.some(({ isRequired }) => isRequired)) ? 'update' : 'upsert';
}

/** Whether a value changes a row: the key, the expected version and the owner only find it. */
function isContent(table: Table, given: GivenColumn | NestedRows, owner: string | undefined): boolean {
  return 'shape' in given || ![...keysOf(table), versionOf(table), owner].includes(given.column);
}

/** The column that counts the writes of a row; undefined if the table has none. */
export function versionOf({ columns }: Table): string | undefined {
  return columns.find(({ role }) => role === 'version')?.name;
}

function answerOf(type: TypeRef, table: Table, { schema, report }: Scope): Write['answer'] {
  const isList = nullable(type).kind === 'list';
  const name = baseName(type);
  if (!isList && name === table.type) return 'row';
  const fields = schema.objects.find((object) => object.name === table.type)?.fields ?? [];
  const key = table.keys ? undefined : fields.find((field) => field.name === table.key);
  if (isList || !(name === 'Boolean' || (key !== undefined && baseName(key.type) === name)))
    report(`its result must be ${table.type}, Boolean or the type of its key`);
  // Callers are compared with the owner of the type that they select.
  else if (table.owner !== undefined)
    report(`its result must be ${table.type}, so that callers are compared with its owner`);
  return name === 'Boolean' ? 'true' : 'key';
}

function shapeOf(
  table: Table,
  given: readonly GqlArgument[],
  path: readonly string[],
  scope: Scope,
  isRoot = true,
): RowShape {
  const values: GivenColumn[] = [];
  const nested: NestedRows[] = [];
  for (const argument of given) {
    const { type, header } = argument;
    const place = [...path, argument.name];
    const name = columnGivenBy(argument);
    const input = isComposite(scope.schema, baseName(type)) ? inputTypeOf(scope.schema, baseName(type)) : undefined;
    const isList = nullable(type).kind === 'list';
    const relation = table.relations.find(({ field }) => field === name);
    if (table.columns.some((column) => column.name === name)) {
      values.push({
        column: name,
        path: place,
        ...(!isNullable(type) && { isRequired: true as const }),
        ...(header !== undefined && { isHeader: true as const }),
      });
    } else if (relation && input && isList === (relation.kind === 'many')) {
      const { kind, columns, to } = relation;
      nested.push({ kind, columns, path: place, shape: nestedShape(to, input, scope) });
    } else if (input && !isList && isRoot && path.length === 0) {
      const inner = shapeOf(table, input.fields, place, scope);
      values.push(...inner.values);
      nested.push(...inner.nested);
    } else {
      scope.report(`“${place.join('.')}” is no column of ${table.type}`);
    }
  }
  return { table: table.name, values, nested };
}

/** The shape of a nested input. It may contain itself, so it is named before it is made. */
function nestedShape(
  to: string,
  input: { readonly name: string; readonly fields: readonly GqlArgument[] },
  scope: Scope,
): string {
  const name = `${input.name} of ${to}`;
  if (!scope.shapes.has(name)) {
    scope.shapes.set(name, { table: to, values: [], nested: [] });
    scope.shapes.set(name, shapeOf(tableNamed(scope.model, to), input.fields, [], scope, false));
  }
  return name;
}

/**
 * Reports required columns of new rows that neither callers nor the store can give.
 *
 * @param set - The columns that the row gets from its parent; undefined for a row that exists.
 */
function checkRequired(
  { table: name, values, nested }: RowShape,
  set: readonly string[] | undefined,
  scope: Scope,
  seen: Set<string>,
): void {
  const table = tableNamed(scope.model, name);
  const made = nested.flatMap(({ kind, columns }) => (kind === 'one' ? columns : []));
  const given = [...values.map(({ column }) => column), ...made, ...(set ?? []), table.owner];
  const missing = table.columns.find(
    (column) => !column.isNullable && column.fallback === undefined && !given.includes(column.name),
  );
  if (set !== undefined && missing !== undefined)
    scope.report(`callers cannot give ${table.type}.${missing.name}, which is required`);
  for (const { shape, kind, columns } of nested) {
    if (seen.has(shape)) continue;
    seen.add(shape);
    const inner = scope.shapes.get(shape) as RowShape;
    // The row of a key of several columns gets those that the outer row is given.
    const keys = keysOf(tableNamed(scope.model, inner.table));
    const shared = keys.filter(
      (_, at) => keys.length > 1 && given.includes(columns[at]) && !made.includes(columns[at] as string),
    );
    checkRequired(inner, kind === 'many' ? columns : shared, scope, seen);
  }
}
