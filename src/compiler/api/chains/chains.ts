import { appendTo } from '../../graph/maps.js';
import { feedsOf } from '../../schema/fed-subscriptions.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { findIdLinks, type IdLink, type IdLinks } from './id-links.js';
import { type LinkedArguments, linkArguments } from './linked-arguments.js';
import { afterOthers, orderOperations } from './order-operations.js';

/**
 * Operations that lead to one, its goal: each gives ids that later ones take. `createUser` → `placeOrder` is the chain of
 * `placeOrder`, if that takes the id of a user.
 */
export interface Chain {
  /** The operation that it leads to, which is its last step. The chain has its name. */
  readonly goal: GqlOperation;
  /** At least the goal, at most `longestChain` operations. No operation occurs twice. */
  readonly steps: readonly ChainStep[];
  /** Whether more operations lead to the goal. The ids that they give are examples; absent if all of them are steps. */
  readonly isCut?: true;
}

/** The length of the longest chain: longer ones would be of no use, and all chains together larger than any schema. */
export const longestChain = 24;

export interface ChainStep {
  readonly operation: GqlOperation;
  /** Its arguments. They take ids of earlier steps only; the rest are examples. */
  readonly call: LinkedArguments;
  /** The subscriptions that get its result as an event. */
  readonly events: readonly GqlOperation[];
}

/**
 * Finds the chains of a schema. The goals are the operations whose ids no other operation takes; and, so that every
 * operation is part of a chain, one of each cycle. Goals are in an order in which their chains can run one after another.
 *
 * @param write - What stands in the arguments for an id of an earlier step.
 */
export function findChains(schema: GqlSchema, write: (link: IdLink) => string): readonly Chain[] {
  const links = findIdLinks(schema);
  const producers = new Map<GqlOperation, readonly GqlOperation[]>();
  for (const operation of [...schema.mutations, ...schema.queries]) {
    const { reads } = linkArguments(schema, operation, links, write);
    producers.set(operation, [...new Set([...reads.keys()].map(({ producer }) => producer))]);
  }
  const producersOf = (operation: GqlOperation) => producers.get(operation) ?? [];
  const events = eventsOfMutations(schema);

  const chainOf = (goal: GqlOperation): Chain => {
    const steps: ChainStep[] = [];
    const before = new Set<GqlOperation>();
    const known = (link: IdLink | undefined) => (link && before.has(link.producer) ? link : undefined);
    const earlier: IdLinks = {
      forArgument: (...asked) => known(links.forArgument(...asked)),
      forField: (...asked) => known(links.forField(...asked)),
    };
    const near = nearest(goal, producersOf);
    const within = (operation: GqlOperation) => producersOf(operation).filter((one) => near.has(one));
    for (const operation of afterOthers([goal], within)) {
      const published = operation.kind === 'mutation' ? (events.get(operation.name) ?? []) : [];
      steps.push({ operation, call: linkArguments(schema, operation, earlier, write), events: published });
      before.add(operation);
    }
    const isCut = [...near].some((operation) => producersOf(operation).some((one) => !near.has(one)));
    return isCut ? { goal, steps, isCut } : { goal, steps };
  };

  const taken = new Set([...producers].flatMap(([operation, all]) => all.filter((one) => one !== operation)));
  const ordered = orderOperations(schema, producersOf);
  const chains = new Map<GqlOperation, Chain>();
  const covered = new Set<GqlOperation>();
  const add = (goal: GqlOperation): void => {
    const chain = chainOf(goal);
    chains.set(goal, chain);
    for (const { operation } of chain.steps) covered.add(operation);
  };
  for (const operation of ordered) if (!taken.has(operation)) add(operation);
  for (const operation of ordered.toReversed()) if (!covered.has(operation)) add(operation);
  return ordered.flatMap((operation) => chains.get(operation) ?? []);
}

/** The goal and the operations whose ids lead to it, those over the fewest others first, up to the longest chain. */
function nearest(goal: GqlOperation, producersOf: (operation: GqlOperation) => readonly GqlOperation[]) {
  const found = new Set([goal]);
  for (const operation of found)
    for (const producer of producersOf(operation)) if (found.size < longestChain) found.add(producer);
  return found;
}

/**
 * The subscriptions that a mutation publishes to, by the name of the mutation: those with a FORK edge that starts at
 * the target of one of its FOLD edges. Mutations without subscriptions are not in the table.
 */
export function eventsOfMutations(schema: GqlSchema): ReadonlyMap<string, readonly GqlOperation[]> {
  const feeding = feedsOf(schema);
  const table = new Map<string, GqlOperation[]>();
  for (const subscription of schema.subscriptions)
    for (const { name } of feeding(subscription)) appendTo(table, name, subscription);
  return table;
}
