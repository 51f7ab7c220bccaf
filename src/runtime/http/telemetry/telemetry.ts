import type { MeasuredBroker, MetricAttributes, SvcMetrics } from '../../../base/tracing/svc-metrics.js';
import { activeTraceId } from '../../../base/tracing/trace-context.js';
import { defined } from '../../../base/values/defined.js';
import { isPromiseLike } from '../../../base/values/maybe-promise.js';
import { runUntil } from '../../../base/values/run-until.js';
import { remember } from '../../../compiler/graph/maps.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { EventBroker } from '../../brokers/broker.js';
import type { EventHub } from '../../brokers/event-hub.js';
import { describeError } from '../../logs/describe-error.js';
import type { Logs } from '../../logs/logs.js';
import { consoleMonitor, type FaultPlace } from '../../logs/monitor.js';
import { redactText, secretsOf } from '../../logs/redact.js';
import type { Exchange } from '../exchange.js';
import type { CallRecorder } from './call-recorder.js';
import { type OperationLabel, OperationLabels, type Protocol } from './operation-labels.js';
import { type RequestRecorder, TrackedRequest } from './tracked-request.js';

/** Records the requests, operations, races and events of one server in metrics and logs, and for a page. */
export class Telemetry implements RequestRecorder {
  /** Empty until the topology is loaded. */
  labels = new OperationLabels();
  #broker: MeasuredBroker | undefined;
  readonly #attributes = new Map<string, MetricAttributes>();

  /** At least one of the three is given. */
  constructor(
    readonly metrics: SvcMetrics | undefined,
    readonly logs: Logs | undefined,
    readonly recorder: CallRecorder | undefined,
  ) {}

  get isOn(): boolean {
    return this.recorder?.isOn === true || this.metrics !== undefined || this.logs !== undefined;
  }

  get recording(): CallRecorder | undefined {
    return this.recorder?.isOn === true ? this.recorder : undefined;
  }

  get runChanged(): CallRecorder['runChanged'] | undefined {
    const { recording } = this;
    return recording && ((run, news) => recording.runChanged(run, news));
  }

  followRuns(tell: () => void): void {
    this.recorder?.followRuns(tell);
  }

  learn(schema: GqlSchema): void {
    this.labels = new OperationLabels(schema, this.metrics);
  }

  begin(source: Exchange): TrackedRequest {
    return new TrackedRequest(this, source);
  }

  record(request: TrackedRequest, status?: number): void {
    try {
      this.#record(request, status);
    } catch (error) {
      // A meter of the program may throw.
      consoleMonitor.fault(error);
    }
  }

  #record(request: TrackedRequest, status: number | undefined): void {
    const end = performance.now();
    const seconds = (end - request.start) / 1000;
    const { source } = request;
    const { method } = source;
    const route = source.resource?.path;
    if (status !== undefined && this.metrics !== undefined) {
      const attributes = this.#httpAttributes(method, status, source.scheme, route);
      this.metrics.httpRequestDuration.record(seconds, attributes);
    }
    const { logs, recording } = this;
    if (logs?.access !== true && recording === undefined) return;
    // A REST request that was refused has not run its operation.
    const operation = request.operations.length === 0 ? source.route?.operation : undefined;
    const refused = operation && this.labels.find(operation);
    recording?.requestEnded(request, end, status, refused);
    if (logs?.access !== true) return;
    const labels = refused === undefined ? request.operations : [refused];
    const protocol = request.protocol ?? (refused === undefined ? undefined : 'rest');
    const isHttp = status !== undefined;
    // Assigned one by one: a spread for each member would cost as much as writing the line.
    const line: Record<string, unknown> = { requestId: request.id };
    const traceId = traceOf(request);
    if (traceId !== undefined) line.traceId = traceId;
    if (isHttp) line.status = status;
    line.duration = Math.round(seconds * 1e6) / 1e3;
    if (request.errors > 0) line.errors = request.errors;
    if (request.events > 0) line.events = request.events;
    if (source.principal !== null) line.principal = source.principal.id;
    if (source.address !== undefined) line.address = source.address;
    if (logs.arguments === true && isHttp) line.url = urlOf(source);
    if (request.arguments !== undefined) line.arguments = request.arguments;
    const [label] = labels;
    const isOne = labels.length === 1 && label !== undefined && protocol !== undefined;
    const writers = isOne ? label.over(protocol).writers : undefined;
    // The operation and the method determine the route.
    const key = isHttp ? method : '';
    let write = writers?.get(key);
    if (write === undefined) {
      const fixed = fixedMembers(labels, protocol, isHttp ? method : undefined, route);
      if (writers === undefined) Object.assign(line, fixed);
      write = writers === undefined ? logs.write : logs.writerOf(fixed);
      writers?.set(key, write);
    }
    write(isHttp && status >= 500 ? 'error' : 'info', line, isHttp ? 'request' : 'operation');
  }

  /** The attributes of an HTTP request: one object for all that have the same. */
  #httpAttributes(method: string, status: number, scheme: string, route: string | undefined): MetricAttributes {
    const known = knownMethods.has(method) ? method : '_OTHER';
    return remember(this.#attributes, `${known} ${status} ${scheme} ${route}`, () => {
      const type = status >= 500 ? String(status) : undefined;
      return defined({
        'http.request.method': known,
        'http.response.status_code': status,
        'url.scheme': scheme,
        'http.route': route,
        'error.type': type,
      });
    });
  }

  fault(fault: unknown, place?: FaultPlace, request?: object, reference?: string): void {
    if (this.logs === undefined) {
      consoleMonitor.fault(fault, place, request, reference);
      return;
    }
    const tracked = request instanceof TrackedRequest ? request : undefined;
    const error = describeError(fault, tracked === undefined ? [] : secretsOf(tracked.source));
    const ids = defined({ requestId: tracked?.id, traceId: tracked && traceOf(tracked), reference });
    this.logs.write('error', { ...ids, ...describePlace(place), error }, error.message);
  }

  notice(message: string, place: FaultPlace): void {
    if (this.logs === undefined) consoleMonitor.notice(message, place);
    else this.logs.write('error', describePlace(place), redactText(message, []));
  }

  raceEnded(union: string, winner: string | undefined, cancelled: readonly string[]): void {
    const { metrics } = this;
    this.recording?.raceEnded(union, winner, cancelled);
    metrics?.raceWins.add(1, { 'gg.union': union, 'gg.race.winner': winner ?? 'none' });
    for (const branch of cancelled) {
      metrics?.raceCancelled.add(1, { 'gg.union': union, 'gg.race.branch': branch });
    }
  }

  trackEvents(hub: EventHub, broker: EventBroker | undefined): EventHub {
    if (broker !== undefined && this.metrics !== undefined) {
      this.#broker = measuredBroker(broker, hub);
      this.metrics.brokers.add(this.#broker);
    }
    return {
      ...hub,
      publish: (subscription, payload, problem, id) => {
        const refused = this.recording?.published(subscription, payload, problem);
        const taking = hub.publish(subscription, payload, problem, id);
        if (!isPromiseLike(taking)) {
          this.#published(subscription, problem);
          return taking;
        }
        const start = performance.now();
        taking.then(
          () => {
            this.#taken(subscription, start);
            this.#published(subscription, problem);
          },
          (error: unknown) => {
            refused?.(error);
            this.#taken(subscription, start, error);
          },
        );
        return taking;
      },
    };
  }

  forgetBroker(): void {
    if (this.#broker !== undefined) this.metrics?.brokers.delete(this.#broker);
  }

  #taken(subscription: string, start: number, error?: unknown): void {
    const attributes = this.#eventAttributes(subscription);
    const seconds = (performance.now() - start) / 1000;
    if (error === undefined) {
      this.metrics?.publishDuration.record(seconds, attributes);
      return;
    }
    const type = this.labels.typeOf((error as { readonly code?: unknown }).code);
    this.metrics?.publishDuration.record(seconds, { ...attributes, 'error.type': type });
    this.metrics?.eventsDropped.add(1, { ...attributes, 'gg.drop.reason': 'unpublished' });
  }

  eventsLost(missing: number | undefined): void {
    // At least one, if the broker cannot tell.
    this.metrics?.eventsLost.add(missing ?? 1);
  }

  /** An event was published; with a reason, it cannot be completed, so subscribers get an error in its place. */
  #published(subscription: string, problem: string | undefined): void {
    const attributes = this.#eventAttributes(subscription);
    const cell = this.metrics?.eventsPublished.cell(attributes);
    if (cell !== undefined) cell.count += 1;
    if (problem !== undefined) this.metrics?.eventsDropped.add(1, { ...attributes, 'gg.drop.reason': 'incomplete' });
  }

  eventDelivered(subscription: string, payload: unknown, subscribers: number): void {
    this.recording?.delivered(subscription, payload, subscribers);
  }

  subscriberTooSlow(subscription: string): void {
    const attributes = this.#eventAttributes(subscription);
    this.metrics?.eventsDropped.add(1, { ...attributes, 'gg.drop.reason': 'slow' });
  }

  #eventAttributes(subscription: string): MetricAttributes {
    const known = this.labels.find({ kind: 'subscription', name: subscription });
    return { 'gg.operation.name': known?.name ?? '_OTHER' };
  }
}

/** The members of an access line that depend only on its operations and its route. */
function fixedMembers(
  labels: readonly OperationLabel[],
  protocol: Protocol | undefined,
  method: string | undefined,
  route: string | undefined,
): object {
  const edges = labels.map(({ edge }) => edge).filter((edge) => edge !== '');
  return defined({
    method,
    route: method && route,
    protocol,
    operation: labels.map(({ name }) => name).join(', ') || undefined,
    edge: edges.join('; ') || undefined,
  });
}

/** The methods that the semantic conventions know. */
const knownMethods = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' '));

function describePlace(place: FaultPlace | undefined): object {
  if (place === undefined) return {};
  const { coordinate, edges = [], places } = place;
  return defined({ field: coordinate, edge: edges.join('; ') || undefined, source: places.join('; ') });
}

function traceOf({ traceId, source }: TrackedRequest): string | undefined {
  const known = traceId ?? activeTraceId();
  if (known !== undefined) return known;
  const parent = source.header('traceparent');
  return parent === undefined ? undefined : /^[\da-f]{2}-([\da-f]{32})-/.exec(parent)?.[1];
}

/** The path and query, without credentials. */
function urlOf(source: Exchange): string {
  const { path, query } = source;
  return redactText(query === '' ? path : `${path}?${query}`, secretsOf(source));
}

/** How long the broker may take to say its last event, in milliseconds: metrics must not wait for a broker that is away. */
const patience = 1_000;

function measuredBroker(broker: EventBroker, { log }: Pick<EventHub, 'log'>): MeasuredBroker {
  const isConnected = (): boolean => broker.state.status === 'connected';
  return {
    attributes: { 'messaging.system': broker.name },
    isConnected,
    async lag() {
      if (log === undefined || !isConnected()) return undefined;
      try {
        return await runUntil(
          { timeout: patience },
          () => log.lag(),
          () => undefined,
        );
      } catch {
        return undefined;
      }
    },
  };
}
