import { defaultSelection, type Selection } from '../../compiler/api/selection.js';
import { appendTo, remember } from '../../compiler/graph/maps.js';
import { baseName } from '../../compiler/graph/type-ref.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { routeCoordinate } from '../../compiler/schema/route-path.js';
import { indexSchema, inputTypeRef, memberNames, objectFields } from '../../compiler/schema/schema-index.js';
import type { ChangeReach, Touch } from './model/change.js';

/** The maximum number of types visited for all changes together; then the reach is cut off. */
const stepBudget = 20_000_000;

/**
 * Creates the finder of the reach of changes in one schema. It follows a type upwards: to the types with a field of it, to the unions with it
 * as a member, and finally to the operations that take or return one of those.
 *
 * @param limit the maximum number of operations listed for one change; in a dense schema the total would otherwise
 *   be the product of changes and operations
 */
export function createReachFinder(schema: GqlSchema, limit: number) {
  const graph = buildReferences(schema);
  const all = allOperations(schema);
  const rank = new Map(all.map((operation, at) => [operation, at]));
  const inOrder = (operations: Iterable<GqlOperation>) =>
    [...new Set(operations)].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
  const through = new Map<string, ReturnType<typeof follow>>();
  let steps = stepBudget;
  const walk = (type: string) => {
    const found = indexSchema(schema).types.get(type);
    // A fragment on an abstract type is valid wherever one of its members is returned.
    const reached = follow(graph, [type, ...(found === undefined ? [] : memberNames(found))], limit, steps);
    steps -= reached.steps;
    return reached;
  };
  return (touch: Touch): ChangeReach => {
    if ('operations' in touch) {
      const named = touch.operations.slice(0, limit);
      return listReach(named, named, named.length === touch.operations.length, touch.restOnly);
    }
    const { taking, giving, isComplete } = remember(through, touch.type, () => walk(touch.type));
    const operations = inOrder([...taking, ...giving]);
    const requested = operations.filter(
      (operation) =>
        taking.has(operation) ||
        selects(schema, defaultSelection(schema, operation.type), touch) ||
        (touch.field === undefined && baseName(operation.type) === touch.type),
    );
    return listReach(operations, requested, isComplete);
  };
}

type TouchedType = Extract<Touch, { readonly type: string }>;

type References = ReturnType<typeof buildReferences>;

function buildReferences(schema: GqlSchema) {
  const holders = new Map<string, string[]>();
  const taking = new Map<string, GqlOperation[]>();
  const giving = new Map<string, GqlOperation[]>();
  for (const { name, fields } of [...schema.objects, ...(schema.interfaces ?? [])]) {
    for (const { type, arguments: args = [] } of fields) {
      appendTo(holders, baseName(type), name);
      for (const argument of args) appendTo(holders, baseName(inputTypeRef(schema, argument.type)), name);
    }
  }
  for (const { name, fields } of schema.inputs)
    for (const { type } of fields) appendTo(holders, baseName(inputTypeRef(schema, type)), name);
  for (const { name, interfaces = [] } of schema.objects)
    for (const holder of interfaces) appendTo(holders, name, holder);
  for (const { name, members } of schema.unions) for (const member of members) appendTo(holders, member, name);
  for (const operation of allOperations(schema)) {
    appendTo(giving, baseName(operation.type), operation);
    const thrown = schema.problems?.filter(({ name }) => operation.throws?.includes(name)) ?? [];
    for (const { name, fields } of thrown)
      for (const given of [name, ...fields.map(({ type }) => baseName(type))]) appendTo(giving, given, operation);
    for (const { type } of operation.arguments) appendTo(taking, baseName(inputTypeRef(schema, type)), operation);
  }
  return { holders, taking, giving };
}

/**
 * The operations that take types and those that return them, also nested in others, the nearest first. One walk upwards
 * serves both positions: inputs never hold objects, and objects hold inputs in arguments only.
 */
function follow({ holders, taking, giving }: References, types: readonly string[], limit: number, budget: number) {
  const names = new Set(types);
  const takers = new Set<GqlOperation>();
  const givers = new Set<GqlOperation>();
  let steps = 0;
  // Iterating a set also visits the items that are added meanwhile.
  for (const name of names) {
    steps += 1;
    for (const operation of taking.get(name) ?? []) takers.add(operation);
    for (const operation of giving.get(name) ?? []) givers.add(operation);
    for (const holder of holders.get(name) ?? []) names.add(holder);
    if (takers.size + givers.size > limit || steps > budget) break;
  }
  const isComplete = steps === names.size && takers.size + givers.size <= limit;
  const cut = (found: ReadonlySet<GqlOperation>) => new Set([...found].slice(0, limit));
  return { taking: cut(takers), giving: cut(givers), isComplete, steps };
}

/** Whether a selection reads a type, or a field of it. */
function selects(schema: GqlSchema, selection: Selection | undefined, touch: TouchedType): boolean {
  if (selection === undefined) return false;
  const { type, fields, members } = selection;
  if (type === touch.type && (touch.field === undefined || fields.some(({ name }) => name === touch.field)))
    return true;
  return (
    members.some(({ selection: member }) => selects(schema, member, touch)) ||
    fields.some(({ name, selection: inner }) => {
      if (inner !== undefined) return selects(schema, inner, touch);
      // An enum or a scalar has no selection of its own.
      const leaf = objectFields(schema, type).find((field) => field.name === name)?.type;
      return leaf !== undefined && baseName(leaf) === touch.type;
    })
  );
}

function listReach(
  operations: readonly GqlOperation[],
  requested: readonly GqlOperation[],
  isComplete: boolean,
  restOnly = false,
): ChangeReach {
  const ofKind = (kind: GqlOperation['kind']) => operations.filter((operation) => operation.kind === kind);
  const [queries, mutations, streams] = [ofKind('query'), ofKind('mutation'), ofKind('subscription')];
  const names = (list: readonly GqlOperation[]) => list.map(({ name }) => name);
  const requests = requested.filter(({ kind }) => kind !== 'subscription').map(({ name }) => name);
  return {
    queries: restOnly ? [] : names(queries),
    mutations: restOnly ? [] : names(mutations),
    subscriptions: restOnly ? [] : names(streams),
    routes: [...queries, ...mutations, ...streams].map(routeCoordinate),
    requests: [
      ...requests.map((name) => `REST / ${name}`),
      ...(restOnly ? [] : requests.map((name) => `GraphQL / ${name}`)),
      ...requested.filter(({ kind }) => kind === 'subscription').map(({ name }) => `Events / ${name}`),
    ],
    isComplete,
  };
}
