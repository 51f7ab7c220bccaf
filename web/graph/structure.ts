import type { Drawing, DrawnBox, DrawnLine, Point } from '../../src/analysis/diagram/drawing.js';
import { hubSize } from '../../src/analysis/diagram/hub-size.js';
import { appendTo, remember } from '../../src/compiler/graph/maps.js';

/** A part of the graph that can be selected: a node, or the edges of an operation or a union. */
export type Selection =
  | { readonly kind: 'node'; readonly id: string }
  | { readonly kind: 'edge'; readonly coordinate: string };

/** The name of a part: `(read_user)` for a node, as in the language; `Query.readUser` or `VerdictRace` for edges. */
export function nameOfPart(part: Selection): string {
  return part.kind === 'node' ? `(${part.id})` : part.coordinate;
}

/** The name of a box: that of its node, or the id of a group; undefined for a meeting point. */
export function nameOfBox({ node, group }: DrawnBox): string | undefined {
  return node === undefined ? group : nameOfPart({ kind: 'node', id: node });
}

/** The part of a name. */
export function partOfName(name: string): Selection {
  const [, id] = /^\((.*)\)$/s.exec(name) ?? [];
  return id === undefined ? { kind: 'edge', coordinate: name } : { kind: 'node', id };
}

/** Which parts of a drawing are connected. Parts are known by their names. */
export interface Structure {
  readonly boxes: ReadonlyMap<string, DrawnBox>;
  /** The lines that end with the head of an edge. */
  readonly lines: ReadonlyMap<string, readonly DrawnLine[]>;
  /** The sources and targets of each line; the sources of a line from a meeting point are those that meet there. */
  readonly ends: ReadonlyMap<DrawnLine, LineEnds>;
  /** The edges of each line: a line to a meeting point belongs to each edge from there; none for a field. */
  readonly edges: ReadonlyMap<DrawnLine, readonly string[]>;
  /** The parts that follow a part along the direction of edges, and those before it. */
  readonly after: ReadonlyMap<string, ReadonlySet<string>>;
  readonly before: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The parts at both ends of a line. */
export interface LineEnds {
  readonly sources: readonly string[];
  readonly targets: readonly string[];
}

/** Finds out which parts of a drawing are connected. */
export function structureOf({ boxes, lines }: Drawing): Structure {
  const names = new Map<string, string>();
  const byName = new Map<string, DrawnBox>();
  for (const box of boxes) {
    const name = nameOfBox(box);
    if (name === undefined) continue;
    names.set(box.key, name);
    byName.set(name, box);
  }
  const ends = new Map<DrawnLine, LineEnds>();
  const edges = new Map<DrawnLine, readonly string[]>();
  const ofEdge = new Map<string, DrawnLine[]>();
  const after = new Map<string, Set<string>>();
  const before = new Map<string, Set<string>>();
  const connect = (from: string, to: string) => {
    remember(after, from, () => new Set<string>()).add(to);
    remember(before, to, () => new Set<string>()).add(from);
  };
  const fromBox = new Map<string, DrawnLine[]>();
  const toBox = new Map<string, DrawnLine[]>();
  for (const line of lines) {
    appendTo(fromBox, line.from, line);
    appendTo(toBox, line.to, line);
  }
  const nodesAt = (key: string, around: ReadonlyMap<string, DrawnLine[]>, far: 'from' | 'to') => {
    const name = names.get(key);
    if (name !== undefined) return [name];
    return (around.get(key) ?? []).flatMap((line) => names.get(line[far]) ?? []);
  };
  for (const line of lines) {
    const { coordinate } = line;
    const sources = nodesAt(line.from, toBox, 'from');
    const targets = nodesAt(line.to, fromBox, 'to');
    ends.set(line, { sources, targets });
    const continued = names.has(line.to) ? [line] : (fromBox.get(line.to) ?? []);
    edges.set(line, [...new Set(continued.flatMap((each) => each.coordinate ?? []))]);
    if (!line.hasHead) continue;
    if (coordinate === undefined) {
      for (const source of sources) for (const target of targets) connect(source, target);
    } else {
      appendTo(ofEdge, coordinate, line);
      for (const source of sources) connect(source, coordinate);
      for (const target of targets) connect(coordinate, target);
    }
  }
  return { boxes: byName, lines: ofEdge, ends, edges, after, before };
}

/** The id of a node, without parentheses, or the texts of a group. */
export function titleOfBox({ boxes }: Structure, name: string): string {
  const { node, text = [] } = boxes.get(name) ?? {};
  return node ?? text.join(' ');
}

/** Where a part is: the centre of its box or of its text. */
export function placeOf({ boxes, lines }: Structure, name: string): Point | undefined {
  const box = boxes.get(name);
  if (box !== undefined) return box;
  const [line] = lines.get(name) ?? [];
  return line === undefined ? undefined : (line.label ?? line.tip);
}

/**
 * The parts around a part: those before and after it, for an edge also the other edges of its nodes, with their nodes.
 * They include the part itself. What surrounds a hub is near the hub alone.
 */
export function neighbourhoodIn(structure: Structure, name: string): ReadonlySet<string> {
  const around = (part: string): readonly string[] => {
    const near = [...(structure.after.get(part) ?? []), ...(structure.before.get(part) ?? [])];
    const isHub = structure.boxes.has(part) && near.length >= hubSize;
    return isHub && part !== name ? [] : near;
  };
  const steps = structure.boxes.has(name) ? 2 : 3;
  let found = new Set([name]);
  for (let step = 0; step < steps; step++) found = new Set([...found, ...[...found].flatMap(around)]);
  return found;
}

/** A direction of the keyboard. Edges run to the right. */
export type Direction = 'left' | 'right' | 'up' | 'down';

/** The part to which the keyboard moves: along the edges to the left and right, to the nearest part of the same kind up and down. */
export function nextPart(structure: Structure, name: string, direction: Direction): string | undefined {
  const here = placeOf(structure, name);
  if (here === undefined) return undefined;
  const isVertical = direction === 'up' || direction === 'down';
  const alike = structure.boxes.has(name) ? structure.boxes.keys() : structure.lines.keys();
  const candidates = isVertical ? alike : structure[direction === 'right' ? 'after' : 'before'].get(name);
  const sign = direction === 'up' ? -1 : 1;
  let best: string | undefined;
  let shortest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates ?? []) {
    const there = placeOf(structure, candidate);
    if (there === undefined || candidate === name) continue;
    const across = Math.abs(there.x - here.x);
    const down = (there.y - here.y) * sign;
    if (isVertical && down <= 0) continue;
    // What lies far to the side is taken only if nothing else is there: each part can be reached.
    const aside = across > 2 * down + 40 ? farAside : 0;
    const distance = isVertical ? across * 2 + down + aside : Math.abs(down) + across / 100;
    if (distance < shortest) [best, shortest] = [candidate, distance];
  }
  return best;
}

/** More than any distance in a drawing. */
const farAside = 1e6;
