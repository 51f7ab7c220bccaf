import type { CurlHeader } from '../../src/compiler/api/curl.js';
import type { GqlSchema, GqlSecurityScheme } from '../../src/compiler/schema/gql-schema.js';
import type { ApiHeader } from './request.js';

/** The credentials of the session. */
export interface Credentials {
  /** The secret for each scheme, by its key. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Further headers, one `name: value` a line. */
  readonly headers: string;
}

/** No credentials. */
export const noCredentials: Credentials = { secrets: {}, headers: '' };

/** The key of a scheme among the secrets: the name of its header. */
export function schemeKey(scheme: GqlSecurityScheme): string {
  return scheme.type === 'bearer' ? 'authorization' : scheme.header.toLowerCase();
}

/** The schemes that the session has a secret for. */
function schemesWith({ security = [] }: GqlSchema, secrets: Credentials['secrets']) {
  const given = security.map((scheme) => ({ type: scheme.type, name: schemeKey(scheme) }));
  return given
    .map((one) => ({ ...one, secret: secrets[one.name]?.trim() ?? '' }))
    .filter(({ secret }) => secret !== '');
}

/** The headers that a call sends. */
export function credentialHeaders(schema: GqlSchema, { secrets, headers }: Credentials): readonly ApiHeader[] {
  const given = schemesWith(schema, secrets).map(({ type, name, secret }) => {
    return { name, value: type === 'bearer' ? `Bearer ${secret}` : secret };
  });
  return [...given, ...readHeaders(headers).headers];
}

/** The same headers for code: a variable in the place of each secret. */
export function codeHeaders(schema: GqlSchema, { secrets, headers }: Credentials): readonly CurlHeader[] {
  const given = schemesWith(schema, secrets).map(({ type, name }) => {
    return type === 'bearer' ? { name, value: 'Bearer ', variable: 'TOKEN' } : { name, value: '', variable: 'API_KEY' };
  });
  return [...given, ...readHeaders(headers).headers];
}

/** Reads headers, one a line; `problem` names the first line that is none. */
export function readHeaders(text: string): { readonly headers: readonly ApiHeader[]; readonly problem?: string } {
  const headers: ApiHeader[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    // A token and a field value (RFC 9110, sections 5.1 and 5.5).
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      return { headers, problem: `“${line}” is not a header. Expected “name: value”.` };
    headers.push({ name: name.toLowerCase(), value });
  }
  return { headers };
}
