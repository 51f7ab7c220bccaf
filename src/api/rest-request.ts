import type { JsonValue } from '../graph/json-value.js';
import type { GqlArgument, GqlSchema } from '../schema/gql-schema.js';
import { leafText, queryPairs } from '../schema/wire.js';
import { exampleArgument, isExemplary } from './examples.js';
import { fillPath, placeArguments, type RestRoute } from './rest-routes.js';

/** An example request for a route. */
export interface RestRequest {
  readonly method: RestRoute['method'];
  /** The path and the query string, percent-encoded. */
  readonly target: string;
  /** The members of the JSON body; undefined for a method without a body. */
  readonly body: { readonly [name: string]: JsonValue } | undefined;
}

/**
 * A request for a route with example values.
 *
 * @param isShown whether an argument outside the path is passed
 */
export function exampleRequest(
  schema: GqlSchema,
  route: RestRoute,
  isShown: (argument: GqlArgument) => boolean = () => true,
): RestRequest {
  const { path, query, body } = placeArguments(route);
  const exampleOf = (argument: GqlArgument) => exampleArgument(schema, argument);
  const inPath = new Map(path.map((argument) => [argument.name, leafText(exampleOf(argument))]));
  const filled = fillPath(route.path, (name) => encodeURIComponent(inPath.get(name) ?? ''));
  const pairs = query
    .filter((argument) => isShown(argument) && isExemplary(route.operation, argument))
    .flatMap((argument) => queryPairs(schema, argument, exampleOf(argument)));
  return {
    method: route.method,
    target: pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`,
    body:
      body &&
      Object.fromEntries(body.filter(isShown).map((argument) => [argument.name, exampleOf(argument)])),
  };
}
