import type { Limits } from '../../execute/limits/limits.js';
import type { JsonValue } from '../../graph/json-value.js';
import { JsonRefusal, parseJson } from '../rest/parse-json.js';
import { jsonResponse, ProblemError } from '../rest/problem.js';
import { readBytes } from '../rest/read-body.js';
import { isForgeable } from './csrf.js';

/** A request for GraphQL that an engine may see. */
export interface GuardedRequest {
  /** The JSON of its body, where it has one: an object, or a list of them where batching is on. */
  readonly body: JsonValue | undefined;
  /** The request with its body, which has been read, for an engine that reads requests by itself. */
  toRequest(): Request;
}

/** Looks at a request before an engine does. Gives the refusal when it goes no further. */
export type RequestGuard = (request: Request, url: URL) => Promise<GuardedRequest | Response>;

/**
 * Makes what stands before GraphQL over HTTP, the same for every engine: no request that a page of another
 * site could have sent, no body beyond the limit, none that is compressed, not UTF-8, or nested without end,
 * and no list of operations unless there may be one.
 */
export function createRequestGuard(limits: Limits): RequestGuard {
  return async (request, url) => {
    try {
      if (limits.csrf && isForgeable(request, url)) throw forgeable();
      if (request.method === 'GET' || request.method === 'HEAD') {
        checkQueryString(url);
        return { body: undefined, toRequest: () => request };
      }
      return await readGuarded(request, limits);
    } catch (error) {
      if (error instanceof Refusal) return answerRefusal(request, error);
      if (error instanceof ProblemError) {
        const { status, detail } = error.problem;
        return answerRefusal(request, new Refusal(status, 'BAD_REQUEST', detail));
      }
      throw error;
    }
  };
}

async function readGuarded(request: Request, limits: Limits): Promise<GuardedRequest> {
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal(415, 'BAD_REQUEST', `A body with the encoding ${encoding} is not read.`);
  }
  const bytes = await readBytes(request, limits.body);
  const text = decode(bytes);
  const body = isJson(request) ? readBody(text, limits) : undefined;
  return { body, toRequest: () => withBody(request, text) };
}

/** A request whose body has been read, to be read again. */
export function withBody({ url, method, headers, signal }: Request, text: string): Request {
  return new Request(url, { method, headers, signal, ...(text === '' ? {} : { body: text }) });
}

function readBody(text: string, limits: Limits): JsonValue {
  const body = readJson(text, 'The body');
  if (Array.isArray(body)) {
    if (limits.batching === 0) {
      throw new Refusal(400, 'BATCHING_DISABLED', 'A request holds one operation, not a list of them.');
    }
    if (body.length > limits.batching) {
      const detail = `The request holds ${body.length} operations; at most ${limits.batching} are allowed.`;
      throw new Refusal(400, 'BATCHING_LIMIT_EXCEEDED', detail);
    }
  }
  const operations: readonly JsonValue[] = Array.isArray(body) ? body : [body];
  if (operations.length === 0 || !operations.every(isObject)) {
    throw new Refusal(400, 'BAD_REQUEST', 'The body must be a JSON object.');
  }
  return body;
}

/** The members of a request that are JSON in a query string could be nested without end as well. */
function checkQueryString(url: URL): void {
  try {
    decodeURIComponent(url.search);
  } catch {
    throw new Refusal(400, 'BAD_REQUEST', 'The query string is not percent-encoded UTF-8.');
  }
  for (const name of ['variables', 'extensions']) {
    const value = url.searchParams.get(name);
    if (value !== null && value !== '') readJson(value, `“${name}”`);
  }
}

function readJson(text: string, what: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonRefusal) throw new Refusal(400, 'BAD_REQUEST', `${what} ${error.message}`);
    throw error;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'BAD_REQUEST', 'The body is not UTF-8.');
  }
}

function isJson({ headers }: Request): boolean {
  return /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

function isObject(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Why a request goes no further. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

function forgeable(): Refusal {
  const advice = 'Send it as application/json, or with a header such as apollo-require-preflight: 1.';
  return new Refusal(400, 'CSRF_PREVENTED', `A page of another site could have sent this request. ${advice}`);
}

/** The answer of GraphQL over HTTP, in the media type that the client asks for. */
function answerRefusal(request: Request, { status, code, message }: Refusal): Response {
  const media = 'application/graphql-response+json';
  const type = (request.headers.get('accept') ?? '').includes(media) ? media : 'application/json';
  return jsonResponse(status, JSON.stringify({ errors: [{ message, extensions: { code } }] }), {
    'content-type': `${type}; charset=utf-8`,
  });
}
