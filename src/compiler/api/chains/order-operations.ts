import { remember } from '../../graph/maps.js';
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
  const nodes = new Map<string, Step>();
  const nodeStep = (id: string): Step => remember(nodes, id, () => newStep(undefined));
  const steps = new Map<GqlOperation, Step>();
  for (const operation of [...schema.mutations, ...schema.queries]) steps.set(operation, newStep(operation));

  for (const [operation, step] of steps) {
    for (const { from, to } of operation.edges) {
      for (const source of from) step.before.push(nodeStep(source));
      nodeStep(to).before.push(step);
    }
    for (const producer of producersOf(operation)) step.before.push(steps.get(producer) ?? step);
  }
  for (const { edges } of [...schema.unions, ...schema.subscriptions]) {
    for (const { from, to } of edges) for (const source of from) nodeStep(to).before.push(nodeStep(source));
  }
  const ordered: GqlOperation[] = [];
  for (const step of steps.values()) place(step, ordered);
  return ordered;
}

function newStep(operation: GqlOperation | undefined): Step {
  return { operation, before: [], state: 'new' };
}

/** An operation, or a node between operations. */
interface Step {
  readonly operation: GqlOperation | undefined;
  readonly before: Step[];
  state: 'new' | 'entered' | 'placed';
}

/** Adds a step after everything that it depends on. A stack in place of recursion, because a chain may be long. */
function place(last: Step, ordered: GqlOperation[]): void {
  const stack = [last];
  for (let step = stack.at(-1); step !== undefined; step = stack.at(-1)) {
    if (step.state === 'new') {
      step.state = 'entered';
      for (let at = step.before.length - 1; at >= 0; at--) {
        const before = step.before[at];
        if (before?.state === 'new') stack.push(before);
      }
      continue;
    }
    stack.pop();
    if (step.state === 'placed') continue;
    step.state = 'placed';
    if (step.operation !== undefined) ordered.push(step.operation);
  }
}
