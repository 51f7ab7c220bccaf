import type { DiagramBox, DiagramLine, LineKind } from './diagram.js';
import type { DrawnBox, DrawnLine, Point } from './drawing.js';

// The forms of boxes, lines and texts, the same in every picture. Their kinds differ without colour.

/** The attributes of a `path` of SVG. Colours come from the style sheet: by class, and `currentColor` for a line. */
export type PathAttributes = Readonly<Record<'class' | 'd', string>> & Readonly<Record<string, string | number>>;

/** A line of text; its point is the middle of its base line. */
export interface Word extends Point {
  readonly text: string;
  readonly class: string;
  readonly size: number;
}

type Place = Pick<DrawnBox, 'kind' | 'x' | 'y' | 'width' | 'height'>;

/** The outline of a box, in the shape of its kind. */
export function boxShape({ kind, x, y, width, height }: Place): PathAttributes {
  const [left, right, top, bottom] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  const corner = Math.min(8, height / 2);
  const square = (by: number) => `M${left + by},${top + by}H${right - by}V${bottom - by}H${left + by}Z`;
  const shape = (d: string) => ({ class: 'shape', d, 'stroke-width': 1.2 });
  switch (kind) {
    case 'scalar':
      return shape(rounded(left, top, right, bottom, height / 2));
    case 'input':
      return shape(`M${left},${top}H${right - corner}L${right},${y}L${right - corner},${bottom}H${left}Z`);
    case 'problem':
      return shape(
        `M${left + corner},${top}H${right - corner}L${right},${top + corner}V${bottom - corner}L${right - corner},${bottom}H${left + corner}L${left},${bottom - corner}V${top + corner}Z`,
      );
    case 'enum':
      return shape(square(0) + square(3));
    case 'group':
      return shape(`M${left + 4},${top}V${top - 4}H${right + 4}V${bottom - 4}H${right}${square(0)}`);
    case 'interface':
      return { ...shape(rounded(left, top, right, bottom, corner)), 'stroke-dasharray': '5 3' };
    default:
      return shape(rounded(left, top, right, bottom, corner));
  }
}

function rounded(left: number, top: number, right: number, bottom: number, radius: number): string {
  const arc = (x: number, y: number) => `A${radius},${radius},0,0,1,${x},${y}`;
  return [
    `M${left + radius},${top}H${right - radius}${arc(right, top + radius)}`,
    `V${bottom - radius}${arc(right - radius, bottom)}`,
    `H${left + radius}${arc(left, bottom - radius)}V${top + radius}${arc(left + radius, top)}Z`,
  ].join('');
}

const strokes: Readonly<Record<LineKind, { readonly width: number; readonly dashes?: string }>> = {
  query: { width: 1.4 },
  mutation: { width: 2.6 },
  subscription: { width: 1.4, dashes: '6 4' },
  union: { width: 1.4, dashes: '10 3 2 3' },
  nothing: { width: 1.4, dashes: '1.5 3.5' },
  field: { width: 0.8 },
};

/** The stroke of a line. */
export function lineStroke(line: Pick<DrawnLine, 'becomes' | 'path' | 'isFocus'>): PathAttributes {
  const { width, dashes } = strokes[line.becomes];
  const form = dashes === undefined ? {} : { 'stroke-dasharray': dashes };
  const stroke = { fill: 'none', stroke: 'currentColor', 'stroke-width': line.isFocus ? width + 2 : width };
  return { class: 'stroke', d: line.path, ...stroke, ...form };
}

/** The length of the head of a line. */
export function headLength({ becomes }: Pick<DiagramLine, 'becomes'>): number {
  return { query: 8, mutation: 9, subscription: 8, union: 10, nothing: 8, field: 5 }[becomes];
}

/** The head of a line, from the end of its path to its tip; undefined without a head. */
export function lineHead(line: Pick<DrawnLine, 'becomes' | 'path' | 'tip'>): PathAttributes | undefined {
  const { becomes, path, tip } = line;
  if (tip === undefined) return undefined;
  const [, fromX = 0, fromY = 0] = (/([-\d.]+),([-\d.]+)$/.exec(path) ?? []).map(Number);
  const length = Math.hypot(tip.x - fromX, tip.y - fromY) || 1;
  const [dx, dy] = [(tip.x - fromX) / length, (tip.y - fromY) / length];
  const at = (along: number, aside: number) =>
    `${round(fromX + dx * along - dy * aside)},${round(fromY + dy * along + dx * aside)}`;
  const triangle = (start: number, end: number, half: number) =>
    `M${at(start, half)}L${at(end, 0)}L${at(start, -half)}`;
  const outlines: Readonly<Record<LineKind, () => string>> = {
    query: () => `${triangle(0, length, length * 0.42)}Z`,
    // With a bar across its beginning.
    mutation: () =>
      `M${at(0, length * 0.4)}L${at(0, length * -0.4)}M${at(0, 0)}L${at(length * 0.35, 0)}${triangle(length * 0.35, length, length * 0.32)}Z`,
    subscription: () => {
      const radius = round(length / 2);
      return `M${at(0, 0)}A${radius},${radius},0,1,1,${at(length, 0)}A${radius},${radius},0,1,1,${at(0, 0)}Z`;
    },
    union: () => `M${at(0, 0)}L${at(length / 2, length / 3)}L${at(length, 0)}L${at(length / 2, -length / 3)}Z`,
    nothing: () => `${triangle(0, length, length * 0.42)}Z`,
    field: () => triangle(0, length, length / 2),
  };
  const isHollow = becomes === 'subscription' || becomes === 'nothing' || becomes === 'field';
  return {
    class: 'head',
    d: outlines[becomes](),
    fill: isHollow ? 'none' : 'currentColor',
    stroke: 'currentColor',
    'stroke-width': becomes === 'mutation' ? 1.6 : 1.2,
  };
}

/** The words in a box: a name, and what is said of it. */
export function boxWords({ text, x, y }: Pick<DrawnBox, 'text' | 'x' | 'y'>): readonly Word[] {
  return text.map((line, at) => ({
    text: line,
    class: at === 0 ? 'name' : 'label',
    size: at === 0 ? 12 : 11,
    x,
    y: y + 4 + (at - (text.length - 1) / 2) * 14,
  }));
}

/** The words on a line: the type of the edge, and a name; none without a label. */
export function lineWords({ text, label }: Pick<DrawnLine, 'text' | 'label'>): readonly Word[] {
  if (label === undefined) return [];
  return text.map((line, at) => ({
    text: line,
    class: at === text.length - 1 ? 'name' : 'type',
    size: at === text.length - 1 ? 11 : 9,
    x: label.x,
    y: label.y + 1.5 + (at - (text.length - 1) / 2) * 11,
  }));
}

/** The size of a box with its words. */
export function boxSize({ kind, text }: Pick<DiagramBox, 'kind' | 'text'>) {
  const height = 14 + 13 * text.length;
  // The ends of these shapes are not as wide as the rest.
  const ends = kind === 'scalar' || kind === 'input' || kind === 'problem' ? 10 : 0;
  return { width: Math.ceil(Math.max(widthOf(boxWords({ text, x: 0, y: 0 })) + 18, 50) + ends), height };
}

/** The size of the words on a line. */
export function labelSize({ text }: Pick<DiagramLine, 'text'>) {
  const words = lineWords({ text, label: { x: 0, y: 0, width: 0, height: 0 } });
  return { width: Math.ceil(widthOf(words)) + 6, height: 11 * text.length + 7 };
}

/** The width that a line needs for its words, and for an operation also for the numbers that the studio shows below. */
export function lineRoom(line: Pick<DiagramLine, 'text'>): number {
  return Math.max(labelSize(line).width, line.text.length > 1 ? numbersWidth : 0);
}

/** The width of the numbers of an operation, with their distance from boxes. */
const numbersWidth = 100;

function widthOf(words: readonly Word[]): number {
  return Math.max(0, ...words.map(({ text, size }) => textWidth(text, size)));
}

/** The width of a text in the fonts that pictures ask for: Helvetica, Arial, Liberation Sans and DejaVu Sans. */
function textWidth(text: string, size: number): number {
  const sum = [...text].reduce(
    (width, character) => width + (widths[character.charCodeAt(0) - 32] ?? others[character] ?? 1000),
    0,
  );
  return (sum * size) / 1000;
}

/** The printable characters of ASCII, in thousandths of the font size: the wider of Liberation Sans and DejaVu Sans. */
const widths = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 636, 337, 337, 838, 838, 838, 556, 1015, 684, 686, 722, 770, 667, 611, 778, 752, 295, 500, 667, 557, 863,
  748, 787, 667, 787, 722, 667, 611, 732, 684, 989, 685, 667, 685, 390, 337, 390, 838, 556, 500, 613, 635, 550, 635,
  615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
  337, 636, 838,
];

/** Of the other characters, those that pictures add to names. */
const others: Readonly<Record<string, number>> = { '·': 318, '–': 556, '×': 838 };

/** To a tenth of a point. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
