import type { EdgeGroup } from './edge-rule.js';

/** What each edge of a group leads from and to: `a | b to c`; edges that say the same are said once. */
export function eachEdge({ edges, target }: EdgeGroup): readonly string[] {
  const [first] = edges;
  if (first !== undefined && edges.length === 1) return [`${first.sources.join(' | ')} to ${target.id}`];
  return [...new Set(edges.map(({ sources }) => `${sources.join(' | ')} to ${target.id}`))];
}

/** All sources of a group, each once: `a | b`. */
export function allSources({ edges }: EdgeGroup): string {
  return [...new Set(edges.flatMap(({ sources }) => sources))].join(' | ');
}

/** The doc comments of the edges of a group, a paragraph for each; undefined when there are none. */
export function docsOf({ edges }: EdgeGroup): string | undefined {
  const [first] = edges;
  if (first !== undefined && edges.length === 1) return first.description;
  const texts = new Set(edges.flatMap(({ description }) => description ?? []));
  return texts.size === 0 ? undefined : [...texts].join('\n\n');
}
