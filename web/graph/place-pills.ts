import type { DrawnLine, Point } from '../../src/analysis/diagram/drawing.js';
import { appendTo } from '../../src/compiler/graph/maps.js';
import type { Structure } from './structure.js';

/** The room of the numbers of an edge: two lines of text. */
export const pillSize = { width: 94, height: 27 } as const;
/** The room of the outcome of a branch of a race. */
export const tagSize = { width: 66, height: 15 } as const;

/** A place for what is shown beside an edge while it is called. */
export interface Pill extends Point {
  readonly coordinate: string;
  readonly line: DrawnLine;
  /** The node of the branch of a race that it is about; absent for the numbers of an edge. */
  readonly branch?: string;
}

interface Rectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const gap = 3;

/**
 * Reserves a place for the numbers of each edge and the outcome of each branch of a race: near the text of the edge,
 * and free of boxes, texts, heads and each other. It depends on the drawing only, so nothing moves when calls come.
 */
export function placePills(structure: Structure): readonly Pill[] {
  const taken = new Grid();
  // The state of a channel is below its box.
  for (const { x, y, width, height } of structure.boxes.values())
    taken.add(around({ x, y: y + 7 }, width, height + 14));
  const points = new Grid();
  for (const line of structure.ends.keys()) {
    const { label, tip } = line;
    if (tip !== undefined) taken.add(around(tip, 20, 20));
    if (label !== undefined) taken.add(around(label, label.width + 20, label.height));
    for (const point of alongPath(line.path)) points.add(around(point, 2, 2));
  }
  const pills: Pill[] = [];
  const reserve = (pill: Pill, size: typeof pillSize | typeof tagSize) => {
    const place = freePlace(pill, size, taken, points);
    taken.add(around(place, size.width + gap, size.height + gap));
    pills.push({ ...pill, ...place });
  };
  // First, at their lines: an outcome must be read with its branch.
  for (const [line, edges] of structure.edges) {
    const [coordinate] = edges;
    const branch = branchOf(structure, line);
    if (coordinate === undefined || branch === undefined || line.hasHead || line.becomes !== 'union') continue;
    const course = alongPath(line.path);
    const middle = course[course.length >> 1];
    if (middle !== undefined) reserve({ coordinate, line, branch, ...middle }, tagSize);
  }
  for (const [coordinate, [line]] of structure.lines) {
    if (line?.label === undefined) continue;
    const { x, y } = line.label;
    reserve({ coordinate, line, x, y }, pillSize);
  }
  return pills;
}

/** The id of the only node that a line comes from. */
export function branchOf({ ends }: Structure, line: DrawnLine): string | undefined {
  const { sources = [] } = ends.get(line) ?? {};
  return sources.length === 1 ? sources[0]?.slice(1, -1) : undefined;
}

/** Steps away from the text or the line of a pill, the nearest first; of equal ones, down before up. */
const offsets = Array.from({ length: 81 * 81 }, (_, at) => ({
  x: ((at % 81) - 40) * 7,
  y: (40 - Math.floor(at / 81)) * 4,
})).sort((one, other) => Math.hypot(one.x, one.y) - Math.hypot(other.x, other.y));

/** What it costs to cover a point of a line, as a distance. */
const weightOfLine = 4;

/** From this distance on, a leader goes from the text of an edge to its numbers. */
export const farAway = 45;

/** The nearest free place; of free places, one that covers few lines, and whose leader crosses no text. */
function freePlace(wanted: Point, { width, height }: typeof pillSize | typeof tagSize, taken: Grid, points: Grid) {
  let best: Point = wanted;
  let least = Number.POSITIVE_INFINITY;
  for (const offset of offsets) {
    const distance = Math.hypot(offset.x, offset.y);
    if (distance >= least) break;
    const place = { x: wanted.x + offset.x, y: wanted.y + offset.y };
    const area = around(place, width + gap, height + gap);
    if (taken.count(area) > 0) continue;
    const crossed = distance > farAway ? crossings(wanted, offset, taken) : 0;
    const cost = distance + weightOfLine * points.count(area) + 3 * farAway * crossed;
    if (cost < least) [best, least] = [place, cost];
  }
  return best;
}

/** How many boxes, texts and pills a leader crosses, beside the text that it begins at. */
function crossings(from: Point, way: Point, taken: Grid): number {
  const found = [0.5, 0.65, 0.8].map((part) => {
    return taken.count(around({ x: from.x + part * way.x, y: from.y + part * way.y }, 2, 2));
  });
  return Math.max(...found);
}

/** Rectangles by the cells of a grid, so that a search looks at the near ones only. */
class Grid {
  readonly #cells = new Map<string, Rectangle[]>();

  add(one: Rectangle): void {
    for (const key of cellsOf(one)) appendTo(this.#cells, key, one);
  }

  /** The number of rectangles that overlap with one. */
  count({ left, right, top, bottom }: Rectangle): number {
    const found = new Set<Rectangle>();
    for (const key of cellsOf({ left, right, top, bottom }))
      for (const one of this.#cells.get(key) ?? [])
        if (one.left < right && one.right > left && one.top < bottom && one.bottom > top) found.add(one);
    return found.size;
  }
}

const cellSize = 96;

function* cellsOf({ left, right, top, bottom }: Rectangle): Iterable<string> {
  for (let column = Math.floor(left / cellSize); column <= Math.floor(right / cellSize); column++)
    for (let row = Math.floor(top / cellSize); row <= Math.floor(bottom / cellSize); row++) yield `${column},${row}`;
}

function around({ x, y }: Point, width: number, height: number): Rectangle {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** Points on a path of cubic curves, as Graphviz draws them. */
function alongPath(path: string): readonly Point[] {
  const given = [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
  const found: Point[] = [];
  const parts = 6;
  for (let at = 0; at + 3 < given.length; at += 3) {
    const [a, b, c, d] = given.slice(at, at + 4) as [Point, Point, Point, Point];
    for (let part = 0; part < parts; part++) {
      const t = part / parts;
      const [p, q, r, s] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
      found.push({ x: p * a.x + q * b.x + r * c.x + s * d.x, y: p * a.y + q * b.y + r * c.y + s * d.y });
    }
  }
  return found.length === 0 ? given : found;
}
