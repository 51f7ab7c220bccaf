import { remember } from '../../compiler/graph/maps.js';
import type { Drawing, DrawnBox, DrawnLine, Point } from './drawing.js';
import { round } from './shapes.js';

/** A part of a drawing that is not connected to the rest, and the rectangle around it. */
interface Component {
  readonly boxes: readonly DrawnBox[];
  readonly lines: readonly DrawnLine[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Between columns, and between the parts of a column. */
const [gap, rowGap] = [40, 28];

/**
 * Sets the unconnected parts of a drawing in columns, in the order of the topology.
 *
 * @param aspect - The width of the view in relation to its height.
 */
export function packDrawing(drawing: Drawing, aspect: number): Drawing {
  const components = componentsOf(drawing.boxes, drawing.lines).map(measured);
  if (components.length < 2) return drawing;
  const height = components.reduce((sum, component) => sum + heightOf(component), 0);
  let best: { readonly columns: Component[][]; readonly scale: number } | undefined;
  for (let count = 1; count <= Math.min(components.length, 12); count++) {
    const columns = inColumns(components, height / count);
    const { width, height: tallest } = sizeOf(columns);
    const scale = Math.min(aspect / width, 1 / tallest);
    if (best === undefined || scale > best.scale * 1.05) best = { columns, scale };
  }
  return place(drawing, best?.columns ?? []);
}

/** Finds the parts that are not connected with each other, in the order of their first boxes. */
export function componentsOf<Box extends Pick<DrawnBox, 'key'>, Line extends Pick<DrawnLine, 'from' | 'to'>>(
  boxes: readonly Box[],
  lines: readonly Line[],
) {
  const parents = new Map<string, string>(boxes.map(({ key }) => [key, key]));
  const rootOf = (key: string): string => {
    let root = key;
    while (parents.get(root) !== root) root = parents.get(root) as string;
    parents.set(key, root);
    return root;
  };
  for (const { from, to } of lines) parents.set(rootOf(from), rootOf(to));
  const found = new Map<string, { boxes: Box[]; lines: Line[] }>();
  for (const box of boxes) remember(found, rootOf(box.key), () => ({ boxes: [], lines: [] })).boxes.push(box);
  for (const line of lines) found.get(rootOf(line.from))?.lines.push(line);
  return [...found.values()];
}

function measured({ boxes, lines }: Pick<Component, 'boxes' | 'lines'>): Component {
  const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const component: Component = { boxes, lines, left: most, right: least, top: most, bottom: least };
  for (const box of boxes) includePlace(component, box);
  for (const { path, label } of lines) {
    for (const [, x, y] of path.matchAll(coordinates)) include(component, Number(x), Number(y));
    if (label !== undefined) includePlace(component, label);
  }
  return component;
}

const coordinates = /(-?[\d.]+),(-?[\d.]+)/g;

type Place = Pick<DrawnBox, 'x' | 'y' | 'width' | 'height'>;

function includePlace(component: Component, { x, y, width, height }: Place): void {
  include(component, x - width / 2, y - height / 2);
  include(component, x + width / 2, y + height / 2);
}

function include(component: Component, x: number, y: number): void {
  component.left = Math.min(component.left, x);
  component.right = Math.max(component.right, x);
  component.top = Math.min(component.top, y);
  component.bottom = Math.max(component.bottom, y);
}

function heightOf({ top, bottom }: Component): number {
  return bottom - top + rowGap;
}

/** Fills columns up to a height; the middle of a component decides on which side of the limit it is. */
function inColumns(components: readonly Component[], height: number): Component[][] {
  const columns: Component[][] = [];
  let filled = 0;
  for (const component of components) {
    const column = Math.floor((filled + heightOf(component) / 2) / height);
    filled += heightOf(component);
    const current = columns.at(-1);
    if (current === undefined || column >= columns.length) columns.push([component]);
    else current.push(component);
  }
  return columns;
}

function sizeOf(columns: readonly (readonly Component[])[]): { readonly width: number; readonly height: number } {
  const widths = columns.map((column) => Math.max(...column.map(({ left, right }) => right - left)));
  const heights = columns.map((column) => column.reduce((sum, component) => sum + heightOf(component), 0));
  return { width: widths.reduce((sum, width) => sum + width + gap, -gap), height: Math.max(...heights) - rowGap };
}

function place({ boxes, lines }: Drawing, columns: readonly (readonly Component[])[]): Drawing {
  const movedBoxes = new Map<DrawnBox, DrawnBox>();
  const movedLines = new Map<DrawnLine, DrawnLine>();
  let left = 0;
  for (const column of columns) {
    let top = 0;
    for (const component of column) {
      const [dx, dy] = [left - component.left, top - component.top];
      const move = <Place extends Point>(at: Place): Place => {
        return { ...at, x: round(at.x + dx), y: round(at.y + dy) };
      };
      for (const box of component.boxes) movedBoxes.set(box, move(box));
      for (const line of component.lines) {
        const { path, tip, label } = line;
        movedLines.set(line, {
          ...line,
          path: path.replace(coordinates, (_, x, y) => `${round(Number(x) + dx)},${round(Number(y) + dy)}`),
          tip: tip && move(tip),
          label: label && move(label),
        });
      }
      top += heightOf(component);
    }
    left += Math.max(...column.map((component) => component.right - component.left)) + gap;
  }
  const { width, height } = sizeOf(columns);
  return {
    width: round(width),
    height: round(height),
    // In their order: it is the order in which they are drawn, and read aloud.
    boxes: boxes.map((box) => movedBoxes.get(box) as DrawnBox),
    lines: lines.map((line) => movedLines.get(line) as DrawnLine),
  };
}
