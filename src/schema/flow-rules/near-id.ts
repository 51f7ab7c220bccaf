import { createSuggester } from '../../graph/suggest.js';

/**
 * Makes what finds the id that another is nearly called like, as one of the two may be misspelt. Ids of less than
 * four letters are all nearly alike, and ids that differ in their numbers alone are meant to.
 */
export function createNearId(ids: Iterable<string>): (id: string) => string | undefined {
  const suggester = createSuggester(ids);
  return (id) => {
    const near = id.length < 4 ? undefined : suggester.nearest(id);
    if (near === undefined || near.length < 4) return undefined;
    return near.replace(/\d+/g, '') === id.replace(/\d+/g, '') ? undefined : near;
  };
}
