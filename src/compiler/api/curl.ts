import type { GqlArgument, GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { isRequired } from './is-required.js';
import { exampleRequest, type RestRequest } from './rest-request.js';
import { restRoute } from './rest-routes.js';

export interface Addresses {
  /** `http://localhost:4000` */
  readonly origin: string;
  readonly endpoint: string;
}

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly CurlHeader[];
  readonly body?: string;
  /** In place of a body: a part without a text is a file. */
  readonly form?: RestRequest['form'];
  readonly isStream?: boolean;
}

export interface CurlHeader {
  readonly name: string;
  readonly value: string;
  /** The variable of the shell whose value follows `value`: a secret does not stand in the command. */
  readonly variable?: string;
}

/**
 * A command that calls an operation over REST with example values and can be pasted into a shell.
 *
 * @param isShown - Whether the command has an argument. Default: all.
 */
export function curlLine(
  schema: GqlSchema,
  operation: GqlOperation,
  addresses: Pick<Addresses, 'origin'>,
  isShown?: (argument: GqlArgument) => boolean,
): string {
  return curlCommand(exampleCall(schema, operation, addresses, isShown));
}

/** The request of `curlLine`. A subscription gets its required filters only, so that the stream has all events. */
export function exampleCall(
  schema: GqlSchema,
  operation: GqlOperation,
  { origin }: Pick<Addresses, 'origin'>,
  isShown?: (argument: GqlArgument) => boolean,
): CurlRequest {
  const isStream = operation.kind === 'subscription';
  const route = restRoute(operation);
  const { method, target, headers = [], body, form } = exampleRequest(schema, route, isStream ? isRequired : isShown);
  return {
    method,
    url: origin + target,
    headers: [
      ...(isStream ? [{ name: 'accept', value: 'text/event-stream' }] : []),
      ...credentials(schema, operation),
      ...headers,
      ...(operation.idempotent ? [{ name: 'idempotency-key', value: '', variable: 'KEY' }] : []),
      ...(body === undefined || form !== undefined ? [] : [{ name: 'content-type', value: 'application/json' }]),
    ],
    ...(form && { form }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    isStream,
  };
}

export function curlCommand({ method, url, headers, body, form, isStream = false }: CurlRequest): string {
  // curl sends POST if there is data, else GET.
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    isStream ? 'curl -N' : 'curl',
    ...(method === usual ? [] : ['-X', method]),
    quote(url),
    ...headers.map(({ name, value, variable }) => {
      return `-H ${quote(`${name}: ${value}`)}${variable === undefined ? '' : `"$${variable}"`}`;
    }),
    ...(form !== undefined ? form.flatMap(formOption) : body === undefined ? [] : ['-d', quote(body)]),
  ].join(' ');
}

/** `-F` gives `@`, `<` and `;` in a text a meaning. */
function formOption({ name, text }: NonNullable<CurlRequest['form']>[number]): readonly string[] {
  if (text === undefined) return ['-F', quote(`${name}=@file.bin`)];
  return ['--form-string', quote(`${name}=${text}`)];
}

/** The header with the credentials, which the shell has in a variable; none if the call requires no authentication. */
function credentials({ security = [] }: GqlSchema, { auth }: GqlOperation): readonly CurlHeader[] {
  const [scheme] = security;
  if (scheme === undefined || auth !== 'required') return [];
  return [
    scheme.type === 'bearer'
      ? { name: 'authorization', value: 'Bearer ', variable: 'TOKEN' }
      : { name: scheme.header, value: '', variable: 'TOKEN' },
  ];
}

/** Between single quotes a shell reads everything as it is, except a single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
