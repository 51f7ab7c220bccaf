import type { GraphEdge } from '../../graph/graph-ir.js';

/** More names than this are counted instead of listed. */
const mostListed = 12;

/** Ids as `a | b`. Beyond twelve the rest is a number, because each of n operations may list n sources. */
export function listIds(ids: readonly string[]): string {
  if (ids.length === 1) return ids[0] as string;
  if (ids.length <= mostListed) return ids.join(' | ');
  return `${ids.slice(0, mostListed).join(' | ')} and ${ids.length - mostListed} more`;
}

/** The doc comments of edges, a paragraph for each; undefined when there are none. */
export function joinDocs(edges: readonly GraphEdge[]): string | undefined {
  const [first] = edges;
  if (first !== undefined && edges.length === 1) return first.description;
  const texts = new Set(edges.flatMap(({ description }) => description ?? []));
  return texts.size === 0 ? undefined : [...texts].join('\n\n');
}
