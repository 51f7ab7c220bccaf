import type { MaybePromise } from '../../base/values/maybe-promise.js';
import { clausesOf } from '../../compiler/graph/access.js';
import { DeniedError } from '../auth/denial.js';
import type { Guard } from '../auth/guard.js';
import type { Principal } from '../auth/principal.js';
import { type Problem, ProblemError, problemOfDenial } from '../call/problem.js';
import type { Hooks } from '../hooks/server-hooks.js';
import { PeerMissingError } from '../load/load-peer.js';
import { TopologyError } from '../load/topology-error.js';
import { type Monitor, reportFault } from '../logs/monitor.js';
import type { Traffic } from '../traffic/create-traffic.js';
import { isHost } from '../traffic/forwarded.js';
import { Answer, problemAnswer } from './answer.js';
import { callOnRequest } from './call-on-request.js';
import type { Exchange, Resource } from './exchange.js';

export interface Site extends Traffic {
  /** The resources that answer before the topology is loaded. */
  readonly health: Resources;
  /** All other resources, by path; undefined until the topology is loaded. */
  readonly resources: Resources | undefined;
  readonly loading: Promise<unknown>;
  explainMissing(path: string): string;
  readonly guard?: Guard | undefined;
  readonly onRequest?: Hooks['request'];
  readonly preventsCsrf: boolean;
  readonly masksErrors: boolean;
  readonly isDraining: boolean;
  readonly monitor: Monitor;
}

export interface Resources {
  /** The resource of a path; with a method, the first that has it, if several paths match. */
  get(path: string, method?: string): Resource | undefined;
}

/** Answers a request, or returns undefined to continue with the next step. May throw. */
export type RequestStep = (exchange: Exchange, site: Site) => MaybePromise<Answer | undefined>;

/** Completes an answer in place before the host writes it. May throw. */
export type LastStep = (answer: Answer, exchange: Exchange, site: Site) => void;

/**
 * The steps of a request, in order, on every host. The first step that answers ends the list. If a step throws,
 * `mask` turns the error into an answer.
 */
export const steps: readonly RequestStep[] = [
  // Refuses requests that the host could not read: a malformed URL, the method TRACE, too many headers.
  refuseUnreadable,
  // Refuses a malformed `Host` header, which never affects the path.
  checkHost,
  // Reads the client, the scheme and the host from the headers of trusted proxies, once a later step needs them.
  trustProxies,
  // Answers health checks, even while the topology is loading.
  findHealth,
  // Rates: counts all other requests by the address of the client, also those that are refused later.
  limitAddresses,
  // Waits for a topology behind a URL.
  waitForTopology,
  // Finds the resource of the path, or answers 404.
  findResource,
  // CORS: answers preflight requests of allowed origins, with the methods of the path.
  answerPreflight,
  // Finds the route of the method and, where a path has two, of the header Accept; or answers OPTIONS, or 405.
  checkMethod,
  // Calls the hook `onRequest`, which may answer or refuse the request.
  callRequestHooks,
  // CSRF: refuses requests that a page of another site could have sent with a user's cookies. Allowed origins may.
  checkOrigin,
  // Finds the caller by its credentials.
  authenticate,
  // Rates: counts requests by their caller, also those that the next step refuses.
  limitCallers,
  // Refuses invalid credentials, and callers without access to the route.
  checkAccess,
  // Reads the body, and checks its type, encoding and size; a form only up to its first file.
  readBody,
  // Parses the body: it must be UTF-8, and JSON that is not nested too deeply. Without a body, parses the query string.
  parseBody,
  // Rates: counts the operations of a batch like requests, before any of them runs.
  limitBatch,
  // Makes the calls of the request, whose steps are in `call/steps.ts`, or renders the document.
  run,
];

/** Completes every answer, including errors, before the host writes it. */
export const lastSteps: readonly LastStep[] = [
  // Uploads: ends the files that no resolver has read.
  closeForm,
  // Repeats and receipts: says that the outcome is that of an earlier call, and which event was the last.
  tellOutcome,
  // Caches: an answer depends on the headers that its route reads.
  varyByHeaders,
  // Caches: on a server that authenticates, an answer to GET for a caller is stored by none.
  keepFromCaches,
  // Drops the body for HEAD, which gets the headers of GET.
  dropBodyOfHead,
  // Rates: states the counts.
  stateRates,
  // CORS: says which origins may read the answer.
  shareWithOrigins,
  // During shutdown, every answer closes its connection.
  closeWhileDraining,
  // Records the answer in metrics and logs, if they are on.
  recordAnswer,
];

/** Takes the answer to an exchange. Must not throw. */
export type AnswerWriter<Host extends Exchange> = (answer: Answer, exchange: Host) => void;

/** Answers an exchange, and never throws. The step that answers calls the writer: a promise costs about 1 %. */
export function answerExchange<Host extends Exchange>(
  exchange: Host,
  site: Site,
  write: AnswerWriter<Host>,
  from = 0,
): void {
  let answer: Answer | undefined;
  try {
    for (let at = from; answer === undefined; at++) {
      const answered = (steps[at] as RequestStep)(exchange, site);
      if (answered instanceof Promise) {
        answerLater(answered, exchange, site, write, at + 1);
        return;
      }
      answer = answered;
    }
  } catch (error) {
    answer = mask(error, exchange, site);
  }
  write(finish(answer, exchange, site), exchange);
}

/** Separate, so that steps that do not wait do not pay for the variables of these functions. */
function answerLater<Host extends Exchange>(
  answered: Promise<Answer | undefined>,
  exchange: Host,
  site: Site,
  write: AnswerWriter<Host>,
  next: number,
): void {
  answered.then(
    (answer) => {
      if (answer === undefined) answerExchange(exchange, site, write, next);
      else write(finish(answer, exchange, site), exchange);
    },
    (error: unknown) => write(finish(mask(error, exchange, site), exchange, site), exchange),
  );
}

function finish(answer: Answer, exchange: Exchange, site: Site): Answer {
  try {
    return takeLastSteps(answer, exchange, site);
  } catch (error) {
    return takeLastSteps(mask(error, exchange, site), exchange, site);
  }
}

function takeLastSteps(answer: Answer, exchange: Exchange, site: Site): Answer {
  for (const step of lastSteps) step(answer, exchange, site);
  return answer;
}

function refuseUnreadable({ fault }: Exchange): Answer | undefined {
  if (fault === undefined) return undefined;
  const detail = fault === 405 ? 'The method is not supported.' : 'The request cannot be read.';
  return problemAnswer({ status: fault, detail, headers: ['connection', 'close'] });
}

function checkHost({ host }: Exchange): Answer | undefined {
  if (isHost(host)) return undefined;
  const detail = 'The header Host must be a host name or an address, with an optional port.';
  return problemAnswer({ status: 400, detail, headers: ['connection', 'close'] });
}

function trustProxies(exchange: Exchange, { proxies }: Site): undefined {
  if (proxies !== undefined) exchange.proxies = proxies;
}

function findHealth(exchange: Exchange, site: Site): undefined {
  exchange.resource = site.health.get(exchange.path);
}

function limitAddresses(exchange: Exchange, { rates }: Site): MaybePromise<undefined> {
  // A preflight request cannot be repeated by the page, and costs little.
  if (rates === undefined || exchange.resource !== undefined || exchange.method === 'OPTIONS') return undefined;
  return rates.countRequest(exchange);
}

function waitForTopology({ resource }: Exchange, site: Site): Promise<undefined> | undefined {
  if (resource !== undefined || site.resources !== undefined) return undefined;
  return site.loading.then(() => undefined);
}

function findResource(exchange: Exchange, site: Site): undefined {
  exchange.resource ??= site.resources?.get(exchange.path, exchange.method);
  if (exchange.resource !== undefined) return;
  throw new ProblemError({ status: 404, detail: site.explainMissing(exchange.path) });
}

function answerPreflight(exchange: Exchange, { cors }: Site): Answer | undefined {
  if (cors === undefined || exchange.resource === undefined) return undefined;
  const headers = cors.answerPreflight(exchange, exchange.resource.allow);
  return headers && new Answer(204, headers, null);
}

function checkMethod(exchange: Exchange): Answer | undefined {
  const { resource, method, path } = exchange;
  if (resource === undefined) throw new Error('invariant: a resource was found');
  const route = resource.routes.get(method);
  if (route !== undefined) {
    exchange.route = route.choose === undefined ? route : route.choose(exchange);
    return undefined;
  }
  const headers = ['allow', resource.allow];
  if (method === 'OPTIONS') return new Answer(204, headers, null);
  throw new ProblemError({ status: 405, detail: `${path} does not support ${method}.`, headers });
}

function callRequestHooks(exchange: Exchange, { onRequest, health }: Site): MaybePromise<Answer | undefined> {
  if (onRequest === undefined || health.get(exchange.path) !== undefined) return undefined;
  return callOnRequest(onRequest, exchange);
}

function checkOrigin(exchange: Exchange, site: Site): undefined {
  if (site.preventsCsrf && site.cors?.accepts(exchange) !== true) exchange.route?.checkOrigin?.(exchange);
}

function authenticate(exchange: Exchange, { guard }: Site): MaybePromise<undefined> {
  if (guard === undefined || exchange.route?.access === undefined) return undefined;
  return authenticateWith(guard, exchange);
}

/** Separate, so that servers without credentials do not pay for the variables of these functions. */
function authenticateWith(guard: Guard, exchange: Exchange): MaybePromise<undefined> {
  const header = (name: string) => exchange.header(name);
  const settle = (principal: Principal | null): undefined => {
    exchange.principal = principal;
  };
  const fail = (error: unknown): undefined => {
    if (!(error instanceof DeniedError)) throw error;
    exchange.denied = error;
  };
  try {
    const found = guard.authenticate({ header, request: () => exchange.request() });
    return found instanceof Promise ? found.then(settle, fail) : settle(found);
  } catch (error) {
    return fail(error);
  }
}

function limitCallers(exchange: Exchange, { rates }: Site): MaybePromise<undefined> {
  if (rates === undefined || exchange.route?.access === undefined) return undefined;
  return rates.countCaller(exchange);
}

function checkAccess({ route, principal, denied }: Exchange, { guard }: Site): undefined {
  if (guard === undefined || route?.access === undefined) return;
  if (denied !== undefined) throw denied;
  const denial = guard.denial(clausesOf(route.access), principal);
  if (denial !== undefined) throw new DeniedError(denial);
}

function readBody(exchange: Exchange): MaybePromise<undefined> {
  return exchange.route?.read?.(exchange);
}

function parseBody(exchange: Exchange): undefined {
  exchange.route?.parse?.(exchange);
}

function limitBatch(exchange: Exchange, { rates }: Site): MaybePromise<undefined> {
  const { json } = exchange;
  if (rates === undefined || !Array.isArray(json)) return undefined;
  exchange.prepaid = json.length;
  return rates.countCalls(exchange, [], Math.max(0, json.length - 1));
}

function run(exchange: Exchange): MaybePromise<Answer> {
  if (exchange.route === undefined) throw new Error('invariant: a route was found');
  return exchange.route.run(exchange);
}

/** Answers with an error, for a request without an exchange or an answer that cannot be written. Never throws. */
export function answerError(error: unknown, site: Pick<Site, 'masksErrors' | 'monitor'>, request?: object): Answer {
  return problemAnswer(problemOf(error, site, request));
}

/** Turns an error of a step into an answer, in the format of the path. Never throws. */
function mask(error: unknown, exchange: Exchange, site: Site): Answer {
  // The client has disconnected, which is not a server error.
  if (exchange.client.aborted) return new Answer(499, [], null);
  try {
    const problem = problemOf(error, site, exchange.tracked);
    return exchange.resource?.refuse?.(exchange, problem) ?? problemAnswer(problem);
  } catch (unwritable) {
    // Extensions of an error may be cyclic, or contain values without a JSON form.
    const members = membersOf(unwritable, site, exchange.tracked);
    const problem = { status: 500, detail: unexpected, members };
    return exchange.resource?.refuse?.(exchange, problem) ?? problemAnswer(problem);
  }
}

const unexpected = 'Unexpected error.';

function problemOf(
  error: unknown,
  { masksErrors, monitor }: Pick<Site, 'masksErrors' | 'monitor'>,
  request: object | undefined,
): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof DeniedError) {
    if (error.denial.status === 503) monitor.fault(error.cause, undefined, request);
    return problemOfDenial(error.denial);
  }
  const members = membersOf(error, { masksErrors, monitor }, request);
  if (error instanceof PeerMissingError) return { status: 500, detail: error.message, members };
  if (error instanceof TopologyError) {
    return { status: 503, detail: masksErrors ? 'The topology cannot be served.' : error.message, members };
  }
  return { status: 500, detail: masksErrors || !(error instanceof Error) ? unexpected : error.message, members };
}

/** Reports a fault. With masking, its client gets a code and the reference to the report. */
function membersOf(
  fault: unknown,
  { masksErrors, monitor }: Pick<Site, 'masksErrors' | 'monitor'>,
  request: object | undefined,
): NonNullable<Problem['members']> {
  const reference = reportFault({ monitor, masking: masksErrors }, fault, undefined, request);
  return masksErrors ? { code: 'INTERNAL_SERVER_ERROR', ...reference } : {};
}

function closeForm(_: Answer, { form }: Exchange): void {
  form?.close();
}

function tellOutcome(answer: Answer, { isReplayed, receipt }: Exchange): void {
  if (isReplayed) answer.set('idempotency-replayed', 'true');
  if (receipt !== undefined) answer.set('event-id', receipt);
}

function dropBodyOfHead(answer: Answer, { method }: Exchange): void {
  if (method !== 'HEAD') return;
  if (answer.body instanceof ReadableStream) void answer.body.cancel().catch(() => undefined);
  answer.body = null;
}

function stateRates(answer: Answer, exchange: Exchange, { rates }: Site): void {
  rates?.tell(answer, exchange);
}

function shareWithOrigins(answer: Answer, exchange: Exchange, { cors }: Site): void {
  cors?.share(answer, exchange);
}

function closeWhileDraining(answer: Answer, _: Exchange, { isDraining }: Site): void {
  if (isDraining) answer.set('connection', 'close');
}

function recordAnswer(answer: Answer, { tracked }: Exchange): void {
  tracked?.answered(answer);
}

/** RFC 9110, section 12.5.5. */
function varyByHeaders(answer: Answer, { route }: Exchange): void {
  if (route?.vary !== undefined) answer.vary(route.vary);
}

/**
 * Keeps the answers to GET for callers out of caches (RFC 9111, sections 3.5 and 4.1). On a server that authenticates, an
 * answer of an operation depends on the headers with credentials: caches must know them. An answer that belongs to one
 * caller, or refuses one, is stored nowhere. An answer that says itself how it may be cached keeps that.
 */
function keepFromCaches(answer: Answer, exchange: Exchange, { guard }: Site): void {
  const { method, route, principal, denied } = exchange;
  if (guard === undefined || route?.access === undefined || (method !== 'GET' && method !== 'HEAD')) return;
  answer.vary(guard.vary);
  const { auth, scopes } = route.access;
  const isOpen = principal === null && denied === undefined && auth === undefined && scopes === undefined;
  if (isOpen && answer.status !== 401 && answer.status !== 403) return;
  const given = answer.header('cache-control');
  if (given === undefined || given === 'no-store' || given === 'no-cache')
    answer.set('cache-control', 'private, no-store');
}
