import { appendTo } from '../../compiler/graph/maps.js';
import type { Diagram } from './diagram.js';
import { hubSize } from './hub-size.js';

/**
 * Finds the hub nearest to each node, along edges and fields. A hub is its own hub; parts of the topology without a hub
 * are absent.
 *
 * @returns The id of a hub by the key of a box.
 */
export function hubOfBoxes({ boxes, lines }: Diagram): ReadonlyMap<string, string> {
  const after = new Map<string, string[]>();
  const before = new Map<string, string[]>();
  for (const { from, to } of lines) {
    appendTo(after, from, to);
    appendTo(before, to, from);
  }
  // The sources of an edge that meet in a point are neighbours of its targets, not of each other.
  const meetings = new Set(boxes.flatMap(({ key, kind }) => (kind === 'meeting' ? key : [])));
  const follow = (key: string, ends: ReadonlyMap<string, readonly string[]>) =>
    (ends.get(key) ?? []).flatMap((end) => (meetings.has(end) ? (ends.get(end) ?? []) : end));
  const neighboursOf = (key: string) => new Set([...follow(key, after), ...follow(key, before)]);
  const found = new Map<string, string>();
  for (const { key, node } of boxes) if (node !== undefined && neighboursOf(key).size >= hubSize) found.set(key, node);
  let ring = [...found.keys()];
  while (ring.length > 0) {
    const next: string[] = [];
    for (const key of ring) {
      for (const near of neighboursOf(key)) {
        if (found.has(near)) continue;
        found.set(near, found.get(key) as string);
        next.push(near);
      }
    }
    ring = next;
  }
  return found;
}
