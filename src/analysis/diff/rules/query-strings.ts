import type { Span } from '../../../base/source/span.js';
import { answerType, placeArguments, restRoute } from '../../../compiler/api/rest-routes.js';
import { baseName, nullable } from '../../../compiler/graph/type-ref.js';
import type { GqlArgument, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { inputTypeOf, inputTypeRef, isComposite } from '../../../compiler/schema/schema-index.js';
import { type QueryParameterStyle, queryParameterStyle } from '../../../compiler/schema/wire.js';
import { type Comparison, changeOf, pairByName, routePart } from '../model/comparison.js';
import { isSafeType } from '../model/part-changes.js';

/**
 * The encoding of query arguments in a query string. One more optional input field is safe in GraphQL, but a field
 * that is a list or an input turns the whole argument into JSON in the query string.
 */
export function* queryStringChanges(comparison: Comparison) {
  for (const operations of comparison.operations.kept) {
    const [was = [], is = []] = operations.map((operation) => placeArguments(restRoute(operation)).query);
    for (const pair of pairByName(was, is).kept) yield* styleChange(comparison, operations, ...pair);
    yield* fieldsTaken(comparison, operations, was, is);
  }
}

function* styleChange(
  comparison: Comparison,
  operations: readonly [GqlOperation, GqlOperation],
  old: GqlArgument,
  found: GqlArgument,
) {
  const { before, after } = comparison;
  const types = [inputTypeRef(before.schema, old.type), inputTypeRef(after.schema, found.type)] as const;
  // A changed type is reported as such, not also as a changed encoding.
  if (!isSafeType(...types, 'given')) return;
  const [was, is] = [queryParameterStyle(before.schema, old.type), queryParameterStyle(after.schema, found.type)];
  if (was === is) return;
  const { name } = old;
  const part = routePart(comparison, ...operations);
  const spans = {
    before: deepField(before.schema, old) ?? old.span ?? part.spans.before,
    after: deepField(after.schema, found) ?? found.span,
  };
  const message = `In ${part.coordinate} the argument ${name} is now sent as ${forms[is](name)} instead of ${forms[was](name)}.`;
  const notes = [`sent as ${forms[was](name)}`, `sent as ${forms[is](name)}`] as const;
  const place = { ...part, coordinate: `${part.coordinate}?${name}`, spans };
  yield changeOf(place, 'parameter-style-changed', message, notes);
}

/** `?fields=` narrows an answer, unless an argument has that name. */
function* fieldsTaken(
  comparison: Comparison,
  [old, found]: readonly [GqlOperation, GqlOperation],
  was: readonly GqlArgument[],
  is: readonly GqlArgument[],
) {
  const isFields = ({ name }: GqlArgument) => name === 'fields';
  const taken = is.find(isFields);
  if (taken === undefined || was.some(isFields)) return;
  if (!isComposite(comparison.after.schema, baseName(answerType(found)))) return;
  const part = routePart(comparison, old, found);
  const spans = { ...part.spans, after: taken.span ?? part.spans.after };
  const message = `In ${part.coordinate} the parameter fields is now an argument and no longer narrows the response.`;
  const notes = ['fields narrows the response', 'fields is an argument'] as const;
  const place = { ...part, coordinate: `${part.coordinate}?fields`, spans };
  yield changeOf(place, 'fields-parameter-taken', message, notes);
}

const forms: Readonly<Record<QueryParameterStyle, (name: string) => string>> = {
  text: (name) => `${name}=…`,
  repeated: (name) => `${name}=…&${name}=…`,
  deepObject: (name) => `${name}[…]=…`,
  json: (name) => `${name}={…}`,
};

/** The place of the first field that is not a leaf; undefined if all fields are leaves. */
function deepField(schema: GqlSchema, { type }: GqlArgument): Span | undefined {
  const input = inputTypeOf(schema, baseName(type));
  return input?.fields.find((field) => {
    const bare = nullable(field.type);
    return bare.kind === 'list' || inputTypeOf(schema, bare.name) !== undefined;
  })?.span;
}
