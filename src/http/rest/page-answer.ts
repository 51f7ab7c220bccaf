import type { JsonValue } from '../../graph/json-value.js';

/** The answer of a route with pages. */
export interface PageAnswer {
  /** The items as JSON text. */
  readonly text: string;
  /** The header `Link`. */
  readonly headers: readonly string[];
}

/** The part of a connection that a route with pages asks for. */
interface Connection {
  readonly edges: readonly { readonly node: JsonValue }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/**
 * Makes the answer of a route with pages from its connection: the list of the items, and links to the first, the next
 * and the previous page (RFC 8288). A link holds only a query string, which a client resolves against the URL of its
 * request, so that it is right behind a proxy and below a path, too.
 *
 * @param query - The query string of the request.
 * @param size - The number of items in a page by default.
 */
export function pageAnswer(connection: JsonValue, query: string, size: number): PageAnswer {
  const { edges, pageInfo } = connection as unknown as Connection;
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
  const given = new URLSearchParams(query);
  const count = given.get('first') ?? given.get('last') ?? String(size);
  for (const name of ['first', 'after', 'last', 'before']) given.delete(name);
  const linkTo = (rel: string, place: Readonly<Record<string, string>>): string => {
    const target = new URLSearchParams([...given, ...Object.entries(place)]);
    return `<?${target}>; rel="${rel}"`;
  };
  const links = [linkTo('first', { first: count })];
  if (hasNextPage && endCursor !== null) links.push(linkTo('next', { first: count, after: endCursor }));
  if (hasPreviousPage && startCursor !== null) {
    links.push(linkTo('prev', { last: count, before: startCursor }));
  }
  return { text: JSON.stringify(edges.map(({ node }) => node)), headers: ['link', links.join(', ')] };
}
