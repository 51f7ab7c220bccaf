import { instance } from '@viz-js/viz';
import { expect } from 'vitest';
import { createDiagram, type Diagram, type DiagramOptions } from '../../../src/analysis/diagram/diagram.js';
import type { Drawing } from '../../../src/analysis/diagram/drawing.js';
import { drawDiagram } from '../../../src/analysis/diagram/layout.js';
import { lineMapOf } from '../../../src/base/source/source-file.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { lowerGraph } from '../../../src/compiler/graph/lower/lower.js';

/** The diagram of a topology that has no errors, and the line maps of its sources. */
export function diagramOf(text: string, options: DiagramOptions = {}) {
  const { ast, schema, sources, diagnostics } = analyze(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const diagram = createDiagram(lowerGraph(ast).value, schema, options);
  if (diagram === undefined) throw new Error('there is nothing of that name');
  return { diagram, sources: sources.map(lineMapOf) };
}

/** The drawing of a topology. */
export async function drawingOf(text: string): Promise<Drawing> {
  return drawDiagram(diagramOf(text).diagram, await instance());
}

/** A diagram as one short text a line: `a --[PROCESS b, query]-> b`, the focus with `==`. */
export function describeDiagram({ boxes, lines }: Diagram): { boxes: string[]; lines: string[] } {
  const names = new Map(boxes.map(({ key, text }) => [key, text[0] ?? '•']));
  return {
    boxes: boxes.map(({ text, kind }) => `${text.join(' ')} ${kind}`.trim()),
    lines: lines.map(({ from, to, becomes, text, hasHead, isFocus }) => {
      const stroke = isFocus ? '==' : '--';
      const label = [...text, becomes].join(' ');
      return `${names.get(from)} ${stroke}[${label}]${stroke}${hasHead ? '>' : ''} ${names.get(to)}`;
    }),
  };
}
