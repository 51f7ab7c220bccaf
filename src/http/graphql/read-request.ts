import { ProblemError } from '../../call/problem.js';
import type { JsonValue } from '../../graph/json-value.js';
import type { Limits } from '../../limits/limits.js';
import { isJsonObject } from '../../limits/parse-json.js';
import type { Exchange } from '../exchange.js';
import { checkBatch, decodeBody, readJsonText } from '../read-body.js';

/**
 * Parses the body of a POST, the same for every engine: it must be UTF-8, not nested too deeply, and not a list of
 * operations unless batching is on. Any other body is refused with a {@link ProblemError}.
 */
export function parsePost(exchange: Exchange, limits: Limits): void {
  decodeBody(exchange);
  // The engine handles other content types.
  if (jsonType.test(exchange.header('content-type') ?? ''))
    exchange.json = readOperations(exchange.text, limits);
}

/** Checks the query string of a GET, including the nesting of parameters that contain JSON. Throws a `ProblemError`. */
export function checkQueryString({ query }: Exchange): void {
  if (query === '') return;
  try {
    decodeURIComponent(query);
  } catch {
    throw refusal('BAD_REQUEST', 'The query string is not percent-encoded UTF-8.');
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
  if (operations.length === 0 || !operations.every(isJsonObject)) {
    throw refusal('BAD_REQUEST', 'The body must be a JSON object.');
  }
  return body;
}

function refusal(code: string, detail: string): ProblemError {
  return new ProblemError({ status: 400, detail, members: { code } });
}
