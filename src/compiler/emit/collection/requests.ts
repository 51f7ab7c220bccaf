import { defined } from '../../../base/values/defined.js';
import { withAccess, withReason } from '../../api/access.js';
import { type ApiChain, exampleInputs } from '../../api/chains/api-chains.js';
import { pagedResult } from '../../api/chains/paged-result.js';
import { exampleArguments, exampleResult } from '../../api/examples.js';
import { type FormPart, filePath, formParts, formTexts } from '../../api/form-parts.js';
import { isRequired } from '../../api/is-required.js';
import { operationDocument } from '../../api/operation-document.js';
import { printSelection } from '../../api/print-selection.js';
import { headersWith } from '../../api/request-headers.js';
import { answerType, fillPath, hasContent, placeArguments, type RestRoute, restRoute } from '../../api/rest-routes.js';
import { answerSelection, defaultSelection, type Selection } from '../../api/selection.js';
import { joinAccess } from '../../graph/access.js';
import type { JsonValue } from '../../graph/json-value.js';
import type { GqlAccess, GqlArgument, GqlOperation, GqlSchema, GqlSecurityScheme } from '../../schema/gql-schema.js';
import { argumentsIn, segmentsOf } from '../../schema/route-path.js';
import { leafText, queryPairs } from '../../schema/wire.js';
import { wireView } from '../../schema/wire-view.js';
import { flat } from '../text/text-collector.js';
import type { Addresses } from './addresses.js';
import type {
  CollectionAuth,
  CollectionAuthPart,
  CollectionHeader,
  CollectionItem,
  CollectionQueryPair,
  CollectionRequest,
  CollectionVariable,
  FormBody,
  FormBodyPart,
  JsonBody,
} from './format.js';
import { pathVariable, postmanSegments } from './path-variables.js';
import { stableId } from './stable-id.js';
import { fileVariable } from './test-script.js';

/** The arguments of a call by name. */
type Values = Readonly<Record<string, JsonValue>>;

/** The parts that the REST and the GraphQL request of an operation share. */
export interface OperationCall {
  readonly operation: GqlOperation;
  readonly selection: Selection | undefined;
  readonly values: Values;
  /** The arguments as JSON text. */
  readonly valuesText: string;
  readonly exampleText: string;
  /** The arguments as REST spells them. */
  readonly restValues: Values;
  readonly restValuesText: string;
  /** The example of the REST response, which has the items of a page only. */
  readonly restExampleText: string;
}

type RestCall = Pick<OperationCall, 'operation' | 'restValues' | 'restValuesText' | 'restExampleText'>;

export function createRequests(schema: GqlSchema, { rest, root, graphql: endpoint }: Addresses) {
  const wire = wireView(schema);
  const requestOf = (
    { idempotent, description, deprecated, ...access }: GqlOperation,
    method: CollectionRequest['method'],
    url: CollectionRequest['url'],
    body: CollectionRequest['body'],
    own: readonly CollectionHeader[] = [],
  ): CollectionRequest => {
    const isForm = body?.mode === 'formdata';
    // Postman writes the content type of a form itself, which has the boundary in it.
    const usual = isForm ? formHeaders : body === undefined ? queryHeaders : bodyHeaders;
    const headers = own.length === 0 ? usual : [...usual, ...own];
    const isOpen = schema.security !== undefined && access.auth !== 'required';
    return defined({
      method,
      // A client makes a new key for each request.
      header: idempotent === undefined ? headers : [...headers, newKey],
      body,
      // A request that requires no authentication sends none, so that it works without a token, too.
      auth: isOpen ? ({ type: 'noauth' } as const) : undefined,
      url,
      description: withAccess(withReason(description, deprecated), access),
    });
  };

  const pairsOf = (values: Values, args: readonly GqlArgument[]): readonly CollectionQueryPair[] =>
    args.flatMap((argument) => {
      if (!Object.hasOwn(values, argument.name)) return [];
      const description = withReason(argument.description, argument.deprecated);
      const described = description === undefined ? {} : { description };
      return queryPairs(schema, argument, values[argument.name] as JsonValue).map(([key, text]) => {
        // Postman percent-encodes the other characters itself; these would end the value or change it.
        return { key, value: text.replace(/[%&+#]/g, encodeURIComponent), ...described };
      });
    });

  const formOf = (route: RestRoute, values: Values): FormBody | undefined => {
    const parts = formParts(schema, route);
    return (
      parts && {
        mode: 'formdata',
        formdata: parts.flatMap((part): readonly FormBodyPart[] => {
          const { name: key, place } = part;
          const described = defined({ description: withReason(place.description, place.deprecated) });
          if (part.isFile && filePath(part, values) === undefined) return [];
          if (part.isFile) return [{ key, ...file, ...described }];
          const texts = formTexts(schema, part, values[key] ?? null);
          return texts.map((value) => ({ key, type: 'text', value, ...described }));
        }),
      }
    );
  };

  /** The parts of a GraphQL multipart request (graphql-multipart-request-spec). */
  const graphqlForm = (parts: readonly FormPart[], query: string, values: Values): FormBody | undefined => {
    const found = parts.flatMap((part) => {
      const path = filePath(part, values);
      return path === undefined ? [] : [path];
    });
    if (found.length === 0) return undefined;
    const variables: Record<string, JsonValue> = { ...values };
    for (const [argument, field] of found)
      variables[argument] = field === undefined ? null : { ...(values[argument] as object), [field]: null };
    const map = Object.fromEntries(found.map((path, at) => [at, [`variables.${path.join('.')}`]]));
    const texts = Object.entries({ operations: { query, variables }, map });
    return {
      mode: 'formdata',
      formdata: [
        ...texts.map(([key, value]) => ({ key, type: 'text', value: JSON.stringify(value) }) as const),
        ...found.map((_, at) => ({ key: String(at), ...file })),
      ],
    };
  };

  /** The request for one route of the REST inventory. */
  const restItem = ({ operation, restValues: values, restValuesText, restExampleText }: RestCall): CollectionItem => {
    const route = restRoute(operation);
    const { path, query: inQuery, header, body } = placeArguments(route);
    const variable = pathVariables(values, route.path, path);
    const query = pairsOf(values, inQuery);
    const isOwn = operation.route !== undefined;
    const host = isOwn ? root : rest.host;
    const segments = isOwn ? postmanSegments(route.path) : [...rest.path, operation.name];
    const base = [host, ...segments].join('/');
    const pairs = query.map(({ key, value }) => `${key}=${value}`).join('&');
    const url = {
      raw: query.length === 0 ? base : flat(`${base}?${pairs}`),
      host: [host],
      path: segments,
      ...(query.length === 0 ? {} : { query }),
      ...(variable.length === 0 ? {} : { variable }),
    };
    const sent = () => Object.fromEntries((body ?? []).map(({ name }) => [name, values[name] ?? null]));
    const raw = path.length + header.length === 0 ? restValuesText : JSON.stringify(sent(), null, 2);
    const json = body && (formOf(route, values) ?? ({ mode: 'raw', raw, options: jsonOptions } as const));
    const hasArguments = query.length + variable.length > 0;
    const headers = headersWith(route, values).map(({ name: key, value, description }) =>
      defined({ key, value, description }),
    );
    const request = requestOf(operation, route.method, hasArguments ? url : base, json, headers);
    const { kind, name, status } = operation;
    return item(`rest/${kind}/${name}`, name, request, hasContent(operation) ? restExampleText : '', status);
  };

  return {
    restItem,

    /** The request for a stream: with its required filters only, so that it has all events. */
    streamItem({ operation }: RestRoute): CollectionItem {
      const selection = defaultSelection(wire, operation.type);
      const restValues = exampleArguments(wire, operation.arguments.filter(isRequired));
      const example = JSON.stringify(exampleResult(wire, operation.type, selection));
      const { request, response, ...item } = restItem({
        operation,
        restValues,
        restValuesText: '',
        restExampleText: '',
      });
      const [shown] = response;
      return {
        ...item,
        request: { ...request, header: streamHeaders },
        response: [{ ...shown, header: [eventType], body: `data: ${example}\n\n`, _postman_previewlanguage: 'text' }],
      };
    },

    /** The request that runs a chain: all its steps, with the ids that they hand on. */
    chainItem(chain: ApiChain): CollectionItem {
      const { name, goal, steps } = chain;
      const operations = steps.map(({ operation }) => operation);
      const raw = JSON.stringify(exampleInputs(wire, chain), null, 2);
      const results = steps.map(({ name: step, operation }) => {
        const result = exampleResult(wire, answerType(operation), answerSelection(wire, operation));
        return {
          operation: step,
          result: operation.page === undefined ? result : pagedResult(operation, { items: result }),
        };
      });
      const { idempotent } = operations.find((one) => one.idempotent) ?? goal.operation;
      const reached = { ...goal.operation, ...operations.reduce<GqlAccess>(joinAccess, {}) };
      const request = requestOf(
        idempotent === undefined ? reached : { ...reached, idempotent },
        'POST',
        [rest.host, ...rest.path, 'chains', name].join('/'),
        { mode: 'raw', raw, options: jsonOptions },
      );
      const run = { id: exampleId, chain: name, state: 'running', steps: [], createdAt: exampleTime };
      const [answer, status] = goal.operation.durable ? [run, 202] : [{ steps: results }, 200];
      return item(`chain/${name}`, name, request, JSON.stringify(answer, null, 2), status);
    },

    /** The GraphQL request for one query or mutation. */
    graphqlItem({ operation, selection, values, valuesText, exampleText }: OperationCall): CollectionItem {
      const { kind, name } = operation;
      const fields = printSelection(selection, '  ');
      const style = { isMultiline: true, withDefaults: true };
      const query = flat(operationDocument(schema, operation, fields, style));
      const graphql = { query, variables: valuesText };
      const parts = formParts(schema, restRoute(operation));
      const form = parts && graphqlForm(parts, query, values);
      const body = form ?? ({ mode: 'graphql', graphql } as const);
      const request = requestOf(operation, 'POST', endpoint, body);
      // JSON strings contain no line breaks, so that indenting every line changes no value.
      const example = `{\n  "data": {\n    "${name}": ${exampleText.replaceAll('\n', '\n    ')}\n  }\n}`;
      return item(`graphql/${kind}/${name}`, name, request, flat(example));
    },
  };
}

const exampleId = '00000000-0000-4000-8000-000000000000';
const exampleTime = '2024-01-01T12:00:00.000Z';

function item(key: string, name: string, request: CollectionRequest, body: string, code = 200): CollectionItem {
  const { method, url } = request;
  return {
    id: stableId(key),
    name,
    request,
    response: [
      {
        name: 'Example',
        originalRequest: { method, url: typeof url === 'string' ? url : url.raw },
        status: reasons[code - 200] ?? 'Success',
        code,
        header: responseHeaders,
        body,
        _postman_previewlanguage: 'json',
      },
    ],
  };
}

function pathVariables(values: Values, path: string, args: readonly GqlArgument[]) {
  const textOf = (name: string) => leafText(values[name] ?? null).replace(/[%/?#]/g, encodeURIComponent);
  const inSegment = new Map(segmentsOf(path).flatMap((segment) => argumentsIn(segment).map((name) => [name, segment])));
  const segments = new Set(args.map(({ name }) => inSegment.get(name) ?? ''));
  return [...segments].map((segment): CollectionQueryPair => {
    const names = argumentsIn(segment);
    const { name: key, text } = pathVariable(segment);
    const [{ description } = {}] = names.length === 1 ? args.filter(({ name }) => name === names[0]) : [];
    return defined({ key, value: fillPath(text, textOf), description });
  });
}

/** The reason phrases of successful statuses from 200 on (RFC 9110, section 15.3). */
const reasons = 'OK,Created,Accepted,Non-Authoritative Information,No Content,Reset Content'.split(',');

const accept: CollectionHeader = Object.freeze({ key: 'Accept', value: 'application/json' });
const contentType: CollectionHeader = Object.freeze({ key: 'Content-Type', value: 'application/json' });

const acceptEvents: CollectionHeader = Object.freeze({ key: 'Accept', value: 'text/event-stream' });
const eventType: CollectionHeader = Object.freeze({ key: 'Content-Type', value: 'text/event-stream' });

// Frozen, because all collections share these.
const newKey: CollectionHeader = Object.freeze({ key: 'Idempotency-Key', value: '{{$guid}}' });
const queryHeaders = Object.freeze([accept]);
// A page of another site can send a form, but not this header, without a preflight request.
const formHeaders = Object.freeze([accept, Object.freeze({ key: 'GraphQL-Require-Preflight', value: '1' })]);
const streamHeaders = Object.freeze([acceptEvents]);
const bodyHeaders = Object.freeze([accept, contentType]);
const responseHeaders = Object.freeze([contentType]);
const file = Object.freeze({ type: 'file', src: `{{${fileVariable}}}` } as const);
const jsonOptions: JsonBody['options'] = Object.freeze({ raw: Object.freeze({ language: 'json' }) });

export const tokenVariable = 'token';

/** The authentication of a collection and its variable: the first of the schemes, because any one is enough. */
export function collectionAuth({ security: [scheme] = [] }: GqlSchema): {
  readonly auth?: CollectionAuth;
  readonly variables: readonly CollectionVariable[];
} {
  if (scheme === undefined) return { variables: [] };
  const what = scheme.type === 'bearer' ? 'bearer token' : 'API key';
  const description = `The ${what} of the requests that require authentication.`;
  const variable: CollectionVariable = { key: tokenVariable, value: '', type: 'string', description };
  return { auth: authOf(scheme), variables: [variable] };
}

function authOf(scheme: GqlSecurityScheme): CollectionAuth {
  const value = `{{${tokenVariable}}}`;
  if (scheme.type === 'bearer') return { type: 'bearer', bearer: [part('token', value)] };
  const apikey = [part('key', scheme.header), part('value', value), part('in', 'header')];
  return { type: 'apikey', apikey };
}

function part(key: string, value: string): CollectionAuthPart {
  return { key, value, type: 'string' };
}
