import type { ExecutionResult } from 'graphql';
import type { GraphQLEnvironment } from '../engine.js';
import type { OperationArgs } from '../execution.js';
import type { GuardedRequest } from '../limits/request-guard.js';

/** What came of a request before the engine saw it. */
export type Outcome =
  | { readonly kind: 'answer'; readonly response: Response }
  /** The operation has run, and the engine is to tell of its result, which holds errors. */
  | { readonly kind: 'result'; readonly result: ExecutionResult }
  /** The context could not be made, and the engine is to tell of that. */
  | { readonly kind: 'refused'; readonly error: unknown };

/** Answers the common request by itself; undefined for every request that is not of that kind. */
export type KnownOperations = (guarded: GuardedRequest, request: Request) => Promise<Outcome> | undefined;

/** What Yoga says of its answer. */
const headers = { 'content-type': 'application/json; charset=utf-8' };

/** The members of a request that are understood here. */
const members = new Set(['query', 'variables', 'operationName']);

/** The values of `Accept` to which the answer is plain JSON. */
const plainJson = new Set([null, '*/*', 'application/json', 'application/json, */*']);

/**
 * Steps over an engine for the request that most requests are: one operation, of a document that is known to
 * be valid, in a plain JSON POST, to a client that takes JSON. Its answer, where the operation has no errors,
 * leaves nothing to decide. Whatever is not certainly of this kind is the engine's, from the start; and what
 * goes wrong on the way is told by the engine, which gets what has happened instead of doing it again.
 */
export function createKnownOperations({ execution, contextFor }: GraphQLEnvironment): KnownOperations {
  return ({ body }, request) => {
    if (body === undefined || !isPlain(request)) return undefined;
    const args = readOperation(body);
    const document = args && execution.reader.find(args.query);
    if (args === undefined || document === undefined) return undefined;
    const [operation, ...others] = document.definitions;
    if (operation?.kind !== 'OperationDefinition' || others.length > 0) return undefined;
    if (operation.operation === 'subscription') return undefined;
    const { operationName, variables } = args;
    if (operationName !== undefined && operationName !== operation.name?.value) return undefined;
    const signal = request.signal;
    return run(request, { document, operationName, variableValues: variables, signal });
  };

  async function run(request: Request, args: OperationArgs): Promise<Outcome> {
    let contextValue: unknown;
    try {
      contextValue = await contextFor(request);
    } catch (error) {
      return { kind: 'refused', error };
    }
    const result = await execution.execute({ ...args, contextValue });
    const isWhole = result.errors === undefined && result.extensions === undefined;
    if (!isWhole) return { kind: 'result', result };
    return { kind: 'answer', response: new Response(JSON.stringify({ data: result.data }), { headers }) };
  }
}

function isPlain({ method, url, headers: given }: Request): boolean {
  return (
    method === 'POST' &&
    !url.includes('?') &&
    plainJson.has(given.get('accept')) &&
    /^application\/json(; charset=utf-8)?$/.test(given.get('content-type') ?? '')
  );
}

function readOperation(body: object | string | number | boolean | null) {
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
