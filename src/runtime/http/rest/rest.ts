import { isHeader } from '../../../base/values/answer-parts.js';
import { isPromiseLike, type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import { headerFields, sentFields } from '../../../compiler/api/answer-headers.js';
import { formParts } from '../../../compiler/api/form-parts.js';
import {
  documentPaths,
  hasContent,
  narrowedMediaType,
  placeArguments,
  type RestRoute,
  restRoutes,
  streamRoutes,
} from '../../../compiler/api/rest-routes.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { remember } from '../../../compiler/graph/maps.js';
import { totalCountHeader } from '../../../compiler/schema/cursor.js';
import type { GqlField, GqlPage } from '../../../compiler/schema/gql-schema.js';
import { shapeOf } from '../../../compiler/schema/route-path.js';
import type { Calls } from '../../call/calls.js';
import type { CoercionContext } from '../../call/coerce.js';
import { contextOf, type Environment } from '../../call/environment.js';
import { compileNamedOperation, type NamedOperation } from '../../call/named/operation.js';
import { createGivenReader, type Given } from '../../call/named/read-arguments.js';
import { ProblemError } from '../../call/problem.js';
import type { JsonText } from '../../execute/compiled/json-text.js';
import type { Connection } from '../../execute/resolvers/pages.js';
import { Answer, textAnswer } from '../answer.js';
import type { Exchange, Resource, Route } from '../exchange.js';
import { isForm, openForm, problemOfForm, refuseForeignForm } from '../read-form.js';
import { readEventStreamWish } from '../sse/accept-events.js';
import { etagOf, type Precondition, preconditionOf, withEtag } from './etags.js';
import { checkOrigin, jsonBody, readArguments } from './json-body.js';
import { createStreamRoute } from './stream.js';

/**
 * Makes the resources of the REST routes, by path, perhaps with arguments in it. A route for GET answers HEAD, too,
 * unless it answers with events. They run the same executable schema as GraphQL.
 */
export function createRestResources(environment: Environment): Map<string, Resource> {
  const routes = new Map<string, Map<string, Route>>();
  // The inventory has the reads first.
  const reads = new Map<string, ReadTag>();
  const headers = headerFields(environment.schema);
  const documented = documentPaths();
  const methodsOf = (route: RestRoute) => remember(routes, documented(route).path, () => new Map<string, Route>());
  for (const inventoried of restRoutes(environment.schema)) {
    const methods = methodsOf(inventoried);
    const shape = shapeOf(inventoried.path);
    const { route, readTag } = createRoute(environment, inventoried, {
      current: reads.get(shape),
      sent: sentFields(headers, inventoried.operation),
    });
    if (inventoried.operation.etag !== undefined && inventoried.method === 'GET') reads.set(shape, readTag);
    methods.set(inventoried.method, route);
    if (inventoried.method === 'GET') methods.set('HEAD', route);
  }
  for (const inventoried of streamRoutes(environment.schema)) {
    const methods = methodsOf(inventoried);
    const stream = createStreamRoute(environment, inventoried);
    const query = methods.get('GET');
    methods.set('GET', query === undefined ? stream : withStream(query, stream));
  }
  const resourceOf = (methods: ReadonlyMap<string, Route>): Resource => ({
    allow: [...methods.keys(), 'OPTIONS'].join(', '),
    routes: methods,
    isShared: true,
  });
  return new Map([...routes].map(([path, methods]) => [path, resourceOf(methods)]));
}

const jsonType = 'application/json; charset=utf-8';
const narrowedType = `${narrowedMediaType}; charset=utf-8`;

/** The route of a query whose path is that of a subscription, too. */
function withStream(query: Route, stream: Route): Route {
  const vary = query.vary === undefined ? 'Accept' : `Accept, ${query.vary}`;
  const route: Route = { ...query, vary };
  const choose = (exchange: Exchange): Route =>
    readEventStreamWish(exchange.header('accept')) === 'all' ? stream : route;
  return { ...route, choose };
}

/** Gives the tag of what a caller reads at the path of its request; undefined if there is nothing. */
type ReadTag = (contextValue: unknown, exchange: Exchange) => Promise<string | undefined>;

interface RouteParts {
  /** Reads the tag that a write with `etag` is compared with. */
  readonly current: ReadTag | undefined;
  /** The fields of the result that are also headers. */
  readonly sent: readonly GqlField[];
}

function createRoute(environment: Environment, inventoried: RestRoute, { current, sent }: RouteParts) {
  const { operation } = inventoried;
  const { status = 200, nullStatus, page } = operation;
  const { schema, limits } = environment;
  // Messages may contain names of the schema if clients can query it.
  const tellsNames = limits.introspection;
  let compiled: { readonly operation: NamedOperation; readonly context: CoercionContext } | undefined;
  const compile = (execution: Calls) => {
    const named = compileNamedOperation(schema, operation, execution, tellsNames, 'rest');
    const context = {
      ...{ schema, tellsNames, executable: execution.schema, documentFor: named.documentFor },
      mistakesIn: (args: Readonly<Record<string, unknown>>) => execution.mistakesIn(operation, args),
    };
    return { operation: named, context };
  };
  const read = createGivenReader(schema, inventoried);
  const answer = (result: JsonText, fields: Given['fields'], headers: readonly string[] = []): Answer => {
    if (nullStatus !== undefined && result === 'null')
      throw new ProblemError({ status: nullStatus, detail: 'There is no result.' });
    if (!hasContent(operation)) return new Answer(status, [...headers], null);
    return textAnswer(status, result, fields === undefined ? jsonType : narrowedType, headers);
  };
  const run = (execution: Calls, exchange: Exchange): MaybePromise<Answer> => {
    compiled ??= compile(execution);
    const given = read(compiled.context, exchange);
    const context = contextOf(environment, execution, exchange);
    return isPromiseLike(context)
      ? runLater(compiled.operation, given, context, exchange)
      : runNow(compiled.operation, given, context, exchange);
  };
  const runPlain = (
    ready: NamedOperation,
    { args, fields }: Given,
    contextValue: unknown,
    exchange: Exchange,
    precondition?: Precondition,
  ): MaybePromise<Answer> => {
    if (page !== undefined)
      return answerPage(ready.value(args, fields, contextValue, exchange), fields, exchange, page);
    if (sent.length > 0) {
      const value = ready.value(args, fields, contextValue, exchange, undefined, precondition);
      return value.then((result) => answer(JSON.stringify(result), fields, sentHeaders(result, sent)));
    }
    const result = ready.run(args, fields, contextValue, exchange, precondition);
    return result instanceof Promise ? answerLater(result, fields) : answer(result, fields);
  };
  const runConditional: typeof runPlain = (ready, given, contextValue, exchange) => {
    if (current === undefined)
      return proceed(runPlain(ready, given, contextValue, exchange), (ran) => withEtag(ran, exchange));
    const readCurrent = () => current(contextValue, exchange);
    const precondition = preconditionOf(exchange, operation.etag === 'required', readCurrent);
    return runPlain(ready, given, contextValue, exchange, precondition);
  };
  const runNow = operation.etag === undefined ? runPlain : runConditional;
  const runLater = async (ready: NamedOperation, given: Given, context: PromiseLike<unknown>, exchange: Exchange) =>
    runNow(ready, given, await context, exchange);
  const readTag: ReadTag = async (contextValue, exchange) => {
    compiled ??= compile(await environment.execution());
    const header = (name: string) => exchange.header(name);
    try {
      const given = read(compiled.context, { path: exchange.path, query: '', json: undefined, header });
      const { body } = await runPlain(compiled.operation, given, contextValue, exchange);
      return etagOf(body);
    } catch (error) {
      if (error instanceof ProblemError && [404, 410].includes(error.problem.status)) return undefined;
      throw error;
    }
  };
  const answerLater = async (result: Promise<JsonText>, fields: Given['fields']) => answer(await result, fields);
  const answerPage = async (
    connection: Promise<JsonValue>,
    fields: Given['fields'],
    { query }: Exchange,
    { size }: GqlPage,
  ) => {
    const value = await connection;
    if (value === null) return answer('null', fields);
    const { text, headers } = pageAnswer(value, query, size);
    return answer(text, fields, headers);
  };
  const runFirst = async (execution: Promise<Calls>, exchange: Exchange) => run(await execution, exchange);
  const { header: inHeaders, body } = placeArguments(inventoried);
  const route: Route = {
    access: operation,
    operation,
    // Caches keep answers to GET alone.
    ...(body === undefined && inHeaders.length > 0 && { vary: inHeaders.map(({ header }) => header).join(', ') }),
    run(exchange) {
      const execution = environment.execution();
      return execution instanceof Promise ? runFirst(execution, exchange) : run(execution, exchange);
    },
    ...(body && jsonBody(limits)),
    ...(formParts(schema, inventoried) && {
      checkOrigin(exchange) {
        checkOrigin(exchange);
        refuseForeignForm(exchange);
      },
      read: (exchange) => (isForm(exchange) ? openForm(exchange, limits) : readArguments(exchange, limits.body)),
      run: async (exchange) => {
        try {
          return await run(await environment.execution(), exchange);
        } catch (error) {
          // A resolver may have wrapped the error of its file.
          throw problemOfForm(exchange.form?.fault ?? error);
        }
      },
    }),
  };
  return { route, readTag };
}

/** The headers with fields of a result; a value that no header can have is only in the body. */
function sentHeaders(result: JsonValue, fields: readonly GqlField[]): readonly string[] {
  const object = result as Readonly<Record<string, JsonValue>> | null;
  return fields.flatMap(({ name, sentAs = '' }) => {
    const value = object?.[name] ?? null;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return value === null || !isHeader(sentAs, text) ? [] : [sentAs.toLowerCase(), text];
  });
}

/**
 * Makes the answer of a route with pages from its connection: the list of the items, and links to the first, the next
 * and the previous page (RFC 8288), and the number of all items if it is known. A link holds only a query string, which a client resolves against the URL of its
 * request, so that it is right behind a proxy and below a path, too.
 */
function pageAnswer(connection: JsonValue, query: string, size: number) {
  const { edges, pageInfo, totalCount = null } = connection as unknown as Connection<JsonValue>;
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
  const given = new URLSearchParams(query);
  const count = given.get('first') ?? given.get('last') ?? String(size);
  for (const name of ['first', 'after', 'last', 'before']) given.delete(name);
  const linkTo = (rel: string, place: Readonly<Record<string, string>>): string => {
    const target = new URLSearchParams([...given, ...Object.entries(place)]);
    return `<?${target}>; rel="${rel}"`;
  };
  const links = [linkTo('first', { first: count })];
  if (hasNextPage && endCursor !== null) links.push(linkTo('next', { first: count, after: endCursor }));
  if (hasPreviousPage && startCursor !== null) {
    links.push(linkTo('prev', { last: count, before: startCursor }));
  }
  const total = totalCount === null ? [] : [totalCountHeader, String(totalCount)];
  return {
    text: JSON.stringify(edges.map(({ node }) => node)),
    headers: ['link', links.join(', '), ...total],
  };
}
