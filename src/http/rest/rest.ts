import { narrowedMediaType, type RestRoute, restRoutes } from '../../api/rest-routes.js';
import type { Execution } from '../../execute/execution.js';
import type { Limits } from '../../execute/limits/limits.js';
import { type MaybePromise, proceed } from '../../execute/values/maybe-promise.js';
import { isPromiseLike } from '../../execute/values/read-property.js';
import type { JsonValue } from '../../graph/json-value.js';
import { createSuggester } from '../../graph/suggest.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import type { DirectAnswer, DirectRequest } from '../direct/direct-request.js';
import { readUtf8 } from '../direct/read-utf8.js';
import { type CoercionContext, readMembers } from './coerce.js';
import { compileRestOperation, type RestOperation } from './operation.js';
import { operationProblem } from './operation-problem.js';
import { JsonRefusal, parseJson } from './parse-json.js';
import { jsonResponse, ProblemError, problemResponse } from './problem.js';
import { createQuickReader } from './quick-query.js';
import { asArguments, readJsonBody } from './read-body.js';
import { readQueryArguments, splitQuery } from './read-query.js';

/** Under which path the REST inventory is served. */
export const restPrefix = '/api/';

/** What REST needs of the server that it belongs to. */
export interface RestEnvironment {
  readonly schema: GqlSchema;
  /** Loads graphql-js on the first call. */
  readonly execution: () => Promise<Execution>;
  /** The same, where it is loaded. */
  readonly loadedExecution: () => Execution | undefined;
  /** The context that resolvers get. */
  readonly contextFor: (request: Request) => unknown;
  /** The same, for a request of the common kind. */
  readonly directContext: (request: DirectRequest) => unknown;
  readonly limits: Pick<Limits, 'body'>;
}

/** Answers requests below `/api/`. */
export interface RestHandler {
  /** Rejects with a {@link ProblemError} where a request is wrong or its operation fails. */
  handle(request: Request, url: URL): Promise<Response>;
  /** The same for requests of the common kind; throws and rejects with the same. */
  direct(request: DirectRequest): MaybePromise<DirectAnswer> | undefined;
}

/**
 * Makes the handler of the REST inventory: queries answer GET and HEAD, mutations POST, and every route
 * OPTIONS. It runs the same executable schema as GraphQL.
 */
export function createRestHandler(environment: RestEnvironment): RestHandler {
  const routes = new Map<string, Map<string, Route>>();
  for (const route of restRoutes(environment.schema)) {
    const methods = routes.get(route.path) ?? new Map<string, Route>();
    const made = createRoute(environment, route);
    methods.set(route.method, made);
    if (route.method === 'GET') methods.set('HEAD', made);
    routes.set(route.path, methods);
  }
  return {
    async handle(request, url) {
      const methods = routes.get(url.pathname);
      if (methods === undefined) throw unknownRoute(url.pathname, routes.keys());
      const allow = [...methods.keys(), 'OPTIONS'].join(', ');
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
      const route = methods.get(request.method);
      if (route === undefined) {
        const detail = `${url.pathname} does not answer ${request.method}.`;
        return problemResponse({ status: 405, detail, headers: { allow } });
      }
      const { text, mediaType = 'application/json' } = await route.answer(request, url);
      return jsonResponse(200, text, { 'content-type': `${mediaType}; charset=utf-8` });
    },
    direct(request) {
      return routes.get(request.pathname)?.get(request.method)?.direct(request);
    },
  };
}

/** Answers requests for one operation. */
interface Route {
  answer(request: Request, url: URL): Promise<DirectAnswer>;
  readonly direct: RestHandler['direct'];
}

function createRoute(environment: RestEnvironment, { method, operation }: RestRoute): Route {
  const { schema, limits } = environment;
  let compiled: RestOperation | undefined;
  const operationFor = (execution: Execution): RestOperation => {
    compiled ??= compileRestOperation(schema, operation, execution);
    return compiled;
  };
  return {
    async answer(request, url) {
      const execution = await environment.execution();
      const context: CoercionContext = { schema, refuse: execution.refuse };
      const { args, fields } =
        method === 'GET'
          ? readGet(context, operation, url.search)
          : await readPost(context, operation, request, url, limits.body);
      const contextValue = await readContext(execution, () => environment.contextFor(request));
      return asAnswer(await operationFor(execution).run(args, fields, contextValue, request.signal), fields);
    },
    direct: createDirectRoute(environment, operation, method, operationFor),
  };
}

function createDirectRoute(
  { schema, loadedExecution, directContext }: RestEnvironment,
  operation: GqlOperation,
  method: RestRoute['method'],
  operationFor: (execution: Execution) => RestOperation,
): RestHandler['direct'] {
  const readQuickly = createQuickReader(schema, operation.arguments);
  const read = (execution: Execution, { query, body }: DirectRequest): Given | undefined => {
    const quick = method === 'GET' ? readQuickly(query ?? '') : undefined;
    if (quick !== undefined) return { args: quick, fields: undefined };
    const context: CoercionContext = { schema, refuse: execution.refuse };
    return method === 'GET'
      ? readDirectGet(context, operation, query ?? '')
      : readDirectPost(context, operation, query, body);
  };
  return (request) => {
    const execution = loadedExecution();
    const given = execution && read(execution, request);
    if (execution === undefined || given === undefined) return undefined;
    const run = (contextValue: unknown) =>
      operationFor(execution).run(given.args, given.fields, contextValue, request.client);
    return proceed(
      proceed(
        readContext(execution, () => directContext(request)),
        run,
      ),
      (text) => asAnswer(text, given.fields),
    );
  };
}

function asAnswer(text: string, fields: Given['fields']): DirectAnswer {
  return { text, mediaType: fields === undefined ? undefined : narrowedMediaType, isGuarded: true };
}

/** What a request for an operation gives. */
interface Given {
  readonly args: Readonly<Record<string, JsonValue>>;
  /** The values of `?fields=`. */
  readonly fields: readonly string[] | undefined;
}

/** What is wrong with a request is told by who answers it the whole way. */
function unlessRefused(read: () => Given): Given | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProblemError || error instanceof JsonRefusal) return undefined;
    throw error;
  }
}

function readDirectGet(context: CoercionContext, operation: GqlOperation, query: string): Given | undefined {
  // Who parses addresses cuts off a fragment, and encodes what is none of ASCII.
  if (/[#\u0080-\uffff]/.test(query)) return undefined;
  return unlessRefused(() => readGet(context, operation, `?${query}`));
}

function readDirectPost(
  context: CoercionContext,
  { arguments: declarations }: GqlOperation,
  query: string | undefined,
  body: Uint8Array | undefined,
): Given | undefined {
  const text = query === undefined && body !== undefined ? readUtf8(body) : undefined;
  if (text === undefined || text === '') return undefined;
  return unlessRefused(() => {
    const args = readMembers(context, declarations, asArguments(parseJson(text)), undefined);
    return { args, fields: undefined };
  });
}

/** A context that cannot be made fails the operation, as it does over GraphQL. */
function readContext({ mask }: Execution, make: () => unknown): unknown {
  const fail = (error: unknown): never => {
    throw new ProblemError(operationProblem([mask.thrown(error)]));
  };
  try {
    const context = make();
    return isPromiseLike(context) ? Promise.resolve(context).catch(fail) : context;
  } catch (error) {
    return fail(error);
  }
}

function readGet(context: CoercionContext, operation: GqlOperation, search: string): Given {
  const pairs = new Map(splitQuery(search));
  // An argument that is called `fields` is an argument; then there is no narrowing.
  const fields = operation.arguments.some(({ name }) => name === 'fields') ? undefined : takeFields(pairs);
  return { args: readQueryArguments(context, operation.arguments, pairs), fields };
}

/** The arguments of a mutation are its body; its query string can say nothing but which fields to answer. */
async function readPost(
  context: CoercionContext,
  operation: GqlOperation,
  request: Request,
  url: URL,
  maximum: number,
): Promise<Given> {
  const pairs = new Map(splitQuery(url.search));
  const fields = takeFields(pairs);
  readQueryArguments(context, [], pairs);
  return {
    args: readMembers(context, operation.arguments, await readJsonBody(request, maximum), undefined),
    fields,
  };
}

function takeFields(pairs: Map<string, readonly string[]>): readonly string[] | undefined {
  const fields = pairs.get('fields');
  pairs.delete('fields');
  return fields;
}

function unknownRoute(path: string, known: Iterable<string>): ProblemError {
  const suggestion = createSuggester(known).nearest(path);
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return new ProblemError({ status: 404, detail: `There is nothing at ${path}.${hint}` });
}
