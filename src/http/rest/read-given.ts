import { placeArguments, type RestRoute } from '../../api/rest-routes.js';
import type { JsonValue } from '../../graph/json-value.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import type { Exchange } from '../exchange.js';
import { isJsonObject } from '../parse-json.js';
import { badParameter, ProblemError } from '../problem.js';
import { type CoercionContext, readMembers } from './coerce.js';
import { createPathReader } from './read-path.js';
import { createQueryReader, splitQuery } from './read-query.js';

/** What a request gives to its operation. */
export interface Given {
  readonly args: Readonly<Record<string, JsonValue>>;
  /** The values of `?fields=`; undefined for the default selection. */
  readonly fields: readonly string[] | undefined;
  /** The value of `?after=` of a stream. */
  readonly after?: string | undefined;
}

/**
 * Makes the reader of the requests of a route: its path, its query string and its JSON body. `fields`, and `after` of a
 * stream, are in the query string unless an argument there has the name.
 *
 * @throws {ProblemError} The reader throws if an argument is unknown, missing, repeated or of another type.
 */
export function createGivenReader(
  schema: GqlSchema,
  route: RestRoute,
): (context: CoercionContext, exchange: Exchange) => Given {
  const places = placeArguments(route);
  const isFree = (name: string): boolean => !places.query.some((argument) => argument.name === name);
  const takesFields = isFree('fields');
  const takesAfter = route.operation.kind === 'subscription' && isFree('after');
  // Without arguments, the query string may only have `fields`.
  const readQuery = createQueryReader(schema, places.query);
  const readPath = createPathReader(route.path, places.path);
  return (context, { path, query, json }) => {
    const pairs = splitQuery(query);
    const fields = takesFields ? take(pairs, 'fields') : undefined;
    const after = takesAfter ? take(pairs, 'after') : undefined;
    if (after !== undefined && after.length > 1)
      throw badParameter('after', `“after” must be given once, not ${after.length} times.`);
    const inPath = readPath?.(context, path);
    const args = readQuery(context, pairs);
    const rest =
      places.body === undefined ? args : readMembers(context, places.body, asArguments(json), undefined);
    const given = { args: inPath === undefined ? rest : { ...inPath, ...rest }, fields };
    return after === undefined ? given : { ...given, after: after[0] };
  };
}

function asArguments(value: JsonValue | undefined): { readonly [name: string]: JsonValue } {
  if (value === undefined) return {};
  if (isJsonObject(value)) return value;
  throw new ProblemError({ status: 400, detail: 'The body must be a JSON object of the arguments.' });
}

function take(pairs: Map<string, string[]>, name: string): readonly string[] | undefined {
  const values = pairs.get(name);
  pairs.delete(name);
  return values;
}
