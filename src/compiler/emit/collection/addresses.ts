import type { CollectionVariable } from './format.js';

export type Addresses = ReturnType<typeof addressesOf>;

/**
 * The URLs of a collection that follow from a base URL. That of a default REST route is the host `rest.host`, the path
 * segments `rest.path` and the name of the operation; `root` is the host of the routes that the topology gives. A base URL with a path is the GraphQL endpoint itself, and the REST routes are
 * at `api` beside it; the routes that the topology gives begin there, too. A base URL without a path is a server, with GraphQL at `/graphql` and REST at `/api`.
 */
export function addressesOf(baseUrl: string, hasOwnRoutes: boolean) {
  const { origin, path } = splitUrl(baseUrl);
  if (path === '') {
    return {
      variables: [variable('base_url', origin, 'The URL of the server.')],
      graphql: '{{base_url}}/graphql',
      rest: { host: '{{base_url}}', path: ['api'] },
      root: '{{base_url}}',
    };
  }
  const rootUrl = `${origin}${path.slice(0, path.lastIndexOf('/'))}`;
  return {
    variables: [
      variable('base_url', baseUrl, 'The URL of the GraphQL endpoint.'),
      variable('api_url', `${rootUrl}/api`, 'The base URL of the REST routes.'),
      ...(hasOwnRoutes ? [variable('root_url', rootUrl, 'The base URL of the other REST routes.')] : []),
    ],
    graphql: '{{base_url}}',
    rest: { host: '{{api_url}}', path: [] },
    root: '{{root_url}}',
  };
}

/** The origin of a base URL without a path; undefined if it has one. */
export function originOf(baseUrl: string): string | undefined {
  const { origin, path } = splitUrl(baseUrl);
  return path === '' ? origin : undefined;
}

/** Does not use the URL class, because a base URL may contain variables: `{{server}}/graphql`. */
function splitUrl(text: string): { readonly origin: string; readonly path: string } {
  const origin = /^(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*/i.exec(text)?.[0] ?? '';
  const path = text
    .slice(origin.length)
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '');
  return { origin, path };
}

function variable(key: string, value: string, description: string): CollectionVariable {
  return { key, value, type: 'string', description };
}
