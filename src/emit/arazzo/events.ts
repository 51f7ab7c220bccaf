import { operationDocument } from '../../api/operation-document.js';
import { printSelection } from '../../api/print-selection.js';
import { hasContent } from '../../api/rest-routes.js';
import { defaultSelection } from '../../api/selection.js';
import type { JsonValue } from '../../graph/json-value.js';
import { baseName, nullable } from '../../graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';
import { collectAnswerSchemas } from '../collection/answer-schemas.js';
import { flat } from '../text/flat.js';
import type { ArazzoEvent, ArazzoSubscription } from './format.js';

/** The names of the filters of subscriptions. */
export function filterNames(subscriptions: readonly GqlOperation[]): ReadonlySet<string> {
  return new Set(subscriptions.flatMap((subscription) => subscription.arguments.map(({ name }) => name)));
}

/**
 * The receipt of an event of a mutation: filtered by the values that the request has, and about the same ids as its
 * response. Undefined if the subscription requires a filter that the request does not have.
 */
export function eventOf(
  schema: GqlSchema,
  mutation: GqlOperation,
  subscription: GqlOperation,
  sent: ReadonlyMap<string, string>,
): ArazzoEvent | undefined {
  const variables: Record<string, string> = {};
  for (const { name, type, fallback } of subscription.arguments) {
    const value = sent.get(name);
    if (value !== undefined) variables[name] = value;
    else if (type.kind === 'nonNull' || fallback !== undefined) return undefined;
  }
  const isOne = hasContent(mutation) && nullable(mutation.type).kind !== 'list';
  const answered = isOne ? idFields(schema, baseName(mutation.type)) : [];
  const both = idFields(schema, baseName(subscription.type)).filter((name) => answered.includes(name));
  return {
    subscription: subscription.name,
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(both.length === 0
      ? {}
      : { matches: Object.fromEntries(both.map((name) => [name, `$response.body#/${name}`])) }),
  };
}

/** The document of a subscription, and the schema of the events that it selects. */
export function subscriptionOf(schema: GqlSchema, operation: GqlOperation): ArazzoSubscription {
  const selection = defaultSelection(schema, operation.type);
  const fields = selection === undefined ? '' : printSelection(selection);
  const schemas = collectAnswerSchemas(schema);
  const members = schemas.membersFor(operation.type, selection);
  return {
    document: flat(operationDocument(schema, operation, fields)),
    schema: JSON.parse(`{${members},"definitions":${schemas.definitions()}}`) as JsonValue,
    ...(operation.auth === 'required' ? { auth: 'required' } : {}),
  };
}

/** The fields of an object type whose values are ids. */
function idFields(schema: GqlSchema, name: string): readonly string[] {
  const selected = new Set(
    defaultSelection(schema, { kind: 'named', name })?.fields.map((field) => field.name),
  );
  const found = namedType(schema, name);
  const fields: readonly GqlField[] = found.kind === 'object' ? found.type.fields : [];
  return fields.filter(({ name, type }) => selected.has(name) && isId(type)).map((field) => field.name);
}

function isId(type: GqlField['type']): boolean {
  const bare = nullable(type);
  return bare.kind === 'named' && bare.name === 'ID';
}
