import { appendTo, perObject, remember } from '../../graph/maps.js';
import { takeName, uncapitalized } from '../../graph/names.js';
import { baseName, nullable, type TypeRef } from '../../graph/type-ref.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../schema/gql-schema.js';
import { inputTypeOf, namedType, objectFields } from '../../schema/schema-index.js';
import { answerType } from '../rest-routes.js';
import { answerSelection, defaultSelection, type Selection } from '../selection.js';

/** An id that the result of one operation has and other operations take. */
export interface IdLink {
  readonly producer: GqlOperation;
  /** The path to it in the result; for a list, that of the first item. */
  readonly path: readonly string[];
  /** A name for it, such as `parcelId`. No two links have the same one. */
  readonly variable: string;
}

/** Finds the operation whose id is the value of an argument. */
export interface IdLinks {
  /** The id for an argument of an operation; undefined if the argument keeps its example. */
  forArgument(operation: GqlOperation, name: string, type: TypeRef): IdLink | undefined;
  /** The same for a field of an input that the operation takes. */
  forField(operation: GqlOperation, input: string, name: string, type: TypeRef): IdLink | undefined;
}

/**
 * Finds the ids that operations pass to each other:
 * - edges that begin at a node use the id of the result of the FOLD to this node;
 * - an argument `id` is the id of what the operation returns, and `parcelId` that of a parcel, wherever it
 *   stands. `SaveUser` and `ReadUser` are both about a user;
 * - `senderId` is the id of a customer, if the operation returns an object whose `sender` is a customer.
 *
 * A mutation that creates the subject is preferred to a query that lists it, and both to a result that only
 * contains it.
 *
 * @param reserved - The names that no link may have.
 */
export function findIdLinks(schema: GqlSchema, reserved: readonly string[] = []): IdLinks {
  const { producers, madeAt, changedAt } = findSources(schema);
  const links = new Map<string, IdLink>();
  const variables = new Set(reserved);

  const linkTo = ({ operation, path }: Omit<Producer, 'subject'>, wanted: string): IdLink =>
    remember(links, `${operation.kind} ${operation.name} ${path.join('.')}`, () => {
      return { producer: operation, path, variable: takeName(variables, wanted) };
    });
  const bySubject = (subject: string): IdLink | undefined => {
    const producer = producers.get(subject);
    return producer === undefined ? undefined : linkTo(producer, `${uncapitalized(producer.subject)}Id`);
  };
  /** The result of a mutation to a node at which the operation begins. */
  const bySource = (
    mutations: typeof madeAt,
    operation: GqlOperation,
    name: string,
    type?: string,
  ): IdLink | undefined => {
    for (const node of operation.edges.flatMap(({ from }) => from)) {
      for (const maker of mutations.get(node) ?? []) {
        const made = baseName(maker.type);
        if (maker === operation || (type !== undefined && type !== made)) continue;
        const { fields = [] } = resultSelection(schema, maker) ?? {};
        if (!fields.some((field) => field.name === name)) continue;
        const wanted = name === 'id' ? `${uncapitalized(subjectOf(made))}Id` : name;
        return linkTo({ operation: maker, path: [name] }, wanted);
      }
    }
    return undefined;
  };
  /** `senderId` is the id of a customer, if the result has a field `sender` that is one. */
  const byName = (operation: GqlOperation, name: string): IdLink | undefined => {
    const subject = idSubject(name);
    if (subject === undefined) return undefined;
    const fields = objectFields(schema, baseName(operation.type));
    const role = fields.find((field) => field.name.replaceAll('_', '').toLowerCase() === subject);
    return bySubject(subject) ?? (role && bySubject(subjectOf(baseName(role.type)).toLowerCase()));
  };

  return {
    forArgument(operation, name, type) {
      if (baseName(type) !== 'ID' || isFilter(operation, type)) return undefined;
      const made = bySource(madeAt, operation, name);
      // Another id of an object that must be known comes from its own maker.
      const named = made ?? (name === 'id' ? undefined : byName(operation, name));
      const subject = subjectOf(baseName(operation.type)).toLowerCase();
      return named ?? bySource(changedAt, operation, name) ?? (name === 'id' ? bySubject(subject) : undefined);
    },
    forField(operation, input, name, type) {
      if (baseName(type) !== 'ID') return undefined;
      const found = namedType(schema, input);
      const ofSource = (mutations: typeof madeAt) =>
        found.kind === 'input' ? bySource(mutations, operation, name, found.type.of) : undefined;
      return ofSource(madeAt) ?? (name === 'id' ? undefined : byName(operation, name)) ?? ofSource(changedAt);
    },
  };
}

/**
 * The schema without operations of layers, such as those of the federation, and without aliases: they lead to nothing.
 */
export const linkedOperations = perObject((schema: GqlSchema): GqlSchema => {
  const isLinked = ({ edges, renamed }: GqlOperation) => edges.length > 0 && renamed === undefined;
  const { queries, mutations, subscriptions } = schema;
  if (allOperations(schema).every(isLinked)) return schema;
  return {
    ...schema,
    queries: queries.filter(isLinked),
    mutations: mutations.filter(isLinked),
    subscriptions: subscriptions.filter(isLinked),
  };
});

/** Whether an argument is a filter of a list: with a new id as its value, the list would be empty. */
function isFilter(operation: GqlOperation, type: TypeRef): boolean {
  return type.kind !== 'nonNull' && nullable(operation.type).kind === 'list';
}

interface Producer {
  readonly operation: GqlOperation;
  readonly path: readonly string[];
  readonly subject: string;
}

/**
 * The source of the id of each subject, by its lower-case name, and by each node the mutations that make an object there, and
 * those that take the id of one and change it. Several documents of one schema have links.
 */
const findSources = perObject((schema: GqlSchema) => {
  const producers = new Map<string, Producer & { readonly rank: number }>();
  const [madeAt, changedAt] = [new Map<string, GqlOperation[]>(), new Map<string, GqlOperation[]>()];
  /** @param rank - The least is preferred. An operation that takes an id of the subject is the last choice. */
  const offer = (
    type: string,
    operation: GqlOperation,
    path: readonly string[],
    asked: ReadonlySet<string>,
    rank: number,
  ): void => {
    const subject = subjectOf(type);
    const key = subject.toLowerCase();
    const before = producers.get(key);
    const own = rank + (asked.has(key) ? 4 : 0);
    if (before === undefined || own < before.rank) producers.set(key, { operation, path, subject, rank: own });
  };
  for (const operation of [...schema.mutations, ...schema.queries]) {
    const selection = resultSelection(schema, operation);
    if (selection === undefined) continue;
    const isQuery = operation.kind === 'query' ? 1 : 0;
    const asked = askedSubjects(schema, operation);
    if (hasId(schema, selection) && !asked.has('')) offer(selection.type, operation, ['id'], asked, isQuery);
    for (const { name, selection: inner } of selection.fields)
      if (inner !== undefined && hasId(schema, inner)) offer(inner.type, operation, [name, 'id'], asked, 2 + isQuery);
    if (operation.kind !== 'mutation') continue;
    const isChange = asked.has('') || asked.has(subjectOf(baseName(operation.type)).toLowerCase());
    for (const { to } of operation.edges) appendTo(isChange ? changedAt : madeAt, to, operation);
  }
  return { producers, madeAt, changedAt };
});

/** The fields of the result that callers get: an edge can name them. */
function resultSelection(schema: GqlSchema, operation: GqlOperation): Selection | undefined {
  const { fields, page, type } = operation;
  return fields && !page ? answerSelection(schema, operation) : defaultSelection(schema, type);
}

/** The subjects whose ids an operation takes, in lower case; the empty string for an argument `id`. */
function askedSubjects(schema: GqlSchema, operation: GqlOperation): ReadonlySet<string> {
  const asked = new Set<string>();
  for (const argument of operation.arguments) {
    const type = baseName(argument.type);
    if (type === 'ID') asked.add((argument.name === 'id' ? '' : idSubject(argument.name)) ?? argument.name);
    for (const { name, type: inner } of inputTypeOf(schema, type)?.fields ?? [])
      if (name !== 'id' && baseName(inner) === 'ID') asked.add(idSubject(name) ?? name);
  }
  return asked;
}

/** `parcel` for `parcelId`, `parcel_id` and `parcelIds`. */
export function idSubject(name: string): string | undefined {
  return /^(.+?)_?[Ii]ds?$/.exec(name)?.[1]?.replaceAll('_', '').toLowerCase();
}

function hasId(schema: GqlSchema, { type, fields }: Selection): boolean {
  if (!fields.some(({ name }) => name === 'id')) return false;
  return objectFields(schema, type).some((field) => field.name === 'id' && isSingleId(field.type));
}

export function isSingleId(type: TypeRef): boolean {
  const bare = nullable(type);
  return bare.kind === 'named' && bare.name === 'ID';
}

const verbs: ReadonlySet<string> = new Set(
  (
    'Add Change Create Delete Edit Fetch Find Get Insert List Load New Patch Put Read Register Remove Save Set ' +
    'Show Store Update Upsert View Write'
  ).split(' '),
);

/** The subject of a type: `User` for `ReadUser`, `SaveUser` and `User`. */
export function subjectOf(type: string): string {
  const [, verb = '', rest] = /^([A-Z][a-z]+)([A-Z].*)$/.exec(type) ?? [];
  return rest !== undefined && verbs.has(verb) ? rest : type;
}

/**
 * The JSON Pointer of an id in the REST response, without its first slash: in lists that of the first item. REST
 * answers with the items of a page.
 */
export function resultPointer(schema: GqlSchema, { producer: operation, path }: IdLink): string {
  const segments: string[] = [];
  let type: TypeRef | undefined = answerType(operation);
  for (const name of operation.page === undefined ? path : path.slice(1)) {
    for (let bare = type && nullable(type); bare?.kind === 'list'; bare = nullable(bare.of)) segments.push('0');
    segments.push(name);
    type = (type === undefined ? [] : objectFields(schema, baseName(type))).find((field) => field.name === name)?.type;
  }
  return segments.join('/');
}
