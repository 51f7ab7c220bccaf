import {
  hasContent,
  narrowedMediaType,
  placeArguments,
  type RestRoute,
  restRoutes,
} from '../../api/rest-routes.js';
import type { Execution } from '../../execute/execution.js';
import type { JsonValue } from '../../graph/json-value.js';
import type { Limits } from '../../limits/limits.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { type MaybePromise, proceed } from '../../values/maybe-promise.js';
import { isPromiseLike } from '../../values/read-property.js';
import { Answer, jsonAnswer, textAnswer } from '../answer.js';
import { isForeign } from '../csrf.js';
import type { Exchange, OperationEnvironment, Resource, Route } from '../exchange.js';
import { isJsonObject } from '../parse-json.js';
import { ProblemError } from '../problem.js';
import { decodeBody, readJsonText, receiveBody } from '../read-body.js';
import { type CoercionContext, readMembers } from './coerce.js';
import { compileRestOperation, type RestOperation } from './operation.js';
import { operationProblem } from './operation-problem.js';
import { pageAnswer } from './page-answer.js';
import { createPathReader } from './read-path.js';
import { createQueryReader, splitQuery } from './read-query.js';

/** The parts of a server that REST needs. */
export interface RestEnvironment extends OperationEnvironment {
  readonly schema: GqlSchema;
  readonly limits: Limits;
}

/**
 * Makes the resources of the REST routes, by path, perhaps with arguments in it. A route for GET answers HEAD, too. They
 * run the same executable schema as GraphQL.
 */
export function createRestResources(environment: RestEnvironment): Map<string, Resource> {
  const routes = new Map<string, Map<string, Route>>();
  for (const inventoried of restRoutes(environment.schema)) {
    const methods = routes.get(inventoried.path) ?? new Map<string, Route>();
    const route = createRoute(environment, inventoried);
    methods.set(inventoried.method, route);
    if (inventoried.method === 'GET') methods.set('HEAD', route);
    routes.set(inventoried.path, methods);
  }
  const resourceOf = (methods: ReadonlyMap<string, Route>): Resource => ({
    allow: [...methods.keys(), 'OPTIONS'].join(', '),
    routes: methods,
  });
  return new Map([...routes].map(([path, methods]) => [path, resourceOf(methods)]));
}

interface Given {
  readonly args: Readonly<Record<string, JsonValue>>;
  /** The values of `?fields=`; undefined for the default selection. */
  readonly fields: readonly string[] | undefined;
}

function createRoute(environment: RestEnvironment, inventoried: RestRoute): Route {
  const { operation, path: template } = inventoried;
  const { status = 200, nullStatus } = operation;
  const { schema, limits } = environment;
  // Messages may contain names of the schema if clients can query it.
  const tellsNames = limits.introspection;
  let compiled: { readonly operation: RestOperation; readonly context: CoercionContext } | undefined;
  const compile = (execution: Execution) => ({
    operation: compileRestOperation(schema, operation, execution, tellsNames),
    context: { schema, tellsNames, executable: execution.schema },
  });
  const places = placeArguments(inventoried);
  const takesFields = !places.query.some(({ name }) => name === 'fields');
  // Without arguments, the query string may only have `fields`.
  const readQuery = createQueryReader(schema, places.query);
  const readPath = createPathReader(template, places.path);
  const read = (context: CoercionContext, { path, query, json }: Exchange): Given => {
    const pairs = splitQuery(query);
    const fields = takesFields ? takeFields(pairs) : undefined;
    const inPath = readPath?.(context, path);
    const args = readQuery(context, pairs);
    const rest =
      places.body === undefined ? args : readMembers(context, places.body, asArguments(json), undefined);
    return { args: inPath === undefined ? rest : { ...inPath, ...rest }, fields };
  };
  const answer = (result: string, fields: Given['fields'], query: string): Answer => {
    if (nullStatus !== undefined && result === 'null')
      throw new ProblemError({ status: nullStatus, detail: 'There is no result.' });
    if (!hasContent(operation)) return new Answer(status, [], null);
    const { text, headers } =
      operation.page === undefined || result === 'null'
        ? { text: result, headers: [] }
        : pageAnswer(result, query, operation.page.size);
    return fields === undefined
      ? jsonAnswer(status, text, headers)
      : textAnswer(status, text, `${narrowedMediaType}; charset=utf-8`, headers);
  };
  const run = (execution: Execution, exchange: Exchange): MaybePromise<Answer> => {
    compiled ??= compile(execution);
    const { operation: ready, context } = compiled;
    const { args, fields } = read(context, exchange);
    const answered = proceed(contextOf(environment, execution, exchange), (contextValue) =>
      ready.run(args, fields, contextValue, exchange),
    );
    return proceed(answered, (text) => answer(text, fields, exchange.query));
  };
  const called = [{ kind: operation.kind, fields: [operation.name] }];
  return {
    access: operation,
    operations: () => called,
    operation,
    run: (exchange) => proceed(environment.execution(), (execution) => run(execution, exchange)),
    ...(places.body === undefined
      ? {}
      : {
          checkOrigin,
          read: (exchange) => readArguments(exchange, limits.body),
          parse: parseArguments,
        }),
  };
}

/**
 * Browsers let any page send a POST without a body and content type. They send `application/json` across sites only
 * after a preflight request.
 */
function checkOrigin(exchange: Exchange): void {
  if (exchange.header('content-type') === undefined && isForeign(exchange))
    throw unsupported('with a content-type header');
}

/** Reads the body of a mutation. */
function readArguments(exchange: Exchange, maximum: number): MaybePromise<undefined> {
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

function asArguments(value: JsonValue | undefined): { readonly [name: string]: JsonValue } {
  if (value === undefined) return {};
  if (isJsonObject(value)) return value;
  throw new ProblemError({ status: 400, detail: 'The body must be a JSON object of the arguments.' });
}

/** An error of the context fails the operation, as over GraphQL. */
function contextOf(environment: RestEnvironment, { mask }: Execution, exchange: Exchange): unknown {
  const fail = (error: unknown): never => {
    throw new ProblemError(operationProblem([mask.thrown(error, exchange.watched)]));
  };
  try {
    const context = environment.contextFor(exchange);
    return isPromiseLike(context) ? Promise.resolve(context).catch(fail) : context;
  } catch (error) {
    return fail(error);
  }
}

function takeFields(pairs: Map<string, string[]>): readonly string[] | undefined {
  const fields = pairs.get('fields');
  pairs.delete('fields');
  return fields;
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
