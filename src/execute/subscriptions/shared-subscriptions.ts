import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import type { ErrorMask } from '../errors/mask-errors.js';
import { BoundedQueue } from '../events/bounded-queue.js';
import { ForkSource, type ForkStep, maxWaitingEvents } from '../events/fork-source.js';
import { runWithin } from '../limits/deadline.js';
import { isPlainData } from '../values/plain-data.js';
import { createSharingKeys } from './sharing-key.js';

/** Starts subscriptions to events of FORK edges. */
export type SubscriptionStarter = (
  args: ExecutionArgs,
) => Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;

/**
 * Makes what serves subscriptions to FORK edges. Subscribers who ask for the same, by the same document with
 * the same variables, are served together: an event is filtered and executed once for all of them, and they
 * are given one and the same result.
 *
 * @param usesContext - Whether what a subscription answers can depend on the context, by the name of its
 * field; then only those with the same context ask for the same.
 * @param timeout - How long an event may be worked on, in milliseconds.
 * @param open - Where each subscription is as long as it is open.
 */
export function createSharedSubscriptions(
  schema: GraphQLSchema,
  mask: ErrorMask,
  usesContext: (subscription: string) => boolean,
  timeout: number,
  open: Set<{ end(): void }>,
): SubscriptionStarter {
  const keyOf = createSharingKeys(usesContext);
  const groups = new Map<string, Promise<Group | ExecutionResult>>();

  return async (given) => {
    const args = { ...given, schema };
    const key = keyOf(args);
    const known = key === undefined ? undefined : groups.get(key);
    // A group that is there may have come to its end in the meantime.
    const joined = known === undefined ? undefined : await known;
    if (joined instanceof Group && joined.isOpen) return joined.join(args.contextValue);

    const opening = openGroup(args, mask, timeout, open, () => {
      if (key !== undefined && groups.get(key) === opening) groups.delete(key);
    });
    if (key !== undefined) groups.set(key, opening);
    const opened = await opening;
    if (opened instanceof Group) return opened.join(args.contextValue);
    if (key !== undefined && groups.get(key) === opening) groups.delete(key);
    return mask.result(opened, args.document);
  };
}

async function openGroup(
  args: ExecutionArgs,
  mask: ErrorMask,
  timeout: number,
  open: Set<{ end(): void }>,
  onEnd: () => void,
): Promise<Group | ExecutionResult> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  if (!(source instanceof ForkSource)) throw new Error('invariant: a FORK gives a source of its own');
  return new Group(source, args, mask, timeout, open, onEnd);
}

/** A subscriber of a group. */
interface Member {
  readonly results: BoundedQueue<ExecutionResult>;
  readonly context: unknown;
  /** How many events had come in when he joined: those are not for him. */
  readonly joinedAt: number;
}

/** Those who are served by one execution of each event. */
class Group {
  isOpen = true;
  readonly #source: ForkSource;
  readonly #args: ExecutionArgs;
  readonly #mask: ErrorMask;
  readonly #timeout: number;
  readonly #open: Set<{ end(): void }>;
  readonly #onEnd: () => void;
  readonly #members = new Set<Member>();
  /** Whether all members have one context. */
  #hasOneContext = true;
  /** How many events have been worked off. */
  #handled = 0;

  constructor(
    source: ForkSource,
    args: ExecutionArgs,
    mask: ErrorMask,
    timeout: number,
    open: Set<{ end(): void }>,
    onEnd: () => void,
  ) {
    this.#source = source;
    this.#open = open;
    this.#args = args;
    this.#mask = mask;
    this.#timeout = timeout;
    this.#onEnd = onEnd;
    void this.#work();
  }

  join(context: unknown): AsyncGenerator<ExecutionResult, void, void> {
    const results = new BoundedQueue<ExecutionResult>(maxWaitingEvents, tooSlow, () => this.#leave(member));
    const member: Member = { results, context, joinedAt: this.#source.received };
    if (context !== this.#args.contextValue) this.#hasOneContext = false;
    this.#members.add(member);
    this.#open.add(results);
    return results;
  }

  #leave(member: Member): void {
    this.#members.delete(member);
    this.#open.delete(member.results);
    if (this.#members.size === 0) this.#close();
  }

  #close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#onEnd();
    void this.#source.return();
  }

  async #work(): Promise<void> {
    for await (const step of this.#source) {
      const members = [...this.#members].filter(({ joinedAt }) => joinedAt <= this.#handled);
      this.#handled += 1;
      try {
        await this.#deliver(step, members);
      } catch (error) {
        // An event can be anything, and may throw when it is looked at; those who wait for it hear so.
        const result = { errors: [this.#mask.thrown(error)] };
        for (const { results } of members) results.push(result);
      }
    }
    for (const { results } of this.#members) results.end();
    this.#close();
  }

  /** Another context makes no difference to data; but a method of an event would be called with it. */
  async #deliver(step: ForkStep, members: readonly Member[]): Promise<void> {
    if (step === 'overflow') {
      for (const { results } of this.#members) results.push(tooSlow());
    } else if (this.#hasOneContext || isPlainData(step.payload)) {
      await this.#deliverTo(members, step.payload, this.#args.contextValue);
    } else {
      for (const member of members) await this.#deliverTo([member], step.payload, member.context);
    }
  }

  async #deliverTo(members: readonly Member[], payload: unknown, contextValue: unknown): Promise<void> {
    const { filter } = this.#source;
    // One event that does not come to an end must not hold up all that follow.
    const executed = await runWithin({ timeout: this.#timeout }, async () => {
      if (filter !== undefined && !(await filter(payload, contextValue))) return undefined;
      return execute({ ...this.#args, rootValue: payload, contextValue });
    });
    if (executed === undefined) return;
    const result = this.#mask.result(executed, this.#args.document);
    for (const { results } of members) results.push(result);
  }
}

/** The last result of a subscriber for whom too many results wait. */
function tooSlow(): ExecutionResult {
  const message = `The subscription ends here: ${maxWaitingEvents} events were waiting when one more came.`;
  return { errors: [new GraphQLError(message, { extensions: { code: 'SUBSCRIBER_TOO_SLOW' } })] };
}
