import type { CollectionUrl, CollectionVariable } from './format.js';

/** Where a collection sends its requests. */
export interface Addresses {
  readonly variables: readonly CollectionVariable[];
  /** The GraphQL endpoint. */
  readonly graphql: CollectionUrl;
  /** The beginning of every REST address; the name of the operation follows. */
  readonly rest: CollectionUrl;
}

/**
 * The addresses behind a base URL. One with a path is the GraphQL endpoint itself, and REST is beside
 * it, at `api`; one without is a server, with GraphQL at `/graphql` and REST at `/api`.
 */
export function addressesOf(baseUrl: string): Addresses {
  const { origin, path } = splitUrl(baseUrl);
  if (path === '') {
    return {
      variables: [variable('base_url', origin, 'The address of the server.')],
      graphql: url('{{base_url}}', ['graphql']),
      rest: url('{{base_url}}', ['api']),
    };
  }
  const apiUrl = `${origin}${path.slice(0, path.lastIndexOf('/'))}/api`;
  return {
    variables: [
      variable('base_url', baseUrl, 'The address of the GraphQL endpoint.'),
      variable('api_url', apiUrl, 'The address under which the REST routes are.'),
    ],
    graphql: url('{{base_url}}', []),
    rest: url('{{api_url}}', []),
  };
}

/** Splits without the URL class, because an address may hold variables of its own: `{{server}}/graphql`. */
function splitUrl(text: string): { readonly origin: string; readonly path: string } {
  const origin = /^(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*/i.exec(text)?.[0] ?? '';
  const path = text
    .slice(origin.length)
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '');
  return { origin, path };
}

function url(host: string, path: readonly string[]): CollectionUrl {
  const raw = [host, ...path].join('/');
  // An empty path would be sent as a slash behind the address.
  return path.length === 0 ? { raw, host: [host] } : { raw, host: [host], path };
}

function variable(key: string, value: string, description: string): CollectionVariable {
  return { key, value, type: 'string', description };
}
