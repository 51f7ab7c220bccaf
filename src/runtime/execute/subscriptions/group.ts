import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { consuming } from '../../../base/tracing/event-spans.js';
import { isTracing, withSvcSpan } from '../../../base/tracing/svc-tracing.js';
import { activeTraceparent, withTraceparent } from '../../../base/tracing/trace-context.js';
import { BoundedQueue } from '../../../base/values/bounded-queue.js';
import { isPlainData } from '../../../base/values/plain-data.js';
import type { LoggedStep, ResumableBacklog } from '../../brokers/event-log.js';
import { runWithin } from '../../limits/deadline.js';
import type { ErrorMask } from '../errors/mask-errors.js';
import { eventsLost, eventsNotKept, ForkSource, type ForkStep, maxWaitingEvents } from '../events/fork-source.js';
import { openEventStream } from '../graphql-js/releases.js';
import { eventRoot } from '../resolvers/operation-root.js';
import { eventsOfResults, type Results, type ServedSubscription } from './results.js';

interface GroupSettings {
  readonly mask: ErrorMask;
  readonly timeout: number;
  readonly open: Set<ServedSubscription>;
  readonly showsIds: boolean;
}

export async function openGroup(args: ExecutionArgs, settings: GroupSettings, onEnd: () => void) {
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
  #isDelivering = false;
  /** The number of subscribers that will join. */
  #held = 0;
  readonly #opener = activeTraceparent();

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

  async readAfter(id: string): Promise<ResumableBacklog> {
    const { log } = this.source.hub;
    if (log === undefined) throw eventsNotKept(this.subscription);
    return log.readAfter(id, this.subscription);
  }

  join(context: unknown): SubscriberQueue {
    const leave = () => this.#leave(member);
    const results = new SubscriberQueue(this, maxWaitingEvents, this.#tooSlow, leave);
    const member: Member = { results, context, joinedAt: this.source.received };
    if (context !== this.args.contextValue) this.#hasOneContext = false;
    this.#members.add(member);
    this.settings.open.add(results);
    return results;
  }

  /** The id of the last event that the group was given; undefined without a log. */
  get latestId(): string | undefined {
    return this.source.hub.log?.latestId;
  }

  /** Whether its members were given all events. */
  get isIdle(): boolean {
    return !this.#isDelivering && this.source.waiting === 0;
  }

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
      this.#isDelivering = true;
      try {
        await this.#deliver(step, members);
      } catch (error) {
        // Reading an event may throw; its subscribers get the error.
        const result = { errors: [this.settings.mask.thrown(error)] };
        for (const { results } of members) results.push(result);
      }
      this.#isDelivering = false;
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
  async resultOf(step: LoggedStep, contextValue: unknown, subscribers: number) {
    if ('missing' in step) return { errors: [eventsLost(step.missing)] };
    if (!isTracing()) return this.#execute(step, contextValue, subscribers);
    const { system } = this.source.hub;
    const name = this.subscription;
    // The event belongs to the trace of what published it.
    return withTraceparent(step.traceparent, () =>
      withSvcSpan(
        `deliver ${name}`,
        () => this.#execute(step, contextValue, subscribers),
        consuming(system, name, subscribers, this.#opener),
      ),
    );
  }

  async #execute(
    step: Extract<LoggedStep, { readonly payload: unknown }>,
    contextValue: unknown,
    subscribers: number,
  ): Promise<ExecutionResult | undefined> {
    const { filter } = this.source;
    const { payload, place } = step;
    const { mask, timeout, showsIds } = this.settings;
    // An event whose execution never ends must not block the events after it.
    const executed = await runWithin({ timeout }, async () => {
      if (filter !== undefined && !(await filter(payload, contextValue))) return undefined;
      return execute({ ...this.args, rootValue: eventRoot(this.args.rootValue, payload), contextValue });
    });
    if (executed === undefined) return undefined;
    const masked = mask.result(executed, this.args);
    const isShown = showsIds && place !== undefined;
    const result = isShown ? { ...masked, extensions: { ...masked.extensions, eventId: place.id } } : masked;
    eventsOfResults.set(result, step);
    this.source.delivered(payload, subscribers);
    return result;
  }
}

export class SubscriberQueue extends BoundedQueue<ExecutionResult> implements ServedSubscription, Results {
  readonly subscription: string;
  readonly openingId: string | undefined;
  isCut = false;

  constructor(
    private readonly group: Group,
    ...queue: ConstructorParameters<typeof BoundedQueue<ExecutionResult>>
  ) {
    super(...queue);
    this.subscription = group.subscription;
    this.openingId = group.latestId;
  }

  cut(): void {
    this.isCut = true;
    this.end();
  }

  get idleId(): string | undefined {
    return this.waiting === 0 && this.group.isIdle ? this.group.latestId : undefined;
  }
}
