import { hasContent, restRoute } from '../../api/rest-routes.js';
import { defaultSelection } from '../../api/selection.js';
import { baseName, nullable } from '../../graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { objectFields } from '../../schema/schema-index.js';
import { queryParameterStyle } from '../../schema/wire.js';
import { componentRef } from '../openapi/type-schema.js';
import { credentialParameter } from './credentials.js';
import type { ArazzoEvent, ArazzoParameter } from './format.js';

/** The names of the filters of subscriptions. */
export function filterNames(subscriptions: readonly GqlOperation[]): ReadonlySet<string> {
  return new Set(subscriptions.flatMap((subscription) => subscription.arguments.map(({ name }) => name)));
}

/**
 * The receipt of an event of a mutation: filtered by the values that the request has, and about the same ids as its
 * response. Undefined if the subscription requires a filter that the request does not have.
 *
 * @param sent - The expressions of the fields of the request that have the names of filters.
 */
export function eventOf(
  schema: GqlSchema,
  mutation: GqlOperation,
  subscription: GqlOperation,
  sent: ReadonlyMap<string, string>,
  tokenName: string | undefined,
): ArazzoEvent | undefined {
  const parameters: ArazzoParameter[] = [];
  const credential =
    tokenName === undefined ? undefined : credentialParameter(schema, subscription, tokenName);
  if (credential !== undefined) parameters.push(credential);
  for (const { name, type, fallback } of subscription.arguments) {
    const value = queryParameterStyle(schema, type) === 'text' ? sent.get(name) : undefined;
    if (value !== undefined) parameters.push({ name, in: 'query', value });
    else if (type.kind === 'nonNull' || fallback !== undefined) return undefined;
  }
  const isOne = hasContent(mutation) && nullable(mutation.type).kind !== 'list';
  const answered = isOne ? idFields(schema, baseName(mutation.type)) : [];
  const both = idFields(schema, baseName(subscription.type)).filter((name) => answered.includes(name));
  const matches = Object.fromEntries(both.map((name) => [name, `$response.body#/${name}`]));
  return {
    subscription: subscription.name,
    path: restRoute(subscription).path,
    ...(parameters.length === 0 ? {} : { parameters }),
    schema: { $ref: `./openapi.json${componentRef(baseName(subscription.type)).$ref}` },
    ...(both.length === 0 ? {} : { matches }),
  };
}

/** The fields of an object type whose values are ids, as far as answers have them. */
function idFields(schema: GqlSchema, name: string): readonly string[] {
  const selected = new Set(
    defaultSelection(schema, { kind: 'named', name })?.fields.map((field) => field.name),
  );
  return objectFields(schema, name)
    .filter((field) => selected.has(field.name) && isId(field.type))
    .map((field) => field.name);
}

function isId(type: GqlField['type']): boolean {
  const bare = nullable(type);
  return bare.kind === 'named' && bare.name === 'ID';
}
