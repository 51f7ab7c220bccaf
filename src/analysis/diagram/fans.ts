import { appendTo } from '../../compiler/graph/maps.js';
import type { Diagram, DiagramBox, DiagramLine } from './diagram.js';
import type { Point } from './drawing.js';
import { boxSize, headLength, labelSize, lineRoom, round } from './shapes.js';

/**
 * Many nodes that only lines of one kind from or to the same box, the hub, connect. Graphviz would set them below each
 * other; they stand in columns, and their lines share a trunk.
 */
export interface Fan {
  readonly hub: string;
  /** Whether the lines lead from the hub to the nodes. */
  readonly isOut: boolean;
  readonly width: number;
  readonly height: number;
  readonly leaves: readonly Leaf[];
}

/** A node of a fan and its line, with places relative to the centre of the fan. */
export interface Leaf {
  readonly box: DiagramBox;
  readonly line: DiagramLine;
  readonly place: Point;
  readonly label: Point;
  /** The course of the line from the trunk's end at the fan to the node, or the other way. */
  readonly path: readonly Point[];
  /** The end of the head at the node; absent for a line that leads to the hub. */
  readonly tip?: Point;
}

/** With fewer nodes, a column is as short as other parts of a picture. */
const fewest = 9;

/** Finds the fans of a diagram whose texts are shortened. */
export function fansOf({ boxes, lines }: Pick<Diagram, 'boxes' | 'lines'>, aspect: number): readonly Fan[] {
  const linesAt = new Map<string, DiagramLine[]>();
  for (const line of lines) for (const end of new Set([line.from, line.to])) appendTo(linesAt, end, line);
  const groups = new Map<string, [DiagramBox, DiagramLine][]>();
  for (const box of boxes) {
    const [line, ...others] = linesAt.get(box.key) ?? [];
    if (box.kind === 'meeting' || line === undefined || others.length > 0 || line.from === line.to) continue;
    const isOut = line.to === box.key;
    appendTo(groups, [isOut ? line.from : line.to, isOut, line.becomes].join(' '), [box, line]);
  }
  return [...groups.values()].filter(({ length }) => length >= fewest).map((group) => fanOf(group, aspect));
}

/** The trunk and the spines of columns have round corners of this size. */
const corner = 8;

function fanOf(members: readonly [DiagramBox, DiagramLine][], aspect: number): Fan {
  const [[firstBox, firstLine]] = members as [[DiagramBox, DiagramLine]];
  const isOut = firstLine.to === firstBox.key;
  const boxes = members.map(([box]) => boxSize(box));
  const labels = members.map(([, line]) => labelSize(line));
  const [boxWidth, boxHeight] = [mostOf(boxes, 'width'), mostOf(boxes, 'height')];
  const head = firstLine.hasHead && isOut ? headLength(firstLine) : 0;
  const branch = Math.max(...members.map(([, line]) => lineRoom(line))) + corner + head + 4;
  const columnWidth = corner + branch + boxWidth + 24;
  const rowHeight = Math.max(boxHeight + 12, mostOf(labels, 'height') + 8);
  const wanted = Math.round(Math.sqrt((members.length * rowHeight * aspect) / columnWidth));
  const half = Math.ceil(members.length / Math.max(wanted, 1) / 2);
  const columns = Math.ceil(members.length / (2 * half));
  const [width, height] = [columns * columnWidth, 2 * half * rowHeight + 2 * corner];
  // As if the lines led to the right, to the nodes; the others are their mirror image.
  const mirror = ({ x, y }: Point): Point => ({ x: round(isOut ? x : -x), y: round(y) });
  const leaves = members.map(([box, line], at): Leaf => {
    const row = at % (2 * half);
    const y = (row - half + 0.5) * rowHeight + (row < half ? -corner : corner);
    const spine = Math.floor(at / (2 * half)) * columnWidth - width / 2 + corner;
    const turn = Math.sign(y) * corner;
    const near = spine + branch;
    const { width: own } = boxSize(box);
    const course = [
      ...straight({ x: -width / 2, y: 0 }, { x: spine, y: 0 }),
      ...straight({ x: spine, y: 0 }, { x: spine, y: y - turn }),
      { x: spine, y },
      { x: spine, y },
      { x: spine + corner, y },
      ...straight({ x: spine + corner, y }, { x: near - head, y }),
    ].map(mirror);
    const path = [mirror({ x: -width / 2, y: 0 }), ...course];
    return {
      box,
      line,
      place: mirror({ x: near + own / 2, y }),
      label: mirror({ x: spine + (branch - head) / 2, y: y - mostOf(labels, 'height') / 2 - 1 }),
      path: isOut ? path : path.reverse(),
      ...(head > 0 && { tip: mirror({ x: near, y }) }),
    };
  });
  return { hub: isOut ? firstLine.from : firstLine.to, isOut, width, height, leaves };
}

function mostOf<Name extends string>(sizes: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return Math.max(...sizes.map((size) => size[name]));
}

/** The further control points of a straight line, as a cubic curve. */
function straight(from: Point, to: Point): readonly Point[] {
  const at = (share: number) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
  return [at(1 / 3), at(2 / 3), to];
}
