import { idSubject, subjectOf } from '../../compiler/api/chains/id-links.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { appendTo } from '../../compiler/graph/maps.js';
import { baseName, named, nonNull, nullable, type TypeRef } from '../../compiler/graph/type-ref.js';
import { pageArguments } from '../../compiler/schema/cursor.js';
import type {
  GqlArgument,
  GqlField,
  GqlObjectType,
  GqlOperation,
  GqlSchema,
} from '../../compiler/schema/gql-schema.js';
import { columnGivenBy, inputTypeOf, isComposite, isStored, withInternal } from '../../compiler/schema/schema-index.js';
import { readsOf } from './reads.js';
import { byOf, columnsTo, isManyOf, itemType, namedColumns } from './relations.js';
import { firstValue } from './seed-values.js';
import { kindOf, storeModelOf } from './tables.js';
import { storeWritesOf } from './writes.js';

/** The nodes of any topology as tables, for a mock. */
export interface MockPlan {
  /** The schema from which a store derives its tables, reads and writes. Required columns have a default. */
  readonly schema: GqlSchema;
  /** The schema from which rows are made: the same without such defaults. */
  readonly seeds: GqlSchema;
  /** Where a mutation finds the value of each column: the names of an argument, and of a field of its input. */
  readonly given: ReadonlyMap<string, Paths>;
  /** The types about one subject, such as `ReadUser` and `SaveUser`. */
  readonly subjects: readonly (readonly string[])[];
}

type Paths = ReadonlyMap<string, readonly string[]>;

/** A node that becomes a table. */
interface Draft {
  readonly type: GqlObjectType;
  readonly key: string;
  /** The fields of its key: several with `@store key`. */
  readonly keys: readonly string[];
  /** Its fields, and a column for each relation that has none. */
  readonly fields: GqlField[];
  /** The types and the fields of their keys that its columns hold. */
  readonly leads: Map<string, { readonly type: string; readonly key: string }>;
}

type Drafts = ReadonlyMap<string, Draft>;

/**
 * Treats each node with a key that operations return as if it had the label `Stored`. Leaves out what a store would
 * refuse: arguments that do not compare a column, and values of inputs without a column.
 */
export function mockSchema(schema: GqlSchema): MockPlan {
  const drafts = draftsOf(schema);
  addColumns(drafts);
  const keyExample = ({ type, key }: { readonly type: string; readonly key: string }): JsonValue | undefined => {
    const { fields } = drafts.get(type) as Draft;
    return firstValue(schema, fields.find((field) => field.name === key) as GqlField);
  };
  const seeds = withFields(schema, drafts, (field) => field);
  const complete = withFields(schema, drafts, (field, { type, keys, leads }) => {
    const isGiven = keys.includes(field.name) || field.fallback !== undefined || field.type.kind !== 'nonNull';
    if (isStored(type) || isGiven || (field.store ?? []).some((said) => automatic.test(said))) return field;
    if (kindOf(schema, field.type) === 'instant') return { ...field, store: [...(field.store ?? []), 'default now'] };
    const lead = leads.get(field.name);
    return { ...field, fallback: lead === undefined ? firstValue(schema, field) : keyExample(lead) };
  });
  const serve = servedBy(complete, drafts);
  const { internal } = complete;
  const { mutations, given } = writesOf(complete, drafts);
  return {
    schema: {
      ...complete,
      queries: complete.queries.map(serve),
      mutations,
      ...(internal && { internal: { ...internal, queries: internal.queries.map(serve) } }),
    },
    seeds,
    given,
    subjects: subjectsOf(drafts),
  };
}

/** The columns that a store fills by itself. */
const automatic = /^(?:created|updated|version|default)\b/;

function withFields(schema: GqlSchema, drafts: Drafts, finish: (field: GqlField, draft: Draft) => GqlField): GqlSchema {
  const objects = schema.objects.map((type) => {
    const draft = drafts.get(type.name);
    const { node } = type;
    if (draft === undefined || node === undefined) return type;
    const fields = draft.fields.map((field) => finish(field, draft));
    return { ...type, fields, node: { ...node, labels: [...node.labels, 'Stored'] } };
  });
  return { ...schema, objects };
}

function draftsOf(schema: GqlSchema): Drafts {
  const { queries } = withInternal(schema);
  const returned = new Set([...queries, ...schema.mutations].map(itemType));
  const drafts = new Map<string, Draft>();
  for (const type of schema.objects) {
    if (type.node === undefined || !(returned.has(type.name) || isStored(type))) continue;
    const own = queries.filter((query) => itemType(query) === type.name);
    const key = keyOf(schema, type, own);
    if (key === undefined) continue;
    const examples = [...(key.examples ?? []), ...own.flatMap((query) => keyExamples(schema, query, key.name))];
    const isTold = isStored(type) || key.name === 'id';
    const marked: GqlField = {
      ...key,
      ...(examples.length > 0 && { examples: [...new Set(examples)] }),
      ...(!isTold && { store: [...(key.store ?? []), 'key'] }),
    };
    const fields = type.fields.map((field) => (field === key ? marked : field));
    const said = type.fields.filter(({ store = [] }) => store.includes('key')).map(({ name }) => name);
    const keys = said.length > 1 ? said : [key.name];
    drafts.set(type.name, { type, key: key.name, keys, fields, leads: new Map() });
  }
  return drafts;
}

/** The field `id`, the one with `@store key`, or else the one that a query for one object asks for. */
function keyOf(schema: GqlSchema, { fields }: GqlObjectType, queries: readonly GqlOperation[]) {
  const asked = new Set(
    queries
      .filter(({ type, page }) => page === undefined && nullable(type).kind === 'named')
      .flatMap((query) => query.arguments.filter(({ type }) => type.kind === 'nonNull').map(({ name }) => name)),
  );
  const found =
    fields.find(({ store = [] }) => store.includes('key')) ??
    fields.find(({ name }) => name === 'id') ??
    fields.find(({ name, type }) => asked.has(name) && baseName(type) === 'ID');
  return found !== undefined && ['text', 'integer', 'long'].includes(kindOf(schema, found.type)) ? found : undefined;
}

/** The examples of the arguments of a query that compare the key: such rows should exist. */
function keyExamples(schema: GqlSchema, query: GqlOperation, key: string): readonly JsonValue[] {
  return query.arguments
    .flatMap((argument) => [argument, ...(inputFields(schema, argument) ?? [])])
    .filter(({ name }) => name === key)
    .flatMap(({ examples = [] }) => examples);
}

function inputFields(schema: GqlSchema, { type }: GqlArgument): readonly GqlArgument[] | undefined {
  const name = baseName(type);
  return isComposite(schema, name) && nullable(type).kind === 'named' ? inputTypeOf(schema, name)?.fields : undefined;
}

/** Gives relations a column to follow: of this table for one object, of the other table for several. */
function addColumns(drafts: Drafts): void {
  const relations = [...drafts.values()].flatMap((draft) =>
    draft.type.fields.flatMap((field) => {
      const to = drafts.get(itemType(field));
      return to === undefined || field.renamed !== undefined ? [] : [{ draft, field, to }];
    }),
  );
  const typeOf = ({ type, fields }: Draft): GqlObjectType => ({ ...type, fields });
  const isIn = ({ fields }: Draft, columns: readonly string[]) =>
    columns.every((name) => fields.some((one) => one.name === name));
  const link = (draft: Draft, columns: readonly string[], to: Draft, isRequired: boolean): void => {
    for (const [at, name] of columns.entries()) {
      const key = to.fields.find((one) => one.name === to.keys[at]);
      if (key === undefined) continue;
      const type: TypeRef = named(baseName(key.type));
      const [description, fallback] = [undefined, undefined];
      if (!isIn(draft, [name]))
        draft.fields.push({
          name,
          description,
          type: isRequired ? nonNull(type) : type,
          fallback,
          span: key.span,
        });
      draft.leads.set(name, { type: to.type.name, key: key.name });
    }
  };
  const by = (draft: Draft, field: GqlField, columns: readonly string[]): void => {
    const at = draft.fields.findIndex(({ name }) => name === field.name);
    draft.fields[at] = { ...field, store: [...(field.store ?? []), `by ${columns.join(', ')}`] };
  };
  for (const { draft, field, to } of relations.filter((one) => !isManyOf(one.field))) {
    const said = byOf(field);
    const names = said === undefined ? namedColumns(field.name, to.keys, typeOf(draft)) : [said];
    const own = names.find((columns) => isIn(draft, columns)) ?? (names[0] as readonly string[]);
    link(draft, own, to, field.type.kind === 'nonNull');
  }
  for (const { draft, field, to } of relations.filter((one) => isManyOf(one.field))) {
    if (byOf(field) !== undefined) continue;
    const names = columnsTo(typeOf(draft), typeOf(to));
    const [own, ...others] = names.filter((columns) => isIn(to, columns));
    const columns = own ?? (names[0] as readonly string[]);
    if (others.length > 0) by(draft, field, columns);
    link(to, columns, draft, false);
  }
}

/** Leaves out the arguments of a query that a store cannot compare. `bookId` compares the key of a book. */
function servedBy(schema: GqlSchema, drafts: Drafts): (query: GqlOperation) => GqlOperation {
  const { model } = storeModelOf(schema);
  const tell = (query: GqlOperation, argument: GqlArgument): GqlArgument => {
    const draft = drafts.get(itemType(query));
    const { name, type, store } = argument;
    if (draft === undefined || store !== undefined || !isKeyOf(draft, name)) return argument;
    return { ...argument, store: [`${nullable(type).kind === 'list' ? 'in' : 'eq'} ${draft.key}`] };
  };
  const { internal: _none, ...rest } = schema;
  return (query) => {
    const told = query.arguments.map((argument) => tell(query, argument));
    const alone = told.map((argument, at) => ({ ...query, name: `${at}`, arguments: [argument] }));
    const { reads } = readsOf({ ...rest, queries: alone }, model);
    const isUsed = ({ name }: GqlArgument, at: number) =>
      (query.page !== undefined && pageArguments.has(name)) || reads.has(`Query.${at}`);
    return { ...query, arguments: told.filter(isUsed) };
  };
}

/** Whether a name that is no column means the key of a type: `bookId` of a book. */
function isKeyOf({ type, fields }: Draft, name: string): boolean {
  return !fields.some((one) => one.name === name) && idSubject(name) === subjectOf(type.name).toLowerCase();
}

/** The mutations with columns as arguments, and where callers give those. */
function writesOf(schema: GqlSchema, drafts: Drafts) {
  const { model } = storeModelOf(schema);
  const given = new Map<string, Paths>();
  const whole = schema.mutations.map((operation) => {
    const draft = drafts.get(itemType(operation)) ?? byNode(drafts, operation);
    if (draft === undefined) return operation;
    const { columns, paths } = columnsIn(schema, draft, operation);
    given.set(operation.name, paths);
    return withAction({ ...operation, arguments: columns }, draft);
  });
  const isServed = new Set(
    storeWritesOf({ ...schema, mutations: whole }, model).writes.map(({ operation }) => operation),
  );
  // Without the rows that an input contains, more can be served.
  const isRelation = (operation: GqlOperation, name: string) => {
    const draft = drafts.get(itemType(operation)) ?? byNode(drafts, operation);
    const field = draft?.fields.find((one) => one.name === name);
    return field !== undefined && drafts.has(itemType(field));
  };
  const mutations = whole.map((operation) =>
    isServed.has(operation.name)
      ? operation
      : {
          ...operation,
          arguments: operation.arguments.filter(({ name }) => !isRelation(operation, name)),
        },
  );
  return { mutations, given };
}

function byNode(drafts: Drafts, { edges }: GqlOperation): Draft | undefined {
  return [...drafts.values()].find(({ type }) => type.node?.id === edges[0]?.to);
}

function columnsIn(schema: GqlSchema, draft: Draft, operation: GqlOperation) {
  const columns: GqlArgument[] = [];
  const paths = new Map<string, readonly string[]>();
  const offer = (argument: GqlArgument, path: readonly string[], isRequired: boolean): boolean => {
    const said = columnGivenBy(argument);
    const name = isKeyOf(draft, said) ? draft.key : said;
    if (paths.has(name) || !draft.fields.some((field) => field.name === name)) return false;
    paths.set(name, path);
    const { store: _compared, ...kept } = argument;
    columns.push({ ...kept, name, type: isRequired ? nonNull(argument.type) : nullable(argument.type) });
    return true;
  };
  for (const argument of operation.arguments) {
    const { name, type } = argument;
    const isRequired = type.kind === 'nonNull';
    if (offer(argument, [name], isRequired)) continue;
    for (const field of inputFields(schema, argument) ?? [])
      offer(field, [name, field.name], isRequired && field.type.kind === 'nonNull');
  }
  return { columns, paths };
}

/**
 * The name of a mutation says what its arguments do not: whether it deletes a row, or makes one with a key of its own.
 */
function withAction(operation: GqlOperation, { keys }: Draft): GqlOperation {
  const { name, route, writes, arguments: columns } = operation;
  const keyed = columns.filter((one) => keys.includes(one.name) && one.type.kind === 'nonNull');
  if (writes !== undefined || keyed.length < keys.length) return operation;
  if (route?.method === 'DELETE' || /^(?:delete|remove)/i.test(name))
    return { ...operation, writes: 'delete', arguments: keyed };
  const isNew = /^(?:add|create|insert|new|put|register|save|set|store|upsert)/i.test(name);
  return { ...operation, writes: isNew ? 'upsert' : 'update' };
}

/** The types of each subject that has several. */
function subjectsOf(drafts: Drafts): readonly (readonly string[])[] {
  const found = new Map<string, string[]>();
  for (const name of drafts.keys()) appendTo(found, subjectOf(name), name);
  return [...found.values()].filter(({ length }) => length > 1);
}
