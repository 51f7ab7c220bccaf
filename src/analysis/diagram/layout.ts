import type { Diagram, DiagramBox, DiagramLine } from './diagram.js';
import type { Drawing, Point } from './drawing.js';
import { type Fan, fansOf, type Leaf } from './fans.js';
import { componentsOf, packDrawing } from './pack-drawing.js';
import { boxSize, headLength, labelSize, lineRoom, round } from './shapes.js';

export type LayoutEffort = Readonly<Record<string, string | number>>;

/** Above these sizes Graphviz takes minutes, even with the lowest layout effort. */
const layoutLimits = { lines: 1000, boxes: 2000 } as const;

/** A sentence about the size of a diagram that is too large for a layout; undefined for others. */
export function sizeProblem({ boxes, lines }: Diagram): string | undefined {
  if (lines.length <= layoutLimits.lines && boxes.length <= layoutLimits.boxes) return undefined;
  return `Cannot lay out ${boxes.length} boxes and ${lines.length} lines: the limits are ${layoutLimits.boxes} and ${layoutLimits.lines}.`;
}

/** Graphviz attributes that reduce layout effort for large pictures, which would take minutes otherwise. */
function layoutEffort(lines: number): LayoutEffort {
  const reduced = { nslimit: 2, nslimit1: 2, mclimit: 0.2 };
  if (lines <= 200) return {};
  return lines <= 400 ? reduced : { ...reduced, splines: 'line' };
}

/**
 * Computes the coordinates of a diagram with Graphviz.
 *
 * @param engine - `await (await import('@viz-js/viz')).instance()`.
 * @throws {RangeError} If the diagram is too large.
 */
export function drawDiagram(
  diagram: Diagram,
  engine: { renderJSON(dot: string, options: { graphAttributes: LayoutEffort }): object },
): Drawing {
  const { dots, effort } = layoutOf(diagram);
  const layouts = dots.map((dot) => engine.renderJSON(dot, { graphAttributes: effort }));
  return placeDiagram(diagram, layouts);
}

/**
 * The input of the layouts of all unconnected parts. It depends only on the boxes, lines and texts of a diagram, not on
 * their places in files.
 *
 * @throws {RangeError} If the diagram is too large.
 */
export function layoutOf(diagram: Diagram) {
  const problem = sizeProblem(diagram);
  if (problem !== undefined) throw new RangeError(problem);
  return { dots: partsOf(diagram).map(dotOf), effort: layoutEffort(diagram.lines.length) };
}

function dotOf({ boxes, lines, fans }: Part): string {
  const leaves = new Set<object>(fans.flatMap((fan) => fan.leaves.flatMap(({ box, line }) => [box, line])));
  const node = (key: string, { width, height }: Record<'width' | 'height', number>) =>
    `${key} [width=${width / 72}, height=${height / 72}]`;
  const headOf = (line: DiagramLine) => (line.hasHead ? `arrowsize=${headLength(line) / 10}` : 'dir=none');
  const all = [
    'rankdir=LR ranksep=0.5',
    'node [shape=box fixedsize=true label=""]',
    ...boxes.filter((box) => !leaves.has(box)).map((box) => node(box.key, sizeOf(box))),
    ...fans.map((fan, index) => node(`f${index}`, fan)),
    ...lines.flatMap((line, index) => {
      if (leaves.has(line)) return [];
      const { height } = labelSize(line);
      const cell = `<table border="0" cellborder="0" cellspacing="0" fixedsize="true" width="${lineRoom(line)}" height="${height}"><tr><td></td></tr></table>`;
      const label = line.text.length === 0 ? '' : ` label=<${cell}>`;
      return `${line.from} -> ${line.to} [id=l${index} ${headOf(line)}${label}]`;
    }),
    ...fans.map(({ hub, isOut, leaves: [leaf] }, index) =>
      isOut
        ? `${hub} -> f${index}:w [id=f${index} dir=none]`
        : `f${index}:e -> ${hub} [id=f${index} ${headOf((leaf as Leaf).line)}]`,
    ),
  ];
  return `digraph {\n${all.join('\n')}\n}\n`;
}

/** A part of a diagram that is not connected to the rest, with texts as they are drawn. */
type Part = Pick<Diagram, 'boxes' | 'lines'> & { readonly fans: readonly Fan[] };

function partsOf({ boxes, lines }: Diagram): readonly Part[] {
  const components = componentsOf(boxes.map(shortenText), lines.map(shortenText));
  return components.map((part) => ({ ...part, fans: fansOf(part, aspect) }));
}

function sizeOf(box: DiagramBox) {
  return box.kind === 'meeting' ? { width: 6, height: 6 } : boxSize(box);
}

/** Reads the coordinates of a diagram from the layouts of its parts, the JSON of Graphviz, and sets them in columns. */
export function placeDiagram(diagram: Diagram, layouts: readonly object[]): Drawing {
  const parts = partsOf(diagram).map((part, at) => placePart(part, layouts[at] as object));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const all = { boxes: parts.flatMap(({ boxes }) => boxes), lines: parts.flatMap(({ lines }) => lines) };
  return packDrawing({ width: 0, height: 0, ...all }, aspect);
}

function placePart({ boxes, lines, fans }: Part, layout: object): Drawing {
  const graph = layout as GraphvizGraph;
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(graph.bb);
  const place = ([x = 0, y = 0]: readonly number[]): Point => ({ x: round(x - left), y: round(top - y) });
  const placed = new Map(graph.objects?.map(({ name, pos }) => [name, place(numbersOf(pos))]));
  const strokes = new Map<string, Stroke>(
    graph.edges?.map(({ id, pos, lp }) => {
      const head = pos.split(' ').find((point) => point.startsWith('e,'));
      const points = pos.split(' ').filter((point) => !/^[se],/.test(point));
      const [tip, label] = [head?.slice(2), lp].map((text) => (text ? place(numbersOf(text)) : undefined));
      return [id, { points: points.map((point) => place(numbersOf(point))), tip, label }];
    }),
  );
  for (const [index, { isOut, leaves }] of fans.entries()) {
    const centre = placed.get(`f${index}`) as Point;
    const { points: shared, tip } = strokes.get(`f${index}`) as Stroke;
    const moved = ({ x, y }: Point): Point => ({ x: round(x + centre.x), y: round(y + centre.y) });
    for (const leaf of leaves) {
      placed.set(leaf.box.key, moved(leaf.place));
      const own = leaf.path.map(moved);
      strokes.set(`l${lines.indexOf(leaf.line)}`, {
        points: isOut ? [...shared, ...own.slice(1)] : [...own, ...shared.slice(1)],
        tip: leaf.tip === undefined ? tip : moved(leaf.tip),
        label: leaf.line.text.length === 0 ? undefined : moved(leaf.label),
      });
    }
  }
  return {
    width: round(right - left),
    height: round(top - bottom),
    boxes: boxes.map((box) => ({ ...box, ...(placed.get(box.key) as Point), ...sizeOf(box) })),
    lines: lines.map((line, index) => {
      const { points, tip, label } = strokes.get(`l${index}`) as Stroke;
      return { ...line, path: pathOf(points), tip, label: label && { ...label, ...labelSize(line) } };
    }),
  };
}

interface Stroke {
  readonly points: readonly Point[];
  readonly tip: Point | undefined;
  readonly label: Point | undefined;
}

/** The width of a picture in relation to its height. */
const aspect = 3 / 2;

/** Cuts texts that would make a box wider than a screen. The whole id is in `node`, that of an edge in `coordinate`. */
function shortenText<Part extends DiagramBox | DiagramLine>(part: Part): Part {
  const most = 40;
  const text = part.text.map((line) => {
    const characters = [...line];
    return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
  });
  return { ...part, text };
}

/** The output format `json` of Graphviz (https://graphviz.org/docs/outputs/json/): the members that are read. */
interface GraphvizGraph {
  readonly bb: string;
  readonly objects?: readonly Readonly<Record<'name' | 'pos', string>>[];
  /**
   * Each with a spline: an optional end point `e,x,y`, then 1 + 3n control points
   * (https://graphviz.org/docs/attr-types/splineType/).
   */
  readonly edges?: readonly { readonly id: string; readonly pos: string; readonly lp?: string }[];
}

function numbersOf(text: string): readonly number[] {
  return text.split(',').map(Number);
}

function pathOf(points: readonly Point[]): string {
  const [start = '', ...rest] = points.map(({ x, y }) => `${x},${y}`);
  return `M${start}C${rest.join(' ')}`;
}
