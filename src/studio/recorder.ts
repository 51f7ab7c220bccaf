import { rootTypeOf } from '../api/operation-coordinate.js';
import type { Execution } from '../execute/execution.js';
import type { CallRecorder } from '../http/watch/call-recorder.js';
import type { OperationLabel } from '../http/watch/operation-labels.js';
import type { RecordedRun } from '../http/watch/recorded-run.js';
import type { WatchedRequest } from '../http/watch/watched-request.js';
import { describeError } from '../logs/describe-error.js';
import { SpanCollector } from '../tracing/span-collector.js';
import { collectSpans } from '../tracing/svc-tracing.js';
import { CallStore } from './call-store.js';
import { ChannelStates } from './channel-states.js';
import { EventTape } from './event-tape.js';
import { readGauges } from './gauges.js';
import type { Call, RaceResult, StudioMessage } from './protocol.js';
import { type EndedCall, RunTrace } from './read-call.js';
import { Statistics } from './statistics.js';

/** Reading it takes longer than adding it. */
const startOfProcess = performance.timeOrigin;

/** The interval between messages, in milliseconds. */
const interval = 100;

/**
 * How many calls of an operation are traced between two messages. If there are more, only one is: while a call is traced,
 * Node.js calls a hook for each promise of the process.
 */
const maxTraces = 5;

/**
 * How many calls of an operation are recorded between two messages, beside those with errors. What is more is counted: a
 * page could not show it, and keeping the request of each call would slow the server down.
 */
const maxRecordings = 50;

/** Gauges without anything in them. */
const noGauges = JSON.stringify({ subscriptions: [], channels: [] });

/** After how many messages the calls are copied from their requests, if nobody has asked for them before. */
const settling = 10;

/** The most races of one message. */
const maxRaces = 200;

/** An operation that was called. */
interface CalledOperation {
  readonly coordinate: string;
  readonly statistics: Statistics;
  /** The number of calls since the last message. */
  passed: number;
  /** The number of runs since the last message. */
  runs: number;
  /** The number of calls that were recorded since the last message. */
  recorded: number;
  /** Every how many runs the spans are collected. */
  stride: number;
}

/**
 * Records what passes through the servers of a command, while a page is open, and sends it in batches. It outlives its
 * servers, so calls survive a reload of the topology.
 */
export class Recorder implements CallRecorder {
  isOn = false;
  /** The states of the channels of the servers. */
  readonly channels = new ChannelStates();
  readonly #collector = new SpanCollector();
  readonly #calls = new CallStore();
  readonly #tape = new EventTape();
  readonly #operations = new Map<string, CalledOperation>();
  /** The same, by their labels, which a reload replaces. */
  readonly #byLabel = new WeakMap<OperationLabel, CalledOperation>();
  readonly #called = new Set<CalledOperation>();
  #races: RaceResult[] = [];
  #executions: Execution[] = [];
  #gauges = '';
  #pages = 0;
  #flushes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param send - Sends a message to all open pages. */
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
    for (const operation of this.#operations.values()) this.#called.add(operation);
  }

  /** The last calls of an operation, the newest first. */
  callsOf(coordinate: string): readonly Call[] {
    this.flush();
    return this.#calls.last(coordinate);
  }

  find(id: string): Call | undefined {
    return this.#calls.find(id);
  }

  /** Publishes an event of the tape again. Returns whether it could. */
  publishAgain(id: string): boolean {
    const event = this.#tape.payloadOf(id);
    const execution = this.#executions.at(-1);
    if (event === undefined || execution === undefined) return false;
    execution.publish(event.subscription, event.payload)?.catch(() => undefined);
    return true;
  }

  serves(execution: Execution): void {
    this.#executions.push(execution);
  }

  within<Result>(run: RecordedRun, work: () => Result): Result {
    const [label] = run.labels;
    if (label === undefined) return work();
    const operation = this.#operationOf(label);
    operation.runs += 1;
    if (operation.runs % operation.stride !== 0) return work();
    const trace = new RunTrace();
    run.trace = trace;
    return this.#collector.collect(trace, work);
  }

  requestEnded(
    request: WatchedRequest,
    end: number,
    status: number | undefined,
    refused: OperationLabel | undefined,
  ): void {
    const { start, runs } = request;
    for (const run of runs) this.#runEnded(run, start, end, status, request);
    if (runs.length > 0 || refused === undefined) return;
    // The request was refused before its operation ran.
    const errors = status !== undefined && status >= 400 ? 1 : 0;
    this.#add({ label: refused, protocol: 'rest', start, end, status, errors, request, run: undefined });
  }

  runEnded(run: RecordedRun, start: number, end: number): void {
    this.#runEnded(run, start, end, undefined, undefined);
  }

  raceEnded(union: string, winner: string | undefined, cancelled: readonly string[]): void {
    const race = { union, ...(winner === undefined ? {} : { winner }), cancelled, at: Date.now() };
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
    const passed: Record<string, number> = {};
    for (const operation of this.#called) {
      if (operation.passed > 0) passed[operation.coordinate] = operation.passed;
      operation.stride = operation.runs <= maxTraces ? 1 : operation.runs;
      Object.assign(operation, { passed: 0, runs: 0, recorded: 0 });
    }
    if (calls.length > 0) this.send({ kind: 'calls', calls, passed });
    if (this.#races.length > 0) this.send({ kind: 'races', races: this.#races });
    this.#races = [];
    const events = this.#tape.take();
    if (events.length > 0) this.send({ kind: 'events', events });
    this.#sendStatistics();
    this.#sendGauges();
    this.#flushes += 1;
    if (this.#flushes % settling === 0) this.#calls.settle();
  }

  #sendStatistics(): void {
    const now = Date.now();
    for (const operation of this.#operations.values())
      if (operation.statistics.forget(now)) this.#called.add(operation);
    if (this.#called.size === 0) return;
    const operations = [...this.#called].map(({ statistics }) => statistics.read());
    this.#called.clear();
    this.send({ kind: 'statistics', operations });
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
    this.#timer = setInterval(() => this.flush(), interval);
    this.#timer.unref();
  }

  #stop(): void {
    this.isOn = false;
    collectSpans(undefined);
    clearInterval(this.#timer);
    this.flush();
    this.#calls.settle();
  }

  #runEnded(
    run: RecordedRun,
    start: number,
    end: number,
    status: number | undefined,
    request: WatchedRequest | undefined,
  ): void {
    const { labels, protocol } = run;
    const failed = status !== undefined && status >= 500 ? 1 : 0;
    for (const label of labels) {
      const errors = run.errorsOf(label) || failed;
      this.#add({ label, protocol, start, end, status, errors, request, run });
    }
  }

  #add(call: EndedCall): void {
    const { label, start, end, errors } = call;
    const operation = this.#operationOf(label);
    operation.passed += 1;
    this.#called.add(operation);
    if (errors > 0 || operation.recorded < maxRecordings) {
      operation.recorded += 1;
      this.#calls.add(operation.coordinate, call);
    }
    // A subscription lasts as long as its client wants.
    if (label.type !== 'subscription')
      operation.statistics.add(startOfProcess + end, end - start, errors > 0);
  }

  #operationOf(label: OperationLabel): CalledOperation {
    const known = this.#byLabel.get(label);
    if (known !== undefined) return known;
    const coordinate = `${rootTypeOf(label.type)}.${label.name}`;
    const operation = this.#operations.get(coordinate) ?? {
      ...{ coordinate, statistics: new Statistics(coordinate) },
      ...{ passed: 0, runs: 0, recorded: 0, stride: 1 },
    };
    this.#operations.set(coordinate, operation);
    this.#byLabel.set(label, operation);
    return operation;
  }
}
