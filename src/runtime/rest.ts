import { createSuggester } from '../graph/suggest.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { type RestRoute, restRoutes } from '../schema/rest-routes.js';
import type { Execution } from './execution.js';
import type { Limits } from './limits/limits.js';
import { type CoercionContext, readMembers } from './rest/coerce.js';
import { compileRestOperation, type RestOperation } from './rest/operation.js';
import { operationProblem } from './rest/operation-problem.js';
import { jsonResponse, ProblemError, problemResponse } from './rest/problem.js';
import { readJsonBody } from './rest/read-body.js';
import { readQueryArguments, splitQuery } from './rest/read-query.js';

/** Under which path the REST inventory is served. */
export const restPrefix = '/api/';

/** What REST needs of the server that it belongs to. */
export interface RestEnvironment {
  readonly schema: GqlSchema;
  /** Loads graphql-js on the first call. */
  readonly execution: () => Promise<Execution>;
  /** The context that resolvers get. */
  readonly contextFor: (request: Request) => unknown;
  readonly limits: Pick<Limits, 'body'>;
}

/**
 * Makes the handler of the REST inventory: queries answer GET and HEAD, mutations POST, and every route
 * OPTIONS. It runs the same executable schema as GraphQL.
 *
 * @returns A handler for requests below `/api/`. It rejects with a {@link ProblemError} where a request is
 * wrong or its operation fails.
 */
export function createRestHandler(
  environment: RestEnvironment,
): (request: Request, url: URL) => Promise<Response> {
  const routes = new Map<string, Map<string, Route>>();
  for (const route of restRoutes(environment.schema)) {
    const methods = routes.get(route.path) ?? new Map<string, Route>();
    const handler = createRoute(environment, route);
    methods.set(route.method, handler);
    if (route.method === 'GET') methods.set('HEAD', handler);
    routes.set(route.path, methods);
  }
  return async (request, url) => {
    const methods = routes.get(url.pathname);
    if (methods === undefined) throw unknownRoute(url.pathname, routes.keys());
    const allow = [...methods.keys(), 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
    const route = methods.get(request.method);
    if (route === undefined) {
      const detail = `${url.pathname} does not answer ${request.method}.`;
      return problemResponse({ status: 405, detail, headers: { allow } });
    }
    return jsonResponse(200, JSON.stringify(await route(request, url)));
  };
}

/** Answers a request for one operation with its value. */
type Route = (request: Request, url: URL) => Promise<unknown>;

function createRoute(environment: RestEnvironment, { method, operation }: RestRoute): Route {
  let compiled: RestOperation | undefined;
  return async (request, url) => {
    const execution = await environment.execution();
    const context: CoercionContext = { schema: environment.schema, refuse: execution.refuse };
    const { args, fields } =
      method === 'GET'
        ? readGet(context, operation, url)
        : await readPost(context, operation, request, url, environment.limits.body);
    compiled ??= compileRestOperation(environment.schema, operation, execution);
    const contextValue = await readContext(environment, execution, request);
    return compiled.run(args, fields, contextValue, request.signal);
  };
}

/** A context that cannot be made fails the operation, as it does over GraphQL. */
async function readContext(environment: RestEnvironment, execution: Execution, request: Request) {
  try {
    return await environment.contextFor(request);
  } catch (error) {
    throw new ProblemError(operationProblem([execution.mask.thrown(error)]));
  }
}

function readGet(context: CoercionContext, operation: GqlOperation, url: URL) {
  const pairs = new Map(splitQuery(url.search));
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
) {
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
