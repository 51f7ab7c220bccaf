import { type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import { takesFiles } from '../../../compiler/api/form-parts.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import type { Calls } from '../../call/calls.js';
import type { Environment } from '../../call/environment.js';
import { type Problem, ProblemError } from '../../call/problem.js';
import type { Limits } from '../../limits/limits.js';
import { isJsonObject } from '../../limits/parse-json.js';
import { Answer, textAnswer } from '../answer.js';
import { isForgeable } from '../csrf.js';
import type { EarlyOutcome, Exchange, Resource, Route } from '../exchange.js';
import { readOperation } from '../operation-request.js';
import { checkBatch, decodeBody, readJsonText, receiveBody } from '../read-body.js';
import { isForm, openForm } from '../read-form.js';
import { createEventStreams } from '../sse/event-stream.js';
import type { Engine, GraphQLHandler } from './engine.js';
import { createKnownOperations, readValid } from './known-operation.js';
import { readMultipart } from './multipart.js';

interface Loaded {
  readonly denied: ReturnType<typeof createEarlyDenial>;
  readonly engine: GraphQLHandler;
  readonly answerKnown: ReturnType<typeof createKnownOperations> | undefined;
}

/**
 * Makes the resource of the GraphQL path. The engine is loaded for the first request, so a server that gets only REST
 * requests needs none.
 */
export function createGraphQLResource(environment: Environment, implementation: Engine): Resource {
  const { contextFor, limits } = environment;
  const hasFiles = takesFiles(environment.schema);
  let loading: Promise<Loaded> | undefined;
  let loaded: Loaded | undefined;
  const load = async (): Promise<Loaded> => {
    const execution = await environment.execution();
    const engine = await implementation.load(environment, execution);
    const { plain } = engine;
    const answerKnown = plain && createKnownOperations(execution, plain, contextFor);
    loaded = { engine, answerKnown, denied: createEarlyDenial(execution) };
    return loaded;
  };
  const streamEvents = implementation.streamsEvents ? () => undefined : createEventStreams(environment);

  const answer = (ready: Loaded, exchange: Exchange): MaybePromise<Answer> => {
    const denied = ready.denied?.(exchange);
    if (denied !== undefined) return denied.then((outcome) => conclude(ready, exchange, outcome));
    const known = ready.answerKnown?.(exchange);
    return known instanceof Promise
      ? known.then((settled) => conclude(ready, exchange, settled))
      : conclude(ready, exchange, known);
  };
  const run = (exchange: Exchange): MaybePromise<Answer> => {
    if (loaded !== undefined) return answer(loaded, exchange);
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading.then((engine) => answer(engine, exchange));
  };
  const post = {
    access: {},
    checkOrigin: refuseForged,
    read: (exchange: Exchange) =>
      hasFiles && isForm(exchange) ? openForm(exchange, limits) : receiveBody(exchange, limits.body),
    parse: (exchange: Exchange) => parsePost(exchange, limits),
    run(exchange: Exchange) {
      const streamed = streamEvents(exchange);
      return streamed === undefined ? run(exchange) : proceed(streamed, (stream) => stream ?? run(exchange));
    },
  };
  const get = {
    access: {},
    checkOrigin: refuseForged,
    parse: checkQueryString,
    run: (exchange: Exchange) => proceed(post.run(exchange), withCacheHeaders),
  };
  return {
    allow: 'GET, POST, OPTIONS',
    routes: new Map<string, Route>(Object.entries({ GET: get, POST: post })),
    refuse: (exchange, problem) => {
      const refused = refuse(exchange, problem);
      return exchange.method === 'GET' ? withCacheHeaders(refused) : refused;
    },
  };
}

function conclude({ engine }: Loaded, exchange: Exchange, known: Answer | EarlyOutcome | undefined) {
  if (known instanceof Answer) return known;
  exchange.outcome = known;
  return engine.handle(exchange);
}

function refuseForged(exchange: Exchange): void {
  if (!isForgeable(exchange)) return;
  const detail =
    'A page of another site could have sent this request. ' +
    'Send it as application/json, or with a header such as apollo-require-preflight: 1.';
  throw badRequest(detail, 'CSRF_PREVENTED');
}

/** The answer to a GET depends on `Accept`, and must not be cached for other clients. */
function withCacheHeaders(answer: Answer): Answer {
  answer.vary('Accept');
  if (answer.header('cache-control') === undefined) answer.set('cache-control', 'no-store');
  return answer;
}

const responseMedia = 'application/graphql-response+json';

/** Answers with a GraphQL-over-HTTP error, in the media type that the client accepts. */
function refuse(exchange: Exchange, { status, detail, members, headers = [] }: Problem): Answer {
  const standard = status >= 500 ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST';
  const { code = standard, scopes, reference } = members ?? {};
  const body = JSON.stringify({ errors: [{ message: detail, extensions: { code, scopes, reference } }] });
  const accepted = exchange.header('accept') ?? '';
  const media = accepted.includes(responseMedia) ? responseMedia : 'application/json';
  return textAnswer(status, body, `${media}; charset=utf-8`, headers);
}

/**
 * Makes the check of callers before the engine makes the context of a request, as on REST routes: a context function may
 * rely on the principal. Returns the outcome for a caller without access. The execution checks every operation again,
 * those of batches and of plugins as well. Undefined on a server without demands.
 */
function createEarlyDenial(execution: Calls) {
  const { denies } = execution;
  if (denies === undefined) return undefined;
  return (exchange: Exchange): Promise<EarlyOutcome> | undefined => {
    const { principal, tracked } = exchange;
    const operation = readOperation(exchange);
    if (operation === undefined || 'fault' in operation) return undefined;
    const document = readValid(execution, operation.query);
    if (document === undefined) return undefined;
    const { operationName } = operation;
    const args = { document, operationName, principal };
    if (!denies(args)) return undefined;
    // Nothing runs. The refusal has the spans and metrics of an operation.
    return execution.execute({ ...args, source: exchange, tracked }).then((result) => ({ kind: 'result', result }));
  };
}

/**
 * Parses the body of a POST, the same for every engine: it must be UTF-8, not nested too deeply, and not a list of
 * operations unless batching is on. Any other body is refused with a {@link ProblemError}.
 */
function parsePost(exchange: Exchange, limits: Limits): void {
  const { form } = exchange;
  if (form !== undefined) {
    exchange.json = readMultipart(form, (text) => readOperations(text, limits));
    return;
  }
  decodeBody(exchange);
  // The engine handles other content types.
  if (jsonType.test(exchange.header('content-type') ?? '')) exchange.json = readOperations(exchange.text, limits);
}

/** Checks the query string of a GET, including the nesting of parameters that contain JSON. Throws a `ProblemError`. */
function checkQueryString({ query }: Exchange): void {
  if (query === '') return;
  try {
    decodeURIComponent(query);
  } catch {
    throw badRequest('The query string is not percent-encoded UTF-8.');
  }
  const parameters = new URLSearchParams(query);
  for (const name of ['variables', 'extensions']) {
    const value = parameters.get(name);
    if (value !== null && value !== '') readJsonText(value, `“${name}”`);
  }
}

const jsonType = /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i;

function readOperations(text: string, limits: Limits): JsonValue {
  const body = readJsonText(text, 'The body');
  checkBatch(body, limits);
  const operations: readonly JsonValue[] = Array.isArray(body) ? body : [body];
  if (operations.length === 0 || !operations.every(isJsonObject)) throw badRequest('The body must be a JSON object.');
  return body;
}

function badRequest(detail: string, code = 'BAD_REQUEST'): ProblemError {
  return new ProblemError({ status: 400, detail, members: { code } });
}
