import type { JsonObject, JsonValue } from '../graph/json-value.js';
import type { GqlArgument, GqlSchema } from '../schema/gql-schema.js';
import { leafText, queryPairs } from '../schema/wire.js';
import { toWire } from '../schema/wire-view.js';
import { exampleArguments, isExemplary } from './examples.js';
import { filePath, formParts, formTexts } from './form-parts.js';
import { headersWith, type RestHeader } from './request-headers.js';
import { fillPath, placeArguments, type RestRoute } from './rest-routes.js';

export interface RestRequest {
  readonly method: RestRoute['method'];
  /** The path and the query string, percent-encoded. */
  readonly target: string;
  /** The headers with arguments; absent without any. */
  readonly headers?: readonly RestHeader[];
  /** The members of the JSON body; undefined for a method without a body. */
  readonly body: JsonObject | undefined;
  /** The form in place of the body, for a route that takes files: a part without a text is a file. */
  readonly form?: readonly { readonly name: string; readonly text?: string }[];
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
  const { path, query, header, body = [] } = placeArguments(route);
  const shown = [
    ...path,
    ...query.filter((argument) => isShown(argument) && isExemplary(route.operation, argument)),
    ...header.filter((argument) => isShown(argument) && isExemplary(route.operation, argument)),
    ...body.filter(isShown),
  ];
  // An argument has its own example, which has the names of GraphQL.
  const values = Object.entries(exampleArguments(schema, shown)).map(([name, value], at) => [
    name,
    toWire(schema, (shown[at] as GqlArgument).type)?.(value) ?? value,
  ]);
  return restRequest(schema, route, Object.fromEntries(values));
}

/** A request for a route with these arguments, spelt as REST spells them; others are left out. */
export function restRequest(schema: GqlSchema, route: RestRoute, values: JsonObject): RestRequest {
  const { query, body } = placeArguments(route);
  const isGiven = ({ name }: GqlArgument) => Object.hasOwn(values, name);
  const given = ({ name }: GqlArgument) => values[name] as JsonValue;
  const filled = fillPath(route.path, (name) => encodeURIComponent(leafText(values[name] ?? '')));
  const pairs = query.filter(isGiven).flatMap((argument) => queryPairs(schema, argument, given(argument)));
  const headers = headersWith(route, values);
  const parts = formParts(schema, route);
  const form = parts?.flatMap((part) => {
    const { name } = part;
    if (part.isFile) return filePath(part, values) ? [{ name }] : [];
    if (!Object.hasOwn(values, name)) return [];
    return formTexts(schema, part, values[name] as JsonValue).map((text) => ({ name, text }));
  });
  return {
    method: route.method,
    target: pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`,
    ...(headers.length > 0 && { headers }),
    body: body && Object.fromEntries(body.filter(isGiven).map((argument) => [argument.name, given(argument)])),
    ...(form && { form }),
  };
}
