/**
 * Loads GraphiQL, the page for trying queries. It comes completely from its npm package, so that the browser loads
 * nothing from a CDN.
 */
export async function loadGraphiQL(): Promise<
  typeof import('@graphql-yoga/render-graphiql').renderGraphiQL | undefined
> {
  try {
    return (await import('@graphql-yoga/render-graphiql')).renderGraphiQL;
  } catch {
    return undefined;
  }
}

/** Escapes a title: the page inserts it unescaped into markup and into a script. */
export function plainTitle(title: string): string {
  return title.replace(/[<>&"'`$\\]/g, '');
}
