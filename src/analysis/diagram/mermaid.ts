import { appendTo } from '../../compiler/graph/maps.js';
import { colors } from './colors.js';
import type { Diagram, DiagramBox, DiagramLine, LineKind } from './diagram.js';

/** Writes a diagram as a Mermaid flowchart (https://mermaid.js.org/syntax/flowchart.html). */
export function diagramToMermaid({ boxes, lines }: Diagram): string {
  const styles = [...linesByStyle(lines)].map(
    ([style, numbers]) => `  linkStyle ${numbers.join(',')} ${style}\n`,
  );
  const hasMeetings = boxes.some(({ kind }) => kind === 'meeting');
  return [
    'flowchart LR\n',
    ...boxes.map((box) => `  ${printBox(box)}\n`),
    ...lines.map((line) => `  ${line.from} ${printLine(line)} ${line.to}\n`),
    ...styles,
    ...(hasMeetings ? [`  classDef meeting fill:${colors.nothing},stroke:${colors.nothing}\n`] : []),
  ].join('');
}

/** The shape depends on the kind, such as rounded corners for an object type and a hexagon for an enum. */
function printBox({ key, kind, text }: DiagramBox): string {
  const label = quote(text);
  switch (kind) {
    case 'object':
      return `${key}(${label})`;
    case 'enum':
      return `${key}{{${label}}}`;
    case 'scalar':
      return `${key}([${label}])`;
    case 'input':
      return `${key}[/${label}/]`;
    case 'interface':
      return `${key}[[${label}]]`;
    case 'problem':
      return `${key}>${label}]`;
    case 'meeting':
      return `${key}((" ")):::meeting`;
  }
}

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

/** The numbers of the lines by style, because Mermaid refers to lines by number. */
function linesByStyle(lines: readonly DiagramLine[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [number, { becomes, isFocus }] of lines.entries()) {
    const style = `stroke:${colors[becomes]}${isFocus ? ',stroke-width:4px' : ''}`;
    appendTo(found, style, number);
  }
  return found;
}

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
