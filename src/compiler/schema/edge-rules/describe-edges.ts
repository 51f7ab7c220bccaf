import type { GqlEdgeOrigin } from '../gql-schema.js';
import type { EdgeGroup } from './edge-rule.js';

/** More names than this are counted instead of listed. */
const mostListed = 12;

/** Ids as `a | b`. Beyond twelve the rest is a number, because each of n operations may list n sources. */
export function listIds(ids: readonly string[]): string {
  if (ids.length === 1) return ids[0] as string;
  if (ids.length <= mostListed) return ids.join(' | ');
  return `${ids.slice(0, mostListed).join(' | ')} and ${ids.length - mostListed} more`;
}

/** The sources and the target of each edge of a group: `a | b to c`. Equal texts are listed once. */
export function describeEdges({ origins }: EdgeGroup): readonly string[] {
  const [first] = origins;
  if (first !== undefined && origins.length === 1) return [describeEdge(first)];
  return [...new Set(origins.map(describeEdge))];
}

function describeEdge({ from, to }: GqlEdgeOrigin): string {
  return `${listIds(from)} to ${to}`;
}

/** All sources of a group, each once: `a | b`. */
export function describeSources({ origins }: EdgeGroup): string {
  return listIds([...new Set(origins.flatMap(({ from }) => from))]);
}

/** The doc comments of the edges of a group, a paragraph for each; undefined when there are none. */
export function joinDocs({ edges }: EdgeGroup): string | undefined {
  const [first] = edges;
  if (first !== undefined && edges.length === 1) return first.description;
  const texts = new Set(edges.flatMap(({ description }) => description ?? []));
  return texts.size === 0 ? undefined : [...texts].join('\n\n');
}
