import type { DocumentNode, ExecutionResult } from 'graphql';
import { PrintedResult } from '../../execute/compiled/printed-result.js';
import type { AnswerArgs, Execution } from '../../execute/execution.js';
import { maxLength } from '../../execute/limits/known-documents.js';
import { type MaybePromise, proceed } from '../../execute/values/maybe-promise.js';
import type { DirectAnswer, DirectRequest } from '../direct/direct-request.js';
import { readUtf8 } from '../direct/read-utf8.js';
import { parseJson } from '../rest/parse-json.js';
import type { GuardedRequest } from './request-guard.js';

/** What came of a request before the engine saw it. */
export type Outcome =
  | { readonly kind: 'answer'; readonly text: string }
  /** The operation has run, and the engine is to tell of its result, which holds errors. */
  | { readonly kind: 'result'; readonly result: ExecutionResult }
  /** The context could not be made, and the engine is to tell of that. */
  | { readonly kind: 'refused'; readonly error: unknown };

/** How an engine answers an operation that has no errors, to a client that takes JSON. */
export interface PlainAnswers {
  /** What it writes after the JSON. */
  readonly end: string;
  /** What it makes of a context before resolvers get it. */
  scope(context: unknown): unknown;
  /** Whether it says how long its answer is. */
  readonly statesLength: boolean;
  /** Whether documents that nobody has sent before are read here too, and not by the engine. */
  readonly readsDocuments: boolean;
}

/** Answers the common request by itself; undefined for every request that is not of that kind. */
export interface KnownOperations {
  answer(
    guarded: GuardedRequest,
    request: Request,
    contextFor: () => unknown,
  ): MaybePromise<Outcome> | undefined;
  /** The same for a request of the common kind, and for no other. */
  direct(request: DirectRequest, body: unknown, contextFor: () => unknown): MaybePromise<Outcome> | undefined;
}

/** What Yoga and Apollo say of such an answer. */
export const plainHeaders = { 'content-type': 'application/json; charset=utf-8' };

/** The members of a request that are understood here. */
const members = new Set(['query', 'variables', 'operationName']);

/** The values of `Accept` to which the answer is plain JSON. */
const plainJson = new Set([undefined, '*/*', 'application/json', 'application/json, */*']);

/**
 * Steps over an engine for the request that most requests are: one operation, of a document that is known to
 * be valid, in a plain JSON POST, to a client that takes JSON. Its answer, where the operation has no errors,
 * leaves nothing to decide. Whatever is not certainly of this kind is the engine's, from the start; and what
 * goes wrong on the way is told by the engine, which gets what has happened instead of doing it again.
 */
export function createKnownOperations(execution: Execution, plain: PlainAnswers): KnownOperations {
  const documentOf = (text: string): DocumentNode | undefined =>
    execution.reader.find(text) ?? (plain.readsDocuments ? readValid(execution, text) : undefined);

  const start = (
    body: unknown,
    contextFor: () => unknown,
    client: AnswerArgs['client'],
  ): MaybePromise<Outcome> | undefined => {
    const args = readOperation(body);
    const document = args && documentOf(args.query);
    if (args === undefined || document === undefined || !isSingle(document, args.operationName))
      return undefined;
    const run = (context: unknown): MaybePromise<Outcome> => {
      const contextValue = plain.scope(context);
      const { operationName, variables: variableValues } = args;
      return proceed(
        execution.answer({ document, operationName, variableValues, contextValue, client }),
        finish,
      );
    };
    const refuse = (error: unknown): Outcome => ({ kind: 'refused', error });
    try {
      const context = contextFor();
      return context instanceof Promise ? context.then(run, refuse) : run(context);
    } catch (error) {
      return refuse(error);
    }
  };

  const finish = (result: ExecutionResult | PrintedResult): Outcome => {
    if (result instanceof PrintedResult) {
      return { kind: 'answer', text: `{"data":{${result.key}:${result.value}}}${plain.end}` };
    }
    const isWhole = result.errors === undefined && result.extensions === undefined;
    if (!isWhole) return { kind: 'result', result };
    return { kind: 'answer', text: JSON.stringify({ data: result.data }) + plain.end };
  };

  return {
    answer({ body }, request, contextFor) {
      return body === undefined || !isPlain(request) ? undefined : start(body, contextFor, request.signal);
    },
    direct: (request, body, contextFor) => start(body, contextFor, request.client),
  };
}

/** Reads the body of a request of the common kind; undefined where an engine has to look at the request. */
export function readDirectBody({ body, query, accept }: DirectRequest): unknown {
  if (body === undefined || query !== undefined || !plainJson.has(accept)) return undefined;
  const text = readUtf8(body);
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The answer of a request of the common kind. */
export function plainAnswer(text: string): DirectAnswer {
  return { text, isGuarded: false };
}

/** Reads a document that was not seen before; what is wrong with it is for the engine to tell. */
function readValid({ reader }: Execution, text: string): DocumentNode | undefined {
  // A long one is not kept, and would be read twice where it is wrong.
  if (text.length > maxLength) return undefined;
  try {
    const document = reader.parse(text);
    return reader.validate(document).length === 0 ? document : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a document is one query or mutation, and the one that is asked for. */
function isSingle({ definitions }: DocumentNode, operationName: string | undefined): boolean {
  const [operation, ...others] = definitions;
  if (operation?.kind !== 'OperationDefinition' || others.length > 0) return false;
  if (operation.operation === 'subscription') return false;
  return operationName === undefined || operationName === operation.name?.value;
}

function isPlain({ method, url, headers: given }: Request): boolean {
  return (
    method === 'POST' &&
    !url.includes('?') &&
    plainJson.has(given.get('accept') ?? undefined) &&
    /^application\/json(; charset=utf-8)?$/.test(given.get('content-type') ?? '')
  );
}

function readOperation(body: unknown) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  for (const name of Object.keys(body)) if (!members.has(name)) return undefined;
  const { query, variables, operationName } = body as Record<string, unknown>;
  if (typeof query !== 'string') return undefined;
  if (variables !== undefined && (typeof variables !== 'object' || Array.isArray(variables)))
    return undefined;
  if (operationName !== undefined && typeof operationName !== 'string') return undefined;
  return {
    query,
    operationName,
    variables: variables as Readonly<Record<string, unknown>> | null | undefined,
  };
}
