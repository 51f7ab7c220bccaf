import { operationDocument } from '../../src/compiler/api/operation-document.js';
import { printSelection } from '../../src/compiler/api/print-selection.js';
import { restRequest } from '../../src/compiler/api/rest-request.js';
import { answerType, hasContent, restRoute, takesFields } from '../../src/compiler/api/rest-routes.js';
import { baseName } from '../../src/compiler/graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { argumentsOf, type Drafts, fitDrafts, initialDrafts } from './drafts.js';
import { defaultPicks, type FieldDrafts, type Picks, restFields, selectionOf } from './picks.js';

/** How an operation is called. A subscription is called over GraphQL, and answered with server-sent events. */
export type Protocol = 'rest' | 'graphql';

/** The input for one operation, as plain data for the session storage. */
export interface CallForm {
  readonly protocol: Protocol;
  readonly drafts: Drafts;
  /** The ticked fields, by the name of the type that is answered: REST answers a list for a connection. */
  readonly picks: Readonly<Record<string, Picks>>;
  /** The arguments of ticked fields, in GraphQL; absent until one is typed. */
  readonly fieldDrafts?: FieldDrafts;
}

/** An HTTP request. */
export interface ApiRequest {
  readonly method: string;
  /** The path and the query. */
  readonly url: string;
  readonly headers: readonly ApiHeader[];
  readonly body?: string;
}

/** A header of a request. */
export interface ApiHeader {
  readonly name: string;
  readonly value: string;
}

/** The form of an operation at first. */
export function initialForm(schema: GqlSchema, operation: GqlOperation): CallForm {
  return {
    protocol: operation.kind === 'subscription' ? 'graphql' : 'rest',
    drafts: initialDrafts(schema, operation.arguments),
    picks: {},
  };
}

/** A form that was kept, without what the operation no longer has. */
export function fitForm(schema: GqlSchema, operation: GqlOperation, form: CallForm): CallForm {
  return {
    ...form,
    protocol: operation.kind === 'subscription' ? 'graphql' : form.protocol,
    drafts: fitDrafts(schema, operation.arguments, form.drafts),
  };
}

/** The name of the type that is answered. */
export function answeredType(operation: GqlOperation, protocol: Protocol): string {
  return baseName(protocol === 'rest' ? answerType(operation) : operation.type);
}

/** The ticked fields of the answer. */
export function picksFor(schema: GqlSchema, operation: GqlOperation, { protocol, picks }: CallForm): Picks {
  const type = answeredType(operation, protocol);
  return (Object.hasOwn(picks, type) ? picks[type] : undefined) ?? defaultPicks(schema, type);
}

/** Whether the fields of the answer can be chosen. */
export function canPick(schema: GqlSchema, operation: GqlOperation, protocol: Protocol): boolean {
  if (protocol === 'rest') return hasContent(operation) && takesFields(schema, restRoute(operation));
  return selectionOf(schema, baseName(operation.type), {}) !== undefined;
}

/** The GraphQL document of a form and its variables. */
export function graphqlOf(schema: GqlSchema, operation: GqlOperation, form: CallForm) {
  const given = operation.arguments.filter(({ name }) => Object.hasOwn(form.drafts, name));
  const picks = picksFor(schema, operation, { ...form, protocol: 'graphql' });
  const selection = selectionOf(schema, baseName(operation.type), picks, form.fieldDrafts);
  const text = printSelection(selection, '  ');
  return {
    query: operationDocument(schema, { ...operation, arguments: given }, text, { isMultiline: true }),
    variables: argumentsOf(schema, given, form.drafts),
  };
}

/** The request of a form, without credentials. */
export function requestOf(schema: GqlSchema, operation: GqlOperation, form: CallForm, endpoint: string): ApiRequest {
  if (form.protocol === 'graphql') {
    const accept = operation.kind === 'subscription' ? 'text/event-stream' : 'application/json';
    return {
      method: 'POST',
      url: endpoint,
      headers: [{ name: 'accept', value: accept }, jsonContent],
      body: JSON.stringify(graphqlOf(schema, operation, form)),
    };
  }
  const route = restRoute(operation);
  const given = argumentsOf(schema, operation.arguments, form.drafts);
  const { method, target, headers = [], body } = restRequest(schema, route, given);
  const fields = canPick(schema, operation, 'rest')
    ? restFields(schema, answeredType(operation, 'rest'), picksFor(schema, operation, form))
    : undefined;
  return {
    method,
    url: fields === undefined ? target : `${target}${target.includes('?') ? '&' : '?'}fields=${fields}`,
    headers: body === undefined ? headers : [...headers, jsonContent],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

const jsonContent: ApiHeader = { name: 'content-type', value: 'application/json' };
