import { perObject } from '../graph/maps.js';
import { baseName, listOf, named, nonNull, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlRoute, GqlSchema } from '../schema/gql-schema.js';
import { argumentsIn, routeOf, shapeOf } from '../schema/route-path.js';
import { isComposite } from '../schema/schema-index.js';

export interface RestRoute {
  readonly method: GqlRoute['method'];
  /** `/api/{operation}`, or the path that the topology gives: `/books/{isbn}`. */
  readonly path: string;
  readonly operation: GqlOperation;
}

/** The route of an operation: the one that the topology gives, else the default one. */
export function restRoute(operation: GqlOperation): RestRoute {
  return { ...routeOf(operation), operation };
}

/**
 * The REST inventory of a schema: the route of each query (`GET /api/{query}` by default), then that of each mutation
 * (`POST /api/{mutation}`), in source order. The server, the OpenAPI document and the collection read this list and
 * {@link streamRoutes}, so that all of them have the same routes.
 */
export const restRoutes = perObject(({ queries, mutations }: GqlSchema): readonly RestRoute[] =>
  [...queries, ...mutations].map(restRoute),
);

/**
 * The streams of a schema: the route of each subscription (`GET /api/{subscription}`), which answers with its events. A
 * query may have the same route: it gets the requests of clients that do not ask for an event stream.
 */
export const streamRoutes = perObject(({ subscriptions }: GqlSchema): readonly RestRoute[] =>
  subscriptions.map(restRoute),
);

/** All routes: those of queries, mutations and subscriptions. */
export function allRoutes(schema: GqlSchema): readonly RestRoute[] {
  return [...restRoutes(schema), ...streamRoutes(schema)];
}

/** The arguments of a route by the part of the request that carries them, each list in source order. */
export interface ArgumentPlaces {
  readonly path: readonly GqlArgument[];
  readonly query: readonly GqlArgument[];
  /** Those with `@header`. */
  readonly header: readonly GqlArgument[];
  /** The members of the JSON body; undefined for a method without a body. */
  readonly body: readonly GqlArgument[] | undefined;
}

/**
 * Arguments that are neither in the path nor in a header are in the query string for GET and DELETE, and in the body for
 * other methods.
 */
export function placeArguments(route: RestRoute): ArgumentPlaces {
  const { method, path, operation } = route;
  const args = operation.arguments;
  // Nearly no operation has one, and every document asks for the places.
  for (const { header } of args) {
    if (header === undefined) continue;
    const inHeader = (argument: GqlArgument) => argument.header !== undefined;
    const others = { ...operation, arguments: args.filter((argument) => !inHeader(argument)) };
    return { ...placeArguments({ ...route, operation: others }), header: args.filter(inHeader) };
  }
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const places = { path: none, query: none, header: none, body: undefined };
  if (operation.route === undefined) return hasBody ? { ...places, body: args } : { ...places, query: args };
  const inPath = new Set(argumentsIn(path));
  const rest = args.filter(({ name }) => !inPath.has(name));
  return {
    path: args.filter(({ name }) => inPath.has(name)),
    query: hasBody ? none : rest,
    header: none,
    body: hasBody ? rest : undefined,
  };
}

const none: readonly never[] = [];

/** The path of a route with a text in the place of each argument. */
export function fillPath(path: string, textOf: (argument: string) => string): string {
  return path.replace(/\{(\w+)\}/g, (_, argument: string) => textOf(argument));
}

/** How a document describes a route: paths of one shape are one path there (OpenAPI 3.1, section 4.8.8). */
export interface DocumentedPath {
  /** The first path of the shape. */
  readonly path: string;
  /** The name that an argument in the path has there. */
  readonly nameOf: (argument: string) => string;
}

/** Finds the documented paths of routes, in their order. */
export function documentPaths(): (route: RestRoute) => DocumentedPath {
  const firsts = new Map<string, string>();
  return ({ path }) => {
    const shape = shapeOf(path);
    const first = firsts.get(shape) ?? path;
    if (first === path) {
      firsts.set(shape, path);
      return { path, nameOf: itself };
    }
    const [own, shared] = [argumentsIn(path), argumentsIn(first)];
    return { path: first, nameOf: (argument) => shared[own.indexOf(argument)] ?? argument };
  };
}

const itself = (argument: string): string => argument;

/** Whether `?fields=` narrows an answer: not that of a scalar, nor if an argument in the query string has that name. */
export function takesFields(schema: GqlSchema, route: RestRoute): boolean {
  const isTaken = placeArguments(route).query.some(({ name }) => name === 'fields');
  return !isTaken && isComposite(schema, baseName(answerType(route.operation)));
}

/** Whether a successful response has a body: not with 204 or 205 (RFC 9110, sections 15.3.5 and 15.3.6). */
export function hasContent({ status }: GqlOperation): boolean {
  return status !== 204 && status !== 205;
}

/** The type of the JSON of a successful response: a list in place of a connection; never null with `null: 404`. */
export function answerType({ type, nullStatus, page }: GqlOperation): TypeRef {
  const list = page && listOf(nonNull(named(page.node)));
  const answer = list === undefined ? type : type.kind === 'nonNull' ? nonNull(list) : list;
  return nullStatus === undefined ? answer : nonNull(nullable(answer));
}

/** The media type of an answer narrowed by `?fields=`: its own, so that OpenAPI can describe both. */
export const narrowedMediaType = 'application/vnd.gg.fields+json';
