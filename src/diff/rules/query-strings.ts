import { isComposite } from '../../api/nesting.js';
import { answerType, placeArguments, restRoute } from '../../api/rest-routes.js';
import { baseName, nullable } from '../../graph/type-ref.js';
import type { GqlArgument, GqlOperation } from '../../schema/gql-schema.js';
import { inputTypeOf, inputTypeRef } from '../../schema/schema-index.js';
import { type QueryParameterStyle, queryParameterStyle } from '../../schema/wire.js';
import type { Span } from '../../source/span.js';
import type { Finding } from '../model/change.js';
import type { ComparedSchema, Comparison } from '../model/comparison.js';
import { pairByName } from '../model/pair-by-name.js';
import { isSafeType } from '../model/part-changes.js';
import { placeAt, spanOfOperation } from '../model/places.js';
import { routeCoordinate } from '../model/route-coordinate.js';

/**
 * The encoding of query arguments in a query string. One more optional input field is safe in GraphQL, but a field
 * that is a list or an input turns the whole argument into JSON in the query string.
 */
export function* queryStringChanges(comparison: Comparison): Iterable<Finding> {
  const { after } = comparison;
  for (const [old, found] of comparison.operations.kept) {
    const [was, is] = [old, found].map((operation) => placeArguments(restRoute(operation)).query) as [
      readonly GqlArgument[],
      readonly GqlArgument[],
    ];
    for (const pair of pairByName(was, is).kept) yield* styleChange(comparison, old, ...pair);
    yield* fieldsTaken(after, old, found, was, is);
  }
}

function* styleChange(
  { before, after }: Comparison,
  operation: GqlOperation,
  old: GqlArgument,
  found: GqlArgument,
): Iterable<Finding> {
  const types = [inputTypeRef(before.schema, old.type), inputTypeRef(after.schema, found.type)] as const;
  // A changed type is reported as such, not also as a changed encoding.
  if (!isSafeType(...types, 'given')) return;
  const was = queryParameterStyle(before.schema, old.type);
  const is = queryParameterStyle(after.schema, found.type);
  if (was === is) return;
  const { name } = old;
  const route = routeCoordinate(operation);
  const [oldCause, newCause] = [deepField(before, old), deepField(after, found)];
  yield {
    kind: 'parameter-style-changed',
    level: 'breaking',
    coordinate: `${route}?${name}`,
    message: `In ${route} the argument ${name} is now sent as ${forms[is](name)} instead of ${forms[was](name)}.`,
    before: placeAt(oldCause ?? old.span ?? spanOfOperation(operation), `sent as ${forms[was](name)}`),
    after: placeAt(newCause ?? found.span, `sent as ${forms[is](name)}`),
    touch: { in: 'before', operations: [operation], restOnly: true },
  };
}

/** `?fields=` narrows an answer, unless an argument has that name. */
function* fieldsTaken(
  after: ComparedSchema,
  old: GqlOperation,
  found: GqlOperation,
  was: readonly GqlArgument[],
  is: readonly GqlArgument[],
): Iterable<Finding> {
  const isFields = ({ name }: GqlArgument) => name === 'fields';
  const taken = is.find(isFields);
  if (taken === undefined || was.some(isFields)) return;
  if (!isComposite(after.schema, baseName(answerType(found)))) return;
  const route = routeCoordinate(old);
  yield {
    kind: 'fields-parameter-taken',
    level: 'breaking',
    coordinate: `${route}?fields`,
    message: `In ${route} the parameter fields is now an argument and no longer narrows the response.`,
    before: placeAt(spanOfOperation(old), 'fields narrows the response'),
    after: placeAt(taken.span ?? spanOfOperation(found), 'fields is an argument'),
    touch: { in: 'before', operations: [old], restOnly: true },
  };
}

const forms: Readonly<Record<QueryParameterStyle, (name: string) => string>> = {
  text: (name) => `${name}=…`,
  repeated: (name) => `${name}=…&${name}=…`,
  deepObject: (name) => `${name}[…]=…`,
  json: (name) => `${name}={…}`,
};

/** The place of the first field that is not a leaf; undefined if all fields are leaves. */
function deepField({ schema }: ComparedSchema, { type }: GqlArgument): Span | undefined {
  const input = inputTypeOf(schema, baseName(type));
  return input?.fields.find((field) => {
    const bare = nullable(field.type);
    return bare.kind === 'list' || inputTypeOf(schema, bare.name) !== undefined;
  })?.span;
}
