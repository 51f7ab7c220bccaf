/** Loads the page to try queries on. It comes from its npm package as a whole, so that the server loads nothing from a CDN. */
export async function loadGraphiQL(): Promise<
  typeof import('@graphql-yoga/render-graphiql').renderGraphiQL | undefined
> {
  try {
    return (await import('@graphql-yoga/render-graphiql')).renderGraphiQL;
  } catch {
    return undefined;
  }
}

/** A title as the page can hold it: it puts it into markup and into a script, as it is. */
export function plainTitle(title: string): string {
  return title.replace(/[<>&"'`$\\]/g, '');
}
