import { createSuggester } from '../../graph/suggest.js';

/**
 * Makes a function that finds the id nearly equal to another, because one of the two may be misspelt. Ids of less than
 * four letters are all similar, and ids that differ only in their numbers are meant to differ.
 */
export function createNearId(ids: Iterable<string>): (id: string) => string | undefined {
  const suggester = createSuggester(ids);
  return (id) => {
    const near = id.length < 4 ? undefined : suggester.nearest(id);
    if (near === undefined || near.length < 4) return undefined;
    return near.replace(/\d/g, '') === id.replace(/\d/g, '') ? undefined : near;
  };
}
