import type { Counter, Histogram, Meter, Observable } from '@opentelemetry/api';
import type { MaybePromise } from '../values/maybe-promise.js';
import { type ExporterChoice, exporterOf, isMetricsEnabled, type TraceEnv } from './environment.js';
import { type Api, createPackageLoader, type LoadPackage } from './packages.js';
import { flushAtEnd, sharedState } from './process-state.js';
import { type Registration, registerMetrics } from './register-sdk.js';

const scope = 'gg-svc';

export type MetricAttributes = Readonly<Record<string, string | number>>;

/** An open subscription, which is counted and whose queue is measured when metrics are collected. */
export interface OpenSubscription {
  readonly attributes: MetricAttributes;
  /** The number of events that wait for the subscriber. */
  waiting(): number;
}

/** A broker of a server, whose state is measured when metrics are collected. One that was closed stays as not connected. */
export interface MeasuredBroker {
  readonly attributes: MetricAttributes;
  isConnected(): boolean;
  /** The number of events that the broker keeps and this process was not given yet; undefined if it is not known. */
  lag(): Promise<number | undefined>;
}

/** A number that grows; its value is read when metrics are collected. */
export interface TallyCell {
  readonly attributes: MetricAttributes;
  count: number;
}

/** A counter for hot paths: each call of a counter of the SDK costs more than a microsecond. */
class Tally {
  readonly cells = new Map<string, TallyCell>();

  cell(attributes: MetricAttributes): TallyCell {
    const key = JSON.stringify(attributes);
    let cell = this.cells.get(key);
    if (cell === undefined) {
      cell = { attributes, count: 0 };
      this.cells.set(key, cell);
    }
    return cell;
  }
}

const maxWaiting = 512;

/**
 * A histogram for hot paths: the SDK sorts and prints the attributes of each value, which takes several microseconds
 * between other work, and a third of it for many values in a row. So values wait until metrics are collected, or until
 * there are enough of them. Their places are made once: V8 soon has new ones in the old generation, where they keep what
 * they refer to until the next major collection.
 */
class Durations {
  readonly #values = new Float64Array(maxWaiting);
  readonly #attributes: MetricAttributes[] = [];
  #waiting = 0;

  /** @param onLoss - Called for each value that the histogram throws at. */
  constructor(
    private readonly histogram: Histogram,
    private readonly onLoss: (error: unknown) => void,
  ) {}

  /** @param attributes - One object for all values that share them: an object for each value would be kept for a while. */
  record(seconds: number, attributes: MetricAttributes): void {
    this.#values[this.#waiting] = seconds;
    this.#attributes[this.#waiting] = attributes;
    this.#waiting += 1;
    if (this.#waiting === maxWaiting) this.flush();
  }

  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = 0;
    for (let at = 0; at < waiting; at++) {
      try {
        this.histogram.record(this.#values[at] as number, this.#attributes[at]);
      } catch (error) {
        // A meter of the program may throw: the values behind this one are not lost.
        this.onLoss(error);
      }
    }
  }
}

/** The instruments (docs/observability.md). An inferred type would import the optional package into declarations. */
export interface SvcMetrics {
  readonly httpRequestDuration: Durations;
  readonly operationRequests: Tally;
  readonly operationErrors: Counter;
  readonly operationDuration: Durations;
  readonly raceWins: Counter;
  readonly raceCancelled: Counter;
  readonly eventsPublished: Tally;
  readonly eventsDelivered: Tally;
  readonly eventsDropped: Counter;
  readonly eventsLost: Counter;
  readonly publishDuration: Durations;
  readonly brokers: Set<MeasuredBroker>;
  readonly openSubscriptions: Set<OpenSubscription>;
}

interface MetricsState {
  /** Whether servers without the option `metrics` are measured. */
  isOn: boolean;
  /** Made once; a server with the option `metrics: true` uses them, too. */
  instruments: SvcMetrics | undefined;
}

const state = sharedState<MetricsState>('gg-svc.metrics', { isOn: false, instruments: undefined });

/** The instruments; undefined while metrics are off. Initially off. */
export function svcMetrics(): SvcMetrics | undefined {
  return state.isOn ? state.instruments : undefined;
}

/**
 * Turns metrics on if the environment asks for them: with `OTEL_METRICS_EXPORTER` (`otlp`, `prometheus`, `console`), or
 * `SVC_METRICS_ENABLED`. Servers that are created afterwards count requests, operations, races and events. The metrics go
 * to the meter provider of the program, or else to the installed SDK, which is registered here. If no SDK is installed,
 * one line on the console says so, and metrics stay off. Further calls have no effect.
 *
 * @param env - The environment variables. Default: those of the process.
 *
 * @example
 * ```ts
 * import { createGqlServer, initSvcMetricsFromEnv } from 'gg-svc';
 *
 * initSvcMetricsFromEnv(); // before the server is created
 * const server = createGqlServer({
 *   topologies: [{ name: 'hello.gg', source: "(root)-[:PROCESS]->(hello { text: 'Hello' })" }],
 * });
 * ```
 */
export function initSvcMetricsFromEnv(env: TraceEnv = process.env): void {
  startMetricsFromEnv(env, createPackageLoader(process.cwd()));
}

/** `initSvcMetricsFromEnv` with a loader of packages, for tests. */
export function startMetricsFromEnv(env: TraceEnv, load: LoadPackage): void {
  if (state.isOn || !isMetricsEnabled(env)) return;
  const started = startMetrics(exporterOf(env, 'METRICS'), env, load);
  if (started.warning !== undefined) console.warn(`gg-svc: ${started.warning}`);
  if (!started.ok) return;
  started.listening?.catch((error: Error) => console.warn(`gg-svc: no endpoint for Prometheus: ${error.message}`));
}

/** Turns metrics on with an exporter, unless the program has registered a meter provider of its own. */
export function startMetrics(
  choice: ExporterChoice,
  env: TraceEnv = process.env,
  load: LoadPackage = createPackageLoader(process.cwd()),
): Registration {
  const registration = registerMetrics(load, choice, env);
  if (registration.ok) {
    state.instruments ??= createInstruments(registration.api.metrics.getMeter(scope));
    state.isOn = true;
    flushAtEnd('metrics', registration.flush);
  }
  return registration;
}

/**
 * The instruments for a server with the option `metrics: true`: those of the provider that the program has registered,
 * which may have none. Undefined if `@opentelemetry/api` is not installed.
 */
export function useMetrics(): SvcMetrics | undefined {
  if (state.instruments === undefined) {
    const api = createPackageLoader(process.cwd())('@opentelemetry/api') as Api | undefined;
    if (api !== undefined) state.instruments = createInstruments(api.metrics.getMeter(scope));
  }
  return state.instruments;
}

/** The boundaries that the semantic conventions advise for durations of HTTP requests, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

function createInstruments(meter: Meter): SvcMetrics {
  const waiting: Durations[] = [];
  const duration = (name: string, description: string): Durations => {
    const advice = { explicitBucketBoundaries };
    const made = new Durations(meter.createHistogram(name, { description, unit: 's', advice }), onLoss);
    waiting.push(made);
    return made;
  };
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(name, { description, unit: `{${unit}}` });
  const tally = (name: string, unit: string, description: string): Tally => {
    const made = new Tally();
    meter.createObservableCounter(name, { description, unit: `{${unit}}` }).addCallback((result) => {
      for (const { attributes, count } of made.cells.values()) if (count > 0) result.observe(count, attributes);
    });
    return made;
  };
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { description, unit });

  const lost = tally('gg.durations.lost', 'duration', 'Durations that the meter did not take.').cell({});
  const onLoss = (error: unknown): void => {
    lost.count += 1;
    if (lost.count > 1) return;
    const reason = error instanceof Error ? error.message : String(error);
    console.warn(`gg-svc: the meter did not take a duration (${reason}); gg.durations.lost counts them.`);
  };
  const openSubscriptions = new Set<OpenSubscription>();
  const open = meter.createObservableUpDownCounter('gg.subscriptions.open', {
    description: 'Open subscriptions.',
    unit: '{subscription}',
  });
  const queued = gauge('gg.subscriptions.queued', '{event}', 'Events that wait for subscribers to read them.');
  observeGroups(meter, openSubscriptions, [open, queued], (group, record) => {
    record(open, group.length);
    const waiting = group.reduce((sum, subscription) => sum + subscription.waiting(), 0);
    record(queued, waiting);
  });

  const brokers = new Set<MeasuredBroker>();
  const connected = gauge('gg.broker.connected', '1', 'Whether the event broker is connected: 1 or 0.');
  const lag = gauge(
    'gg.broker.lag',
    '{event}',
    'Events that the event broker keeps and this process was not given yet.',
  );
  observeGroups(meter, brokers, [connected, lag], async (group, record) => {
    const working = group.filter((broker) => broker.isConnected());
    record(connected, working.length > 0 ? 1 : 0);
    for (const events of await Promise.all(working.map((broker) => broker.lag())))
      if (events !== undefined) record(lag, events);
  });
  // Callbacks of a meter are called before any of its instruments is read.
  connected.addCallback(() => {
    for (const durations of waiting) durations.flush();
  });
  return {
    httpRequestDuration: duration('http.server.request.duration', 'Duration of HTTP requests.'),
    operationRequests: tally('gg.operation.requests', 'request', 'Operations that were started.'),
    operationErrors: counter('gg.operation.errors', 'error', 'Errors in the results of operations.'),
    operationDuration: duration('gg.operation.duration', 'Duration of operations; of subscriptions, until they end.'),
    raceWins: counter('gg.race.wins', 'race', 'Races that ended, by the branch that won.'),
    raceCancelled: counter('gg.race.cancelled', 'branch', 'Branches of races that were cancelled.'),
    eventsPublished: tally(
      'gg.events.published',
      'event',
      'Events that this process published, and that the broker has acknowledged.',
    ),
    eventsDelivered: tally('gg.events.delivered', 'event', 'Events that subscribers of this process received.'),
    eventsDropped: counter('gg.events.dropped', 'event', 'Events that were not delivered.'),
    eventsLost: counter('gg.events.lost', 'event', 'Events that the broker no longer had for this process.'),
    publishDuration: duration(
      'gg.events.publish.duration',
      'Duration of publishing an event, until its acknowledgement.',
    ),
    brokers,
    openSubscriptions,
  };
}

/**
 * Observes things when metrics are collected, those with the same attributes together. A group that has become empty stays,
 * so that its gauges fall to 0.
 */
function observeGroups<Thing extends { readonly attributes: MetricAttributes }>(
  meter: Meter,
  things: ReadonlySet<Thing>,
  instruments: Observable[],
  observe: (group: readonly Thing[], record: (at: Observable, value: number) => void) => MaybePromise<void>,
): void {
  const groups = new Map<string, { readonly attributes: MetricAttributes; group: Thing[] }>();
  meter.addBatchObservableCallback(async (result) => {
    for (const known of groups.values()) known.group = [];
    for (const thing of things) {
      const { attributes } = thing;
      const key = JSON.stringify(attributes);
      if (!groups.has(key)) groups.set(key, { attributes, group: [] });
      groups.get(key)?.group.push(thing);
    }
    const observing = [...groups.values()].map(({ attributes, group }) =>
      observe(group, (at, value) => result.observe(at, value, attributes)),
    );
    await Promise.all(observing);
  }, instruments);
}
