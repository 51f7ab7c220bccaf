import { OptionError } from '../../base/diagnostics/option-error.js';
import { isPromiseLike, type MaybePromise, proceed } from '../../base/values/maybe-promise.js';
import type { OperationKind } from '../../compiler/schema/gql-schema.js';
import type { Principal } from '../auth/principal.js';
import type { EventHub } from '../brokers/event-hub.js';
import type { FaultPlace, Monitor } from '../logs/monitor.js';

/** A request, for the hook `onRequest`. */
export interface HookRequest {
  readonly method: string;
  readonly path: string;
  /** The query string without its question mark; empty if there is none. */
  readonly query: string;
  /** The IP address of the client; undefined without a connection. */
  readonly address: string | undefined;
  /** The value of a header. Repeated headers are joined by `, `. */
  header(name: string): string | undefined;
}

/** An operation of the topology that a client has called, for the hook `onOperation`. */
export interface HookOperation {
  readonly kind: OperationKind;
  /** The name of the operation: the field of `Query`, `Mutation` or `Subscription`. */
  readonly name: string;
  /** The name that the client gives its GraphQL operation; undefined if there is none. */
  readonly operationName: string | undefined;
  /** Its arguments, coerced. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The caller; null if it is unknown. */
  readonly principal: Principal | null;
  readonly protocol: 'rest' | 'graphql' | 'sse' | 'ws' | 'mcp';
}

/** An event, for the hook `onEvent`. */
export interface HookEvent {
  /** The name of the subscription. */
  readonly subscription: string;
  /** The value of its field. */
  readonly payload: unknown;
}

/** The result of a hook, perhaps later: a value, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return value is a hook, too.
export type HookResult<Value = undefined> = Value | void | Promise<Value | void>;

/**
 * Functions that a server calls around its requests, the same on every host and for every protocol. Each may be
 * asynchronous.
 */
export interface ServerHooks {
  /**
   * Called for each request for a route of the server, before its caller is known and its body is read, and for each
   * WebSocket connection; not for health checks and CORS preflight requests. Refuses the request by throwing a
   * `GraphQLError`, or answers it by returning a `Response`.
   */
  readonly onRequest?: (request: HookRequest) => HookResult<Response | undefined>;
  /**
   * Called for each operation of the topology in a request, and for each query that a race may run for it, after access
   * was checked and before any of them runs. Refuses all of them by throwing a `GraphQLError`.
   */
  readonly onOperation?: (operation: HookOperation) => HookResult;
  /** Called for each fault that clients see only masked, with its place in the topology. Its own errors are logged. */
  readonly onError?: (error: unknown, place: FaultPlace | undefined) => HookResult;
  /** Called for each event that this server publishes. Its own errors are logged. */
  readonly onEvent?: (event: HookEvent) => HookResult;
}

export type Hooks = ReturnType<typeof createHooks>;

const names: readonly string[] = ['onRequest', 'onOperation', 'onError', 'onEvent'];

/**
 * Compiles the hooks of a server, each as one function; undefined if no hook is given.
 *
 * @throws {TypeError} If they are not a list of objects with functions: a mistyped name would have no effect.
 */
export function createHooks(given: readonly ServerHooks[] | undefined, monitor: Monitor) {
  const hooks = given ?? [];
  check(hooks);
  const onRequest = hooks.flatMap((hook) => hook.onRequest?.bind(hook) ?? []);
  const onOperation = hooks.flatMap((hook) => hook.onOperation?.bind(hook) ?? []);
  const onError = hooks.flatMap((hook) => hook.onError?.bind(hook) ?? []);
  const onEvent = hooks.flatMap((hook) => hook.onEvent?.bind(hook) ?? []);
  return {
    /** Calls the hooks in turn, until one answers or throws. */
    request: onRequest.length === 0 ? undefined : (request: HookRequest) => callInTurn(onRequest, request, answerIn),
    operation:
      onOperation.length === 0
        ? undefined
        : (operation: HookOperation) => callInTurn(onOperation, operation, () => undefined),
    /** Never throws. */
    event: onEvent.length === 0 ? undefined : (event: HookEvent) => observe(onEvent, monitor, event),
    /** Reports faults to the hooks as well. */
    monitor: onError.length === 0 ? monitor : withErrorHooks(monitor, onError),
  };
}

function withErrorHooks(monitor: Monitor, hooks: readonly NonNullable<ServerHooks['onError']>[]): Monitor {
  const { eventDelivered, eventsLost, followRuns, raceEnded, subscriberTooSlow } = monitor;
  return {
    fault(fault, place, request, reference) {
      monitor.fault(fault, place, request, reference);
      observe(hooks, monitor, fault, place);
    },
    notice: (message, place) => monitor.notice(message, place),
    // It depends on whether calls are recorded now.
    get runChanged() {
      return monitor.runChanged;
    },
    ...(eventDelivered && { eventDelivered: eventDelivered.bind(monitor) }),
    ...(eventsLost && { eventsLost: eventsLost.bind(monitor) }),
    ...(followRuns && { followRuns: followRuns.bind(monitor) }),
    ...(raceEnded && { raceEnded: raceEnded.bind(monitor) }),
    ...(subscriberTooSlow && { subscriberTooSlow: subscriberTooSlow.bind(monitor) }),
  };
}

/** A hub that calls the hook `onEvent` with each event that it has published. */
export function withEventHook(hub: EventHub, { event }: Pick<Hooks, 'event'>): EventHub {
  if (event === undefined) return hub;
  return {
    ...hub,
    publish(subscription, payload, problem, id) {
      return proceed(hub.publish(subscription, payload, problem, id), (receipt) => {
        event({ subscription, payload });
        return receipt;
      });
    },
  };
}

function check(hooks: unknown): void {
  if (!Array.isArray(hooks)) throw new OptionError('hooks', 'be a list of objects');
  for (const [at, hook] of hooks.entries()) {
    if (typeof hook !== 'object' || hook === null) throw new OptionError(`hooks[${at}]`, 'be an object');
    // An object may have a state of its own.
    const unknown = Object.keys(hook).find((name) => /^on[A-Z]/.test(name) && !names.includes(name));
    if (unknown !== undefined) throw new OptionError('hooks', 'be known', `Unknown hook: hooks[${at}].${unknown}.`);
    for (const name of names) {
      const value: unknown = (hook as Readonly<Record<string, unknown>>)[name];
      if (value !== undefined && typeof value !== 'function') {
        throw new OptionError(`hooks[${at}].${name}`, 'be a function');
      }
    }
  }
}

function callInTurn<Given, Answer>(
  hooks: readonly ((given: Given) => unknown)[],
  given: Given,
  readAnswer: (returned: unknown) => Answer | undefined,
  first = 0,
): MaybePromise<Answer | undefined> {
  for (let at = first; at < hooks.length; at++) {
    const returned = hooks[at]?.(given);
    if (isPromiseLike(returned)) {
      const goOn = (settled: unknown) => readAnswer(settled) ?? callInTurn(hooks, given, readAnswer, at + 1);
      return Promise.resolve(returned).then(goOn);
    }
    const answer = readAnswer(returned);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** A value of another type is a mistake: a hook that returns `false` to refuse a request would not refuse it. */
function answerIn(answered: unknown): Response | undefined {
  if (answered === undefined || answered instanceof Response) return answered;
  throw new TypeError('onRequest must return a Response, or nothing.');
}

/** Calls hooks that only observe. Their errors are reported, and not to other hooks. */
function observe<Args extends readonly unknown[]>(
  hooks: readonly ((...args: Args) => unknown)[],
  monitor: Monitor,
  ...args: Args
): void {
  for (const hook of hooks) (async () => hook(...args))().catch((error: unknown) => monitor.fault(error));
}
