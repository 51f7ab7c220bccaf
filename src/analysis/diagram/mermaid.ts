import { appendTo } from '../../compiler/graph/maps.js';
import type { Diagram, DiagramBox, DiagramLine, LineKind } from './diagram.js';
import { colors } from './palette.js';

/** Writes a diagram as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html). */
export function diagramToMermaid({ boxes, lines }: Diagram): string {
  // Mermaid refers to lines by number.
  const styles = new Map<string, number[]>();
  for (const [number, { becomes, isFocus }] of lines.entries())
    appendTo(styles, `stroke:${colors[becomes]}${isFocus ? ',stroke-width:4px' : ''}`, number);
  const hasMeetings = boxes.some(({ kind }) => kind === 'meeting');
  return [
    'flowchart LR\n',
    ...boxes.map((box) => `  ${printBox(box)}\n`),
    ...lines.map((line) => `  ${line.from} ${printLine(line)} ${line.to}\n`),
    ...[...styles].map(([style, numbers]) => `  linkStyle ${numbers.join(',')} ${style}\n`),
    ...(hasMeetings ? [`  classDef meeting fill:${colors.nothing},stroke:${colors.nothing}\n`] : []),
  ].join('');
}

function printBox({ key, kind, text }: DiagramBox): string {
  if (kind === 'meeting') return `${key}((" ")):::meeting`;
  const [left, right] = shapes[kind];
  return `${key}${left}${quote(text)}${right}`;
}

/** The brackets of each kind, such as those of rounded corners for an object type and of a hexagon for an enum. */
const shapes: Readonly<Record<Exclude<DiagramBox['kind'], 'meeting'>, readonly [string, string]>> = {
  object: ['(', ')'],
  enum: ['{{', '}}'],
  scalar: ['([', '])'],
  input: ['[/', '/]'],
  interface: ['[[', ']]'],
  problem: ['>', ']'],
  group: ['[(', ')]'],
};

function printLine({ becomes, text, hasHead }: DiagramLine): string {
  const [headless, headed] = arrows[becomes];
  return hasHead ? `${headed}|${quote(text)}|` : headless;
}

/** The lines of each kind: to a meeting point, and to a node. */
const arrows: Readonly<Record<LineKind, readonly [string, string]>> = {
  query: ['---', '-->'],
  mutation: ['===', '==>'],
  subscription: ['---', '--o'],
  union: ['---', '--x'],
  nothing: ['-.-', '-.->'],
  field: ['---', '---'],
};

/**
 * A quoted text. Characters that are special in Mermaid or HTML are written as character codes, Mermaid's
 * form of escaping.
 */
function quote(lines: readonly string[]): string {
  const escaped = lines.map((text) =>
    text.replace(/[^\p{L}\p{N}_ ·-]/gu, (character) => `#${character.codePointAt(0)};`),
  );
  return `"${escaped.join('<br/>')}"`;
}
