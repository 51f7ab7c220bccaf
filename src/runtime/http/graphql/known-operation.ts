import type { DocumentNode } from 'graphql';
import { isPromiseLike, type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import type { Calls } from '../../call/calls.js';
import type { JsonText } from '../../execute/compiled/json-text.js';
import { type Printed, PrintedResult } from '../../execute/compiled/printed-result.js';
import type { OperationRequest } from '../../execute/resolvers/contract.js';
import { maxLength } from '../../limits/known-documents.js';
import { isJsonObject } from '../../limits/parse-json.js';
import { Answer, lengthOf } from '../answer.js';
import type { EarlyOutcome, Exchange } from '../exchange.js';
import { readFromMembers } from '../operation-request.js';
import type { PlainAnswers } from './engine.js';

/**
 * The fast path: runs one operation of a valid document in a plain JSON request. Without errors, the answer has the
 * bytes that the engine would send. With errors, the engine formats the outcome. Every other request is undefined, and
 * is passed to the engine unchanged.
 */
export function createKnownOperations(
  execution: Calls,
  plain: PlainAnswers,
  contextFor: (exchange: Exchange) => unknown,
) {
  const documentOf = (text: string): DocumentNode | undefined =>
    execution.reader.find(text) ?? // A long document is not cached, so the engine would parse an invalid one a second time.
    (plain.readsDocuments && text.length <= maxLength ? readValid(execution, text) : undefined);

  const finish = (result: Printed): Answer | EarlyOutcome => {
    if (result instanceof PrintedResult) {
      const { key, json } = result;
      const [head, tail] = [`{"data":{${key}:`, `}}${plain.end}`];
      return answer(typeof json === 'string' ? head + json + tail : [Buffer.from(head), ...json, Buffer.from(tail)]);
    }
    const isWhole = result.errors === undefined && result.extensions === undefined;
    return isWhole ? answer(JSON.stringify({ data: result.data }) + plain.end) : { kind: 'result', result };
  };

  const run = (
    document: DocumentNode,
    { operationName, variables: variableValues }: OperationRequest,
    context: unknown,
    exchange: Exchange,
  ): MaybePromise<Answer | EarlyOutcome> => {
    const contextValue = plain.scope(context);
    const { client, principal, tracked } = exchange;
    const args = {
      document,
      operationName,
      variableValues,
      contextValue,
      client,
      principal,
      source: exchange,
      tracked,
    };
    return proceed(execution.answer(args), finish);
  };

  return (exchange: Exchange): MaybePromise<Answer | EarlyOutcome | undefined> => {
    const operation = isPlainRequest(exchange) ? readOperation(exchange.json) : undefined;
    const document = operation && documentOf(operation.query);
    if (operation === undefined || document === undefined || !isSingle(document, operation)) return undefined;
    let context: unknown;
    try {
      context = contextFor(exchange);
    } catch (error) {
      return refuse(error);
    }
    if (!isPromiseLike(context)) return run(document, operation, context, exchange);
    // Only an error of the context is an outcome; errors of the operation are handled by the steps.
    return Promise.resolve(context)
      .then((value) => ({ value }), refuse)
      .then((made) => ('kind' in made ? made : run(document, operation, made.value, exchange)));
  };
}

function answer(text: JsonText): Answer {
  const type = 'application/json; charset=utf-8';
  return new Answer(200, ['content-type', type, 'content-length', lengthOf(text)], text);
}

function refuse(error: unknown): EarlyOutcome {
  return { kind: 'refused', error };
}

/**
 * Whether the answer depends only on the operation: a JSON POST without a query string, from a client that accepts
 * plain JSON. The engine handles all other requests.
 */
function isPlainRequest(exchange: Exchange): boolean {
  return (
    exchange.method === 'POST' &&
    exchange.query === '' &&
    plainAccept.has(exchange.header('accept')) &&
    isPlainType(exchange.header('content-type'))
  );
}

/** The values of `Accept` for which engines answer with plain JSON. */
const plainAccept = new Set([undefined, '*/*', 'application/json', 'application/json, */*']);

function isPlainType(type: string | undefined): boolean {
  return type === 'application/json' || type === 'application/json; charset=utf-8';
}

const members = new Set(['query', 'variables', 'operationName']);

/** Parses and validates a document; undefined if it has errors, which the engine reports. */
export function readValid({ reader }: Calls, text: string): DocumentNode | undefined {
  try {
    const document = reader.parse(text);
    return reader.validate(document).length === 0 ? document : undefined;
  } catch {
    return undefined;
  }
}

function isSingle({ definitions }: DocumentNode, { operationName }: OperationRequest): boolean {
  const [operation, ...others] = definitions;
  if (operation?.kind !== 'OperationDefinition' || others.length > 0) return false;
  if (operation.operation === 'subscription') return false;
  return (operationName ?? operation.name?.value) === operation.name?.value;
}

function readOperation(body: Exchange['json']): OperationRequest | undefined {
  if (!isJsonObject(body)) return undefined;
  for (const name of Object.keys(body)) if (!members.has(name)) return undefined;
  const operation = readFromMembers(body);
  return 'fault' in operation ? undefined : operation;
}
