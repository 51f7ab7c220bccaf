import type { Diagram, DiagramBox, DiagramLine } from './diagram.js';
import { packDrawing } from './pack-drawing.js';
import { boxSize, headLength, labelSize, round } from './shapes.js';

/** A diagram with coordinates, in points; the origin is the upper left corner. Plain data. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly DrawnBox[];
  readonly lines: readonly DrawnLine[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box; its point is its centre. */
export interface DrawnBox extends DiagramBox, Point {
  readonly width: number;
  readonly height: number;
}

export interface DrawnLine extends DiagramLine {
  /** Its course in the notation of SVG paths: `M…C…`. */
  readonly path: string;
  /** The end of its head; the path ends where the head begins. Absent without a head. */
  readonly tip?: Point | undefined;
  /** The place of its text, as that of a box; absent without a text. */
  readonly label?: (Point & Record<'width' | 'height', number>) | undefined;
}

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
  const { dot, effort } = layoutOf(diagram);
  return placeDiagram(diagram, engine.renderJSON(dot, { graphAttributes: effort }));
}

/**
 * The input of a layout. It depends only on the boxes, lines and texts of a diagram, not on their places in files.
 *
 * @throws {RangeError} If the diagram is too large.
 */
export function layoutOf(diagram: Diagram) {
  const problem = sizeProblem(diagram);
  if (problem !== undefined) throw new RangeError(problem);
  const boxes = diagram.boxes.map((box) => {
    const { width, height } = sizeOf(shortenText(box));
    return `${box.key} [width=${width / 72}, height=${height / 72}]`;
  });
  const lines = diagram.lines.map((line, index) => {
    const { width, height } = labelSize(shortenText(line));
    const cell = `<table border="0" cellborder="0" cellspacing="0" fixedsize="true" width="${width}" height="${height}"><tr><td></td></tr></table>`;
    const label = line.text.length === 0 ? '' : ` label=<${cell}>`;
    const head = line.hasHead ? `arrowsize=${headLength(line) / 10}` : 'dir=none';
    return `${line.from} -> ${line.to} [id=l${index} ${head}${label}]`;
  });
  const all = ['rankdir=LR ranksep=0.5', 'node [shape=box fixedsize=true label=""]', ...boxes, ...lines];
  return { dot: `digraph {\n${all.join('\n')}\n}\n`, effort: layoutEffort(lines.length) };
}

function sizeOf(box: DiagramBox) {
  return box.kind === 'meeting' ? { width: 6, height: 6 } : boxSize(box);
}

/** Reads the coordinates of a diagram from its layout, the JSON of Graphviz. Unconnected parts are set in columns. */
export function placeDiagram(diagram: Diagram, layout: object): Drawing {
  const { boxes, lines } = diagram;
  const graph = layout as GraphvizGraph;
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(graph.bb);
  const place = ([x = 0, y = 0]: readonly number[]): Point => ({ x: round(x - left), y: round(top - y) });
  const placed = new Map(graph.objects?.map((object) => [object.name, object]));
  const strokes = new Map(graph.edges?.map((edge) => [edge.id, edge]));
  const drawing: Drawing = {
    width: round(right - left),
    height: round(top - bottom),
    boxes: boxes.map((box) => {
      const { pos } = placed.get(box.key) as GraphvizNode;
      const shortened = shortenText(box);
      return { ...shortened, ...place(numbersOf(pos)), ...sizeOf(shortened) };
    }),
    lines: lines.map((line, index) => {
      const { pos, lp } = strokes.get(`l${index}`) as GraphvizEdge;
      const points = pos.split(' ').filter((point) => !/^[se],/.test(point));
      const head = pos.split(' ').find((point) => point.startsWith('e,'));
      const shortened = shortenText(line);
      return {
        ...shortened,
        path: pathOf(points.map((point) => place(numbersOf(point)))),
        ...(head && { tip: place(numbersOf(head.slice(2))) }),
        ...(lp && { label: { ...place(numbersOf(lp)), ...labelSize(shortened) } }),
      };
    }),
  };
  return packDrawing(drawing, aspect);
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
  readonly objects?: readonly GraphvizNode[];
  readonly edges?: readonly GraphvizEdge[];
}

type GraphvizNode = Readonly<Record<'name' | 'pos', string>>;

interface GraphvizEdge {
  readonly id: string;
  /** A spline: an optional end point `e,x,y`, then 1 + 3n control points (https://graphviz.org/docs/attr-types/splineType/). */
  readonly pos: string;
  readonly lp?: string;
}

function numbersOf(text: string): readonly number[] {
  return text.split(',').map(Number);
}

function pathOf(points: readonly Point[]): string {
  const [start = '', ...rest] = points.map(({ x, y }) => `${x},${y}`);
  return `M${start}C${rest.join(' ')}`;
}
