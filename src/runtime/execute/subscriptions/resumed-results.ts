import type { ExecutionResult } from 'graphql';
import type { LoggedStep, ResumableBacklog } from '../../brokers/event-log.js';
import type { ErrorMask } from '../errors/mask-errors.js';
import { EndableResults } from './endable-results.js';
import type { Group, SubscriberQueue } from './group.js';
import { eventsOfResults, type ServedSubscription } from './results.js';

interface Settings {
  readonly context: unknown;
  readonly mask: ErrorMask;
  readonly open: Set<ServedSubscription>;
  rejoin(): Promise<Group | ExecutionResult>;
}

/**
 * The results of a subscriber that continues after an event: first what the log keeps, then the next events. The log is
 * read as fast as the subscriber reads. At its end, the subscriber joins the group and reads the log once more: what
 * came before it joined is in the log, what comes after it is in its queue, and what is in both is dropped from the
 * queue.
 */
export class ResumedResults extends EndableResults implements ServedSubscription {
  readonly subscription: string;
  #pending: LoggedStep[] = [];
  #live: SubscriberQueue | undefined;
  /** Whether it waits for the next event, because it has given all that were read. */
  #isUpToDate = false;
  #release: () => void;
  #tellCaughtUp: () => void = () => undefined;
  readonly caughtUp: Promise<void>;

  constructor(
    private group: Group,
    private readonly backlog: ResumableBacklog,
    private readonly settings: Settings,
  ) {
    super(settings.mask);
    this.subscription = group.subscription;
    this.#release = group.hold();
    settings.open.add(this);
    this.caughtUp = new Promise((resolve) => {
      this.#tellCaughtUp = resolve;
    });
  }

  get waiting(): number {
    return this.#pending.length + (this.#live?.waiting ?? 0);
  }

  get waitingSince(): number | undefined {
    return this.#live?.waitingSince;
  }

  override get isCut(): boolean {
    return super.isCut || this.#live?.isCut === true;
  }

  get idleId(): string | undefined {
    return this.#isUpToDate ? this.#live?.idleId : undefined;
  }

  protected async make(): Promise<ExecutionResult | undefined> {
    while (!this.hasEnded) {
      const step = this.#pending.shift();
      if (step !== undefined) {
        await replayTurn();
        const result = await this.#resultOf(step);
        if (result !== undefined) return result;
      } else if (this.#live === undefined) {
        // A page may have no event of the subscription.
        await replayTurn();
        await this.#readOn();
      } else {
        this.#isUpToDate = true;
        if (this.#live.waiting === 0) this.#tellCaughtUp();
        const { done, value } = await this.#live.next();
        this.#isUpToDate = false;
        if (done === true) return undefined;
        const place = eventsOfResults.get(value)?.place;
        if (place === undefined || !this.backlog.isPast(place)) return value;
      }
    }
    return undefined;
  }

  async #resultOf(step: LoggedStep): Promise<ExecutionResult | undefined> {
    const { context, mask } = this.settings;
    try {
      return await this.group.resultOf(step, context, 1);
    } catch (error) {
      // Reading an event may throw; the next one follows.
      return { errors: [mask.thrown(error)] };
    }
  }

  async #readOn(): Promise<void> {
    const page = await this.backlog.read();
    this.#pending = page.steps;
    if (!page.isAtEnd) return;
    await this.#join();
    if (this.#live === undefined) return;
    const seam = await this.backlog.read();
    this.#pending.push(...seam.steps);
    if (!seam.isAtEnd) this.#leave();
  }

  async #join(): Promise<void> {
    const { settings } = this;
    const group = this.group.isOpen ? this.group : await settings.rejoin();
    if (!('join' in group)) throw group.errors?.[0];
    if (this.hasEnded) {
      // One that was opened for this subscriber has no members.
      group.hold()();
      return;
    }
    this.group = group;
    this.#live = group.join(settings.context);
    this.#release();
    // The queue takes its place.
    settings.open.delete(this);
  }

  /** Too many events came in the meantime: they are read from the log. */
  #leave(): void {
    this.#release = this.group.hold();
    this.settings.open.add(this);
    const live = this.#live;
    this.#live = undefined;
    void live?.return();
  }

  protected ended(isEarly: boolean): void {
    this.settings.open.delete(this);
    this.#release();
    if (isEarly) void this.#live?.return();
  }
}

/** The number of events that all replays of a process may read before it handles its connections again. */
const eventsOfTurn = 25;

let read = 0;
let turn: Promise<void> | undefined;

/**
 * Counts an event that is replayed from a log. A log in memory answers at once, so many clients that resume would keep the
 * process from everything else: all replays share what one turn of the event loop has room for, and take turns.
 */
async function replayTurn(): Promise<void> {
  while (read >= eventsOfTurn) {
    turn ??= new Promise((resolve) => {
      nextTurn(() => {
        read = 0;
        turn = undefined;
        resolve();
      });
    });
    await turn;
  }
  read += 1;
}

/** Workers have no `setImmediate`. */
function nextTurn(callback: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(callback);
  else setTimeout(callback, 0);
}
