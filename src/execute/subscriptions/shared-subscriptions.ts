import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import type { Backlog, LoggedStep } from '../../brokers/event-log.js';
import { runWithin } from '../../limits/deadline.js';
import { isPlainData } from '../../values/plain-data.js';
import type { ErrorMask } from '../errors/mask-errors.js';
import { BoundedQueue } from '../events/bounded-queue.js';
import {
  eventsLost,
  eventsNotKept,
  ForkSource,
  type ForkStep,
  maxWaitingEvents,
  resumptionError,
} from '../events/fork-source.js';
import { openEventStream } from '../graphql-js/releases.js';
import { setPlace } from './event-id.js';
import { ResumedResults } from './resumed-results.js';
import type { Resumption } from './resumption.js';
import type { ServedSubscription } from './served-subscription.js';
import { createSharingKeys } from './sharing-key.js';

/** Starts a subscription: returns its results, or the errors if it did not start. */
export type SubscriptionStarter<Given extends unknown[] = []> = (
  args: ExecutionArgs,
  ...given: Given
) => Promise<AsyncGenerator<ExecutionResult, void, void> | ExecutionResult>;

/**
 * Serves subscriptions to FORK edges. Subscribers with the same document and variables form a group: an event is
 * filtered and executed once for the group, and all its members get the same result object. A subscriber that continues
 * after an event joins its group when it has read what the log keeps.
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
): SubscriptionStarter<[Resumption]> {
  const keyOf = createSharingKeys(usesContext);
  const groups = new Map<string, Promise<Group | ExecutionResult>>();

  const groupOf = async (
    args: ExecutionArgs,
    { variables, showsIds }: Resumption,
  ): Promise<Group | ExecutionResult> => {
    const key = keyOf({ ...args, variableValues: variables });
    const known = key === undefined ? undefined : groups.get(key);
    // The group may have ended in the meantime.
    const joined = known === undefined ? undefined : await known;
    if (joined instanceof Group && joined.isOpen) return joined;

    const opening = openGroup(args, { mask, timeout, open, showsIds }, () => {
      if (key !== undefined && groups.get(key) === opening) groups.delete(key);
    });
    if (key !== undefined) groups.set(key, opening);
    const opened = await opening;
    if (opened instanceof Group) return opened;
    if (key !== undefined && groups.get(key) === opening) groups.delete(key);
    return mask.result(opened, args);
  };

  return async (given, resumption) => {
    const args = { ...given, schema };
    const { after } = resumption;
    const group = await groupOf(args, resumption);
    if (!(group instanceof Group)) return group;
    if (after === undefined) return group.join(args.contextValue);
    const release = group.hold();
    try {
      const backlog = await group.readAfter(after);
      const rejoin = () => groupOf(args, resumption);
      return new ResumedResults(group, backlog, { context: args.contextValue, mask, open, rejoin });
    } catch (error) {
      return { errors: [resumptionError(error) ?? mask.thrown(error)] };
    } finally {
      release();
    }
  };
}

/** What the groups of a server have in common. */
interface GroupSettings {
  readonly mask: ErrorMask;
  readonly timeout: number;
  readonly open: Set<ServedSubscription>;
  /** See {@link Resumption.showsIds}. */
  readonly showsIds: boolean;
}

async function openGroup(
  args: ExecutionArgs,
  settings: GroupSettings,
  onEnd: () => void,
): Promise<Group | ExecutionResult> {
  const source = await openEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  if (!(source instanceof ForkSource)) throw new Error('invariant: a FORK gives a source of its own');
  return new Group(source, args, settings, onEnd);
}

interface Member {
  readonly results: SubscriberQueue;
  readonly context: unknown;
  /** The number of events received before it joined, which it does not get. */
  readonly joinedAt: number;
}

/** Subscribers that share one execution of each event. */
export class Group {
  isOpen = true;
  readonly #members = new Set<Member>();
  #hasOneContext = true;
  /** The number of events executed so far. */
  #handled = 0;
  /** The number of subscribers that will join. */
  #held = 0;

  constructor(
    private readonly source: ForkSource,
    private readonly args: ExecutionArgs,
    private readonly settings: GroupSettings,
    private readonly onEnd: () => void,
  ) {
    void this.#work();
  }

  get subscription(): string {
    return this.source.field.name;
  }

  /** Keeps the group open without members until the returned function is called. */
  hold(): () => void {
    this.#held += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#held -= 1;
      if (this.#members.size === 0) this.#close();
    };
  }

  /** Reads the events after one; throws if that cannot be done. */
  async readAfter(id: string): Promise<Backlog> {
    const { log } = this.source.hub;
    if (log === undefined) throw eventsNotKept(this.subscription);
    return log.readAfter(id, this.subscription);
  }

  join(context: unknown): SubscriberQueue {
    const results = new SubscriberQueue(this.subscription, maxWaitingEvents, this.#tooSlow, () =>
      this.#leave(member),
    );
    const member: Member = { results, context, joinedAt: this.source.received };
    if (context !== this.args.contextValue) this.#hasOneContext = false;
    this.#members.add(member);
    this.settings.open.add(results);
    return results;
  }

  /** The last result of a subscriber whose queue overflowed. */
  readonly #tooSlow = (): ExecutionResult => ({ errors: [this.source.tooSlow()] });

  #leave(member: Member): void {
    this.#members.delete(member);
    this.settings.open.delete(member.results);
    if (this.#members.size === 0) this.#close();
  }

  #close(): void {
    if (!this.isOpen || this.#held > 0) return;
    this.isOpen = false;
    this.onEnd();
    void this.source.return();
  }

  async #work(): Promise<void> {
    for await (const step of this.source) {
      const members = [...this.#members].filter(({ joinedAt }) => joinedAt <= this.#handled);
      this.#handled += 1;
      // Subscribers that will join read the event from the log.
      if (members.length === 0 && step !== 'overflow') continue;
      try {
        await this.#deliver(step, members);
      } catch (error) {
        // Reading an event may throw; its subscribers get the error.
        const result = { errors: [this.settings.mask.thrown(error)] };
        for (const { results } of members) results.push(result);
      }
    }
    for (const { results } of this.#members) results.end();
    this.#held = 0;
    this.#close();
  }

  /** Plain data does not depend on the context, but methods of an event are called with it. */
  async #deliver(step: ForkStep, members: readonly Member[]): Promise<void> {
    if (step === 'overflow') {
      for (const { results } of this.#members) results.push(this.#tooSlow());
    } else if ('missing' in step || this.#hasOneContext || isPlainData(step.payload)) {
      await this.#deliverTo(members, step, this.args.contextValue);
    } else {
      for (const member of members) await this.#deliverTo([member], step, member.context);
    }
  }

  async #deliverTo(members: readonly Member[], step: LoggedStep, contextValue: unknown): Promise<void> {
    const result = await this.resultOf(step, contextValue, members.length);
    if (result !== undefined) for (const { results } of members) results.push(result);
  }

  /** The result of an event for some subscribers; undefined if they do not get it. */
  async resultOf(
    step: LoggedStep,
    contextValue: unknown,
    subscribers: number,
  ): Promise<ExecutionResult | undefined> {
    if ('missing' in step) return { errors: [eventsLost(step.missing)] };
    const { filter } = this.source;
    const { payload, place } = step;
    const { mask, timeout, showsIds } = this.settings;
    // An event whose execution never ends must not block the events after it.
    const executed = await runWithin({ timeout }, async () => {
      if (filter !== undefined && !(await filter(payload, contextValue))) return undefined;
      return execute({ ...this.args, rootValue: payload, contextValue });
    });
    if (executed === undefined) return undefined;
    const masked = mask.result(executed, this.args);
    const isShown = showsIds && place !== undefined;
    const result = isShown ? { ...masked, extensions: { ...masked.extensions, eventId: place.id } } : masked;
    if (place !== undefined) setPlace(result, place);
    this.source.delivered(payload, subscribers);
    return result;
  }
}

/** The results for one subscriber. */
export class SubscriberQueue extends BoundedQueue<ExecutionResult> implements ServedSubscription {
  constructor(
    readonly subscription: string,
    ...queue: ConstructorParameters<typeof BoundedQueue<ExecutionResult>>
  ) {
    super(...queue);
  }
}
