import { defined } from '../../../base/values/defined.js';
import { isSingleId } from '../../api/chains/id-links.js';
import { hasContent, restRoute } from '../../api/rest-routes.js';
import { defaultSelection } from '../../api/selection.js';
import { baseName, nullable } from '../../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { objectFields } from '../../schema/schema-index.js';
import { queryParameterStyle } from '../../schema/wire.js';
import { componentRef } from '../openapi/type-schema.js';
import type { ArazzoEvent, ArazzoParameter } from './format.js';

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
  headers: readonly ArazzoParameter[],
): ArazzoEvent | undefined {
  const parameters = [...headers];
  for (const { name, type, fallback } of subscription.arguments) {
    const value = queryParameterStyle(schema, type) === 'text' ? sent.get(name) : undefined;
    if (value !== undefined) parameters.push({ name, in: 'query', value });
    else if (type.kind === 'nonNull' || fallback !== undefined) return undefined;
  }
  const isOne = hasContent(mutation) && nullable(mutation.type).kind !== 'list';
  const answered = isOne ? idFields(schema, baseName(mutation.type)) : [];
  const event = baseName(subscription.type);
  const both = idFields(schema, event).filter((name) => answered.includes(name));
  const matches = Object.fromEntries(both.map((name) => [name, `$response.body#/${name}`]));
  return defined({
    subscription: subscription.name,
    path: restRoute(subscription).path,
    parameters: parameters.length === 0 ? undefined : parameters,
    schema: { $ref: `./openapi.json${componentRef(event).$ref}` },
    matches: both.length === 0 ? undefined : matches,
  });
}

/** The fields of an object type whose values are ids, as far as answers have them. */
function idFields(schema: GqlSchema, name: string): readonly string[] {
  const selection = defaultSelection(schema, { kind: 'named', name });
  const selected = new Set(selection?.fields.map((field) => field.name));
  const ids = objectFields(schema, name).filter(
    (field) => selected.has(field.name) && isSingleId(field.type),
  );
  return ids.map((field) => field.name);
}
