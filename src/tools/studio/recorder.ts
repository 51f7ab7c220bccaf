import { SpanCollector } from '../../base/tracing/span-collector.js';
import { collectSpans } from '../../base/tracing/svc-tracing.js';
import { defined } from '../../base/values/defined.js';
import { isPromiseLike } from '../../base/values/maybe-promise.js';
import { rootTypeOf } from '../../compiler/api/operation-coordinate.js';
import type { Calls } from '../../runtime/call/calls.js';
import type { CallRecorder } from '../../runtime/http/telemetry/call-recorder.js';
import type { OperationLabel } from '../../runtime/http/telemetry/operation-labels.js';
import type { RecordedRun } from '../../runtime/http/telemetry/recorded-run.js';
import type { TrackedRequest } from '../../runtime/http/telemetry/tracked-request.js';
import { describeError } from '../../runtime/logs/describe-error.js';
import type { FollowedRun, RunNews } from '../../runtime/logs/monitor.js';
import { CallStore, keptCalls } from './call-store.js';
import { ChannelStates } from './channel-states.js';
import { EventTape } from './event-tape.js';
import type { Call, OperationStatistics, RaceResult, StudioMessage, SubscriptionGauge } from './protocol.js';
import { RunTrace } from './read-call.js';
import { RunList } from './run-list.js';
import { Statistics } from './statistics.js';

/** The intervals between messages, in milliseconds: in quiet times, and under load, where each message costs throughput. */
const intervals = { quiet: 100, load: 1000 } as const;

/** More calls per second than these are load. */
const quietRate = 100;

/**
 * How many more calls of an operation are recorded after each message, until there are as many as are kept. The others are
 * counted, and those with errors are recorded without spans: while spans are collected, Node.js calls a hook for each
 * promise of the process.
 */
const recordedAnew = 5;

/** The most calls that are recorded between two messages. */
const maxRecordings = 50;

const noGauges = JSON.stringify({ subscriptions: [], channels: [] });

const maxRaces = 200;

class CalledOperation {
  readonly statistics: Statistics;
  isNews = false;
  room = keptCalls;

  constructor(readonly coordinate: string) {
    this.statistics = new Statistics(coordinate);
  }
}

/**
 * Records the calls and events of the servers of a command, while a page is open, and sends them in batches. It outlives
 * its servers, so calls survive a reload of the topology.
 */
export class Recorder implements CallRecorder {
  isOn = false;
  readonly channels = new ChannelStates();
  readonly #collector = new SpanCollector();
  readonly #calls = new CallStore();
  readonly #tape = new EventTape();
  readonly #runs = new RunList();
  readonly #operations = new Map<string, CalledOperation>();
  #races: RaceResult[] = [];
  #executions: Calls[] = [];
  #gauges = '';
  #pages = 0;
  /** The number of calls since the timer was set. */
  #passed = 0;
  /** How many more calls are recorded before the next message. */
  #room = maxRecordings;
  #timer: NodeJS.Timeout | undefined;
  #tellRuns: (() => void) | undefined;

  constructor(private readonly send: (message: StudioMessage) => void) {}

  /** Records until the returned function is called. */
  open(): () => void {
    let isOpen = true;
    this.#pages += 1;
    if (!this.isOn) this.#start();
    this.tellPresent();
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#pages -= 1;
      if (this.#pages === 0) this.#stop();
    };
  }

  /** Sends messages about the present soon, for a page that has missed those before. */
  tellPresent(): void {
    this.#gauges = '';
    this.#tape.touch();
    this.#runs.touch();
    for (const operation of this.#operations.values()) operation.isNews = true;
  }

  /** The last calls of an operation, the newest first. */
  callsOf(coordinate: string): readonly Call[] {
    this.flush();
    return this.#calls.last(coordinate);
  }

  /** All calls that are kept, the oldest first. */
  allCalls(): readonly Call[] {
    this.flush();
    return this.#calls.all();
  }

  find(id: string): Call | undefined {
    return this.#calls.find(id);
  }

  /** Publishes an event of the tape again. Returns whether it could. */
  publishAgain(id: string): boolean {
    const event = this.#tape.payloadOf(id);
    const execution = this.#executions.at(-1);
    if (event === undefined || execution === undefined) return false;
    const taking = execution.publish(event.subscription, event.payload);
    if (isPromiseLike(taking)) taking.catch(() => undefined);
    return true;
  }

  serves(execution: Calls): void {
    this.#executions.push(execution);
  }

  followRuns(tell: () => void): void {
    this.#tellRuns = tell;
    if (this.isOn) tell();
  }

  within<Result>(run: RecordedRun, work: () => Result): Result {
    const [label] = run.labels;
    if (label === undefined) return work();
    if (!this.#takeRoom(this.#operationOf(label))) return work();
    const trace = new RunTrace();
    run.trace = trace;
    return this.#collector.collect(trace, work);
  }

  requestEnded(request: TrackedRequest, end: number, status?: number, refused?: OperationLabel): void {
    const { start, runs } = request;
    for (const run of runs) this.runEnded(run, start, end, status, request);
    if (runs.length > 0 || refused === undefined) return;
    // The request was refused before its operation ran.
    const errors = status !== undefined && status >= 400 ? 1 : 0;
    const operation = this.#count(refused, start, end, errors);
    if (!this.#takeRoom(operation) && errors === 0) return;
    const call = { label: refused, protocol: 'rest', start, end, status, errors, request } as const;
    this.#calls.add(operation.coordinate, { ...call, run: undefined });
  }

  runEnded(run: RecordedRun, start: number, end: number, status?: number, request?: TrackedRequest): void {
    const { labels, protocol } = run;
    const failed = status !== undefined && status >= 500 ? 1 : 0;
    for (const label of labels) {
      const errors = run.errorsOf(label) || failed;
      const operation = this.#count(label, start, end, errors);
      if (run.trace !== undefined || errors > 0)
        this.#calls.add(operation.coordinate, { label, protocol, start, end, status, errors, request, run });
    }
  }

  runChanged(run: FollowedRun, news: RunNews): void {
    this.#runs.change(run, news);
  }

  raceEnded(union: string, winner: string | undefined, cancelled: readonly string[]): void {
    const race = defined({ union, winner, cancelled, at: Date.now() });
    if (this.#races.length < maxRaces) this.#races.push(race);
    const { trace } = this.#collector;
    if (trace instanceof RunTrace && trace.races.length < maxRaces) trace.races.push(race);
  }

  published(subscription: string, payload: unknown, problem: string | undefined): (error: unknown) => void {
    const refuse = this.#tape.add(subscription, payload, problem);
    return (error) => refuse(describeError(error, []).message);
  }

  delivered(subscription: string, payload: unknown, subscribers: number): void {
    this.#tape.deliver(subscription, payload, subscribers);
  }

  /** Sends what has happened since the last messages. */
  flush(): void {
    const calls = this.#calls.take();
    if (calls.length > 0) this.send({ kind: 'calls', calls });
    const runs = this.#runs.take();
    if (runs.length > 0) this.send({ kind: 'runs', runs });
    if (this.#races.length > 0) this.send({ kind: 'races', races: this.#races });
    this.#races = [];
    const events = this.#tape.take();
    if (events.length > 0) this.send({ kind: 'events', events });
    this.#sendStatistics();
    this.#sendGauges();
    this.#room = maxRecordings;
    for (const operation of this.#operations.values())
      operation.room = Math.min(keptCalls, operation.room + recordedAnew);
  }

  #sendStatistics(): void {
    const now = performance.now();
    const operations: OperationStatistics[] = [];
    for (const operation of this.#operations.values()) {
      const hasForgotten = operation.statistics.forget(now);
      if (operation.isNews || hasForgotten) operations.push(operation.statistics.read());
      operation.isNews = false;
    }
    if (operations.length > 0) this.send({ kind: 'statistics', operations });
  }

  #sendGauges(): void {
    // A server that was replaced is served until its subscriptions have ended.
    this.#executions = this.#executions.filter(
      ({ subscriptions }, at, { length }) => at === length - 1 || subscriptions.open.size > 0,
    );
    const gauges = { subscriptions: readGauges(this.#executions), channels: this.channels.read() };
    const text = JSON.stringify(gauges);
    if (text === this.#gauges || text === noGauges) return;
    this.#gauges = text;
    this.send({ kind: 'gauges', ...gauges });
  }

  #start(): void {
    this.isOn = true;
    collectSpans(this.#collector);
    this.#flushIn(intervals.quiet);
    this.#tellRuns?.();
  }

  #flushIn(delay: number): void {
    this.#timer = setTimeout(() => {
      const next = (this.#passed * 1000) / delay > quietRate ? intervals.load : intervals.quiet;
      this.#passed = 0;
      this.flush();
      this.#flushIn(next);
    }, delay);
    this.#timer.unref();
  }

  #stop(): void {
    this.isOn = false;
    collectSpans(undefined);
    clearTimeout(this.#timer);
    this.flush();
  }

  #count(label: OperationLabel, start: number, end: number, errors: number): CalledOperation {
    const operation = this.#operationOf(label);
    operation.isNews = true;
    this.#passed += 1;
    // A subscription lasts as long as its client wants.
    if (label.type !== 'subscription') operation.statistics.add(end, end - start, errors > 0);
    return operation;
  }

  /** Takes the room for one call; false if there is none. */
  #takeRoom(operation: CalledOperation): boolean {
    if (operation.room === 0 || this.#room === 0) return false;
    operation.room -= 1;
    this.#room -= 1;
    return true;
  }

  /** A reload replaces the labels, and keeps the operations. */
  #operationOf(label: OperationLabel): CalledOperation {
    if (label.recorded instanceof CalledOperation) return label.recorded;
    const coordinate = `${rootTypeOf(label.type)}.${label.name}`;
    const operation = this.#operations.get(coordinate) ?? new CalledOperation(coordinate);
    this.#operations.set(coordinate, operation);
    label.recorded = operation;
    return operation;
  }
}

/** The subscribers of each subscription, also of those without any. */
function readGauges(executions: readonly Calls[]): readonly SubscriptionGauge[] {
  const now = performance.now();
  const gauges = new Map<string, SubscriptionGauge>();
  for (const { schema, subscriptions } of executions) {
    for (const name of Object.keys(schema.getSubscriptionType()?.getFields() ?? {}))
      if (!gauges.has(name)) gauges.set(name, { name, subscribers: 0, waiting: 0, lag: 0 });
    for (const { subscription, waiting = 0, waitingSince } of subscriptions.open) {
      const sum = subscription === undefined ? undefined : gauges.get(subscription);
      if (sum === undefined) continue;
      gauges.set(sum.name, {
        name: sum.name,
        subscribers: sum.subscribers + 1,
        waiting: sum.waiting + waiting,
        lag: Math.max(sum.lag, waitingSince === undefined ? 0 : Math.round(now - waitingSince)),
      });
    }
  }
  return [...gauges.values()];
}
