import type { MaybePromise } from '../../../base/values/maybe-promise.js';
import { ProblemError } from '../../call/problem.js';
import type { Limits } from '../../limits/limits.js';
import { isForeign } from '../csrf.js';
import type { Exchange, Route } from '../exchange.js';
import { decodeBody, readJsonText, receiveBody } from '../read-body.js';

/** The parts of a route that takes a JSON object. */
export function jsonBody({ body }: Pick<Limits, 'body'>): Pick<Route, 'checkOrigin' | 'read' | 'parse'> {
  return { checkOrigin, read: (exchange) => readArguments(exchange, body), parse: parseArguments };
}

/** Any page can send a POST without a content type; `application/json` across sites takes a preflight request. */
export function checkOrigin(exchange: Exchange): void {
  if (exchange.header('content-type') === undefined && isForeign(exchange))
    throw unsupported('with a content-type header');
}

export function readArguments(exchange: Exchange, maximum: number): MaybePromise<undefined> {
  const contentType = exchange.header('content-type');
  if (contentType !== undefined && !isJson(contentType)) throw unsupported(`not ${contentType}`);
  return receiveBody(exchange, maximum);
}

/** Parses the body of a mutation. An operation without required arguments needs no body. */
function parseArguments(exchange: Exchange): void {
  decodeBody(exchange);
  if (exchange.text === '') return;
  if (exchange.header('content-type') === undefined) throw unsupported('with a content-type header');
  exchange.json = readJsonText(exchange.text, 'The body');
}

function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.toLowerCase().split(';');
  return (
    type?.trim() === 'application/json' &&
    parameters.every((parameter) => /^\s*(charset\s*=\s*"?utf-8"?)?\s*$/.test(parameter))
  );
}

function unsupported(what: string): ProblemError {
  const detail = `The body must be application/json, ${what}.`;
  return new ProblemError({ status: 415, detail, headers: ['accept-post', 'application/json'] });
}
