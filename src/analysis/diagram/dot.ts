import type { LineMap } from '../../base/source/source-file.js';
import { describePlace } from '../../base/source/span.js';
import { defined } from '../../base/values/defined.js';
import type { Diagram, DiagramBox, DiagramLine, LineKind } from './diagram.js';
import { colors } from './palette.js';

/**
 * Writes a diagram in DOT, the language of Graphviz (https://graphviz.org/doc/info/lang.html).
 *
 * @param sources - The line maps of the topology: each box and line has its place as its tooltip.
 */
export function diagramToDot({ title, boxes, lines }: Diagram, sources: readonly LineMap[]): string {
  return [
    `digraph ${quote([title])} {\n`,
    '  rankdir=LR\n  ranksep=0.7\n',
    `  node [shape=box, fontsize=12, style="rounded,filled", fillcolor="#f5f7fa", color="#5b6570", ${font}]\n`,
    `  edge [fontsize=10, arrowsize=0.8, ${font}]\n`,
    ...boxes.map((box) => `  ${box.key}${printAttributes(boxAttributes(box, sources))}\n`),
    ...lines.map((line) => `  ${line.from} -> ${line.to}${printAttributes(lineAttributes(line, sources))}\n`),
    '}\n',
  ].join('');
}

const font = 'fontname="Helvetica,Arial,sans-serif"';

/** Attributes of DOT; each value is written as it is. */
type Attributes = Readonly<Record<string, string | undefined>>;

function boxAttributes({ kind, text, span }: DiagramBox, sources: readonly LineMap[]): Attributes {
  const tooltip = quote([describePlace(sources, span)]);
  if (kind === 'meeting') {
    const color = quote([colors.nothing]);
    return { shape: 'point', width: '0.08', color, fillcolor: color, tooltip };
  }
  return { label: quote(text), ...shapes[kind], tooltip };
}

const shapes: Readonly<Record<Exclude<DiagramBox['kind'], 'meeting'>, Attributes>> = {
  object: {},
  enum: { style: 'filled', peripheries: '2' },
  scalar: { shape: 'ellipse', style: 'filled' },
  input: { shape: 'cds', style: 'filled' },
  interface: { style: '"rounded,filled,dashed"' },
  problem: { shape: 'octagon', style: 'filled' },
  group: { shape: 'box3d', style: 'filled' },
};

function lineAttributes(line: DiagramLine, sources: readonly LineMap[]): Attributes {
  const { becomes, text, hasHead, isFocus, span } = line;
  const { penwidth, ...form } = forms[becomes];
  const color = quote([colors[becomes]]);
  const tooltip = quote([describePlace(sources, span)]);
  return {
    label: text.length === 0 ? undefined : quote(text),
    color,
    fontcolor: color,
    ...form,
    penwidth: isFocus ? '3.5' : penwidth,
    dir: hasHead ? undefined : 'none',
    edgetooltip: tooltip,
    labeltooltip: tooltip,
  };
}

const forms: Readonly<Record<LineKind, Attributes>> = {
  query: {},
  mutation: { penwidth: '2.5' },
  subscription: { style: 'dashed', arrowhead: 'odot' },
  union: { arrowhead: 'diamond' },
  nothing: { style: 'dotted' },
  field: { arrowhead: 'vee', arrowsize: '0.5', penwidth: '0.7' },
};

function printAttributes(attributes: Attributes): string {
  const parts = Object.entries(defined(attributes)).map(([name, value]) => `${name}=${value}`);
  return ` [${parts.join(', ')}]`;
}

/** A quoted text. DOT has two special characters: the quote, and the backslash, which begins an escape. */
function quote(lines: readonly string[]): string {
  const escaped = lines.map((text) => text.replace(/[\\"]/g, (character) => `\\${character}`).replace(/[\r\n]+/g, ' '));
  return `"${escaped.join('\\n')}"`;
}
