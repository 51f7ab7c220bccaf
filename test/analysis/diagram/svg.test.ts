import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DiagramBox, LineKind } from '../../../src/analysis/diagram/diagram.js';
import type { Drawing } from '../../../src/analysis/diagram/drawing.js';
import { palettes } from '../../../src/analysis/diagram/palette.js';
import { boxShape, lineHead, lineStroke } from '../../../src/analysis/diagram/shapes.js';
import { printSvg } from '../../../src/analysis/diagram/svg.js';
import { describePlace } from '../../../src/base/source/span.js';
import { diagramOf, drawingOf } from './diagrams.js';

describe('the kinds of a drawing', () => {
  const form = (attributes: object = {}) =>
    JSON.stringify(attributes, (_, value) => (typeof value === 'string' ? value.replace(/[-\d.]+,/g, '') : value));

  it('of lines differ in their strokes and in their heads, without colour', () => {
    const kinds: readonly LineKind[] = ['query', 'mutation', 'subscription', 'union', 'nothing', 'field'];
    const lines = kinds.map((becomes) => ({
      becomes,
      path: 'M0,0C1,0,2,0,3,0',
      tip: { x: 11, y: 0 },
      isFocus: false,
    }));
    expect(new Set(lines.map((line) => form(lineHead(line)))).size).toBe(kinds.length);
    // A thin line may end in any point: fields never meet.
    expect(new Set(lines.map((line) => form(lineStroke(line)))).size).toBe(kinds.length);
  });

  it('of boxes differ in their outlines, without colour', () => {
    const kinds: readonly DiagramBox['kind'][] = ['object', 'enum', 'scalar', 'input', 'interface', 'problem', 'group'];
    const shapes = kinds.map((kind) => JSON.stringify(boxShape({ kind, x: 50, y: 20, width: 90, height: 40 })));
    expect(new Set(shapes).size).toBe(kinds.length);
  });
});

describe('an SVG', () => {
  it('has the colours of pages', () => {
    const css = readFileSync('web/theme.css', 'utf8');
    for (const [name, light] of Object.entries(palettes.light)) {
      const dark = palettes.dark[name as keyof typeof palettes.dark];
      expect(css).toContain(`  --${name}: light-dark(${light}, ${dark});`);
    }
  });

  it('escapes texts', () => {
    const span = { file: 'a.gg', start: 0, end: 0 };
    const box = { key: 'n0', kind: 'object', node: 'a', text: ['<script>&"\''], span } as const;
    const drawing: Drawing = {
      width: 9,
      height: 9,
      boxes: [{ ...box, x: 1, y: 1, width: 9, height: 9 }],
      lines: [],
    };
    const svg = printSvg(drawing, '<b>', 'auto', () => '</title>');
    expect(svg).toContain('>&lt;script&gt;&amp;&quot;&#39;</text>');
    expect(svg).toContain('<title>&lt;b&gt;</title>');
    expect(svg).toContain('<title>&lt;/title&gt;</title>');
  });

  it('of the README is that of its topology', async () => {
    const topology = readFileSync('docs/examples/service.gg', 'utf8');
    const { sources } = diagramOf(topology);
    const svg = printSvg(await drawingOf(topology), 'topology', 'auto', ({ span }) =>
      describePlace(sources, { ...span }).replace('topology.gg', 'service.gg'),
    );
    await expect(svg).toMatchFileSnapshot('../../../docs/images/service.svg');
  });
});
