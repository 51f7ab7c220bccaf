import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { runWithin } from '../../limits/deadline.js';
import { isPlainData } from '../../values/plain-data.js';
import type { ErrorMask } from '../errors/mask-errors.js';
import { BoundedQueue } from '../events/bounded-queue.js';
import { eventsLost, ForkSource, type ForkStep, maxWaitingEvents } from '../events/fork-source.js';
import { openEventStream } from '../graphql-js/releases.js';
import type { ServedSubscription } from './served-subscription.js';
import { createSharingKeys } from './sharing-key.js';

/** Starts a subscription: returns its results, or the errors if it did not start. */
export type SubscriptionStarter = (
  args: ExecutionArgs,
) => Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;

/**
 * Serves subscriptions to FORK edges. Subscribers with the same document and variables form a group: an event is
 * filtered and executed once for the group, and all its members get the same result object.
 *
 * @param usesContext - Whether the results of a subscription can depend on the context, by the name of its field. If
 * so, only subscribers with the same context form a group.
 * @param timeout - How long the execution of an event may take, in milliseconds.
 * @param open - The set of open subscriptions, which is kept up to date.
 */
export function createSharedSubscriptions(
  schema: GraphQLSchema,
  mask: ErrorMask,
  usesContext: (subscription: string) => boolean,
  timeout: number,
  open: Set<ServedSubscription>,
): SubscriptionStarter {
  const keyOf = createSharingKeys(usesContext);
  const groups = new Map<string, Promise<Group | ExecutionResult>>();

  return async (given) => {
    const args = { ...given, schema };
    const key = keyOf(args);
    const known = key === undefined ? undefined : groups.get(key);
    // The group may have ended in the meantime.
    const joined = known === undefined ? undefined : await known;
    if (joined instanceof Group && joined.isOpen) return joined.join(args.contextValue);

    const opening = openGroup(args, mask, timeout, open, () => {
      if (key !== undefined && groups.get(key) === opening) groups.delete(key);
    });
    if (key !== undefined) groups.set(key, opening);
    const opened = await opening;
    if (opened instanceof Group) return opened.join(args.contextValue);
    if (key !== undefined && groups.get(key) === opening) groups.delete(key);
    return mask.result(opened, args);
  };
}

async function openGroup(
  args: ExecutionArgs,
  mask: ErrorMask,
  timeout: number,
  open: Set<ServedSubscription>,
  onEnd: () => void,
): Promise<Group | ExecutionResult> {
  const source = await openEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  if (!(source instanceof ForkSource)) throw new Error('invariant: a FORK gives a source of its own');
  return new Group(source, args, mask, timeout, open, onEnd);
}

interface Member {
  readonly results: SubscriberQueue;
  readonly context: unknown;
  /** The number of events received before it joined, which it does not get. */
  readonly joinedAt: number;
}

/** Subscribers that share one execution of each event. */
class Group {
  isOpen = true;
  readonly #members = new Set<Member>();
  #hasOneContext = true;
  /** The number of events executed so far. */
  #handled = 0;

  constructor(
    private readonly source: ForkSource,
    private readonly args: ExecutionArgs,
    private readonly mask: ErrorMask,
    private readonly timeout: number,
    private readonly open: Set<ServedSubscription>,
    private readonly onEnd: () => void,
  ) {
    void this.#work();
  }

  join(context: unknown): AsyncGenerator<ExecutionResult, void, void> {
    const { name } = this.source.field;
    const results = new SubscriberQueue(name, maxWaitingEvents, this.#tooSlow, () => this.#leave(member));
    const member: Member = { results, context, joinedAt: this.source.received };
    if (context !== this.args.contextValue) this.#hasOneContext = false;
    this.#members.add(member);
    this.open.add(results);
    return results;
  }

  /** The last result of a subscriber whose queue overflowed. */
  readonly #tooSlow = (): ExecutionResult => ({ errors: [this.source.tooSlow()] });

  #leave(member: Member): void {
    this.#members.delete(member);
    this.open.delete(member.results);
    if (this.#members.size === 0) this.#close();
  }

  #close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.onEnd();
    void this.source.return();
  }

  async #work(): Promise<void> {
    for await (const step of this.source) {
      const members = [...this.#members].filter(({ joinedAt }) => joinedAt <= this.#handled);
      this.#handled += 1;
      try {
        await this.#deliver(step, members);
      } catch (error) {
        // Reading an event may throw; its subscribers get the error.
        const result = { errors: [this.mask.thrown(error)] };
        for (const { results } of members) results.push(result);
      }
    }
    for (const { results } of this.#members) results.end();
    this.#close();
  }

  /** Plain data does not depend on the context, but methods of an event are called with it. */
  async #deliver(step: ForkStep, members: readonly Member[]): Promise<void> {
    if (step === 'overflow') {
      for (const { results } of this.#members) results.push(this.#tooSlow());
    } else if ('missing' in step) {
      for (const { results } of members) results.push({ errors: [eventsLost(step.missing)] });
    } else if (this.#hasOneContext || isPlainData(step.payload)) {
      await this.#deliverTo(members, step.payload, this.args.contextValue);
    } else {
      for (const member of members) await this.#deliverTo([member], step.payload, member.context);
    }
  }

  async #deliverTo(members: readonly Member[], payload: unknown, contextValue: unknown): Promise<void> {
    const { filter } = this.source;
    // An event whose execution never ends must not block the events after it.
    const executed = await runWithin({ timeout: this.timeout }, async () => {
      if (filter !== undefined && !(await filter(payload, contextValue))) return undefined;
      return execute({ ...this.args, rootValue: payload, contextValue });
    });
    if (executed === undefined) return;
    const result = this.mask.result(executed, this.args);
    for (const { results } of members) results.push(result);
    this.source.delivered(payload, members.length);
  }
}

/** The results for one subscriber. */
class SubscriberQueue extends BoundedQueue<ExecutionResult> implements ServedSubscription {
  constructor(
    readonly subscription: string,
    ...queue: ConstructorParameters<typeof BoundedQueue<ExecutionResult>>
  ) {
    super(...queue);
  }
}
