import { appendTo } from '../../graph/maps.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';

/**
 * The queries and mutations in an order in which they can run one after another: operations to a node come before
 * operations from it, and the source of an id before its users. Where the topology sets no order, mutations come
 * first, so that queries find data, then the order of the source applies. A cycle starts at its first element in
 * this order.
 *
 * @param producersOf - The operations whose ids an operation sends.
 */
export function orderOperations(
  schema: GqlSchema,
  producersOf: (operation: GqlOperation) => readonly GqlOperation[],
): GqlOperation[] {
  const operations = [...schema.mutations, ...schema.queries];
  /** The operations before an operation, or before a node between operations. */
  const before = new Map<GqlOperation | string, (GqlOperation | string)[]>();
  for (const operation of operations) {
    for (const { from, to } of operation.edges) {
      for (const source of from) appendTo(before, operation, source);
      appendTo(before, to, operation);
    }
    for (const producer of producersOf(operation)) appendTo(before, operation, producer);
  }
  for (const { edges } of [...schema.unions, ...schema.subscriptions])
    for (const { from, to } of edges) for (const source of from) appendTo(before, to, source);
  const ordered = afterOthers<GqlOperation | string>(operations, (step) => before.get(step) ?? []);
  return ordered.filter((step) => typeof step !== 'string');
}

/**
 * Steps and everything that comes before them, each once and after what comes before it. A cycle starts at the step at
 * which it is entered. A stack in place of recursion, because a chain may be long.
 */
export function afterOthers<Step>(steps: readonly Step[], before: (step: Step) => readonly Step[]): Step[] {
  const entered = new Set<Step>();
  const placed = new Set<Step>();
  const stack = steps.toReversed();
  for (let step = stack.at(-1); step !== undefined; step = stack.at(-1)) {
    if (entered.has(step)) {
      stack.pop();
      placed.add(step);
    } else {
      entered.add(step);
      for (const one of before(step).toReversed()) if (!entered.has(one)) stack.push(one);
    }
  }
  return [...placed];
}
