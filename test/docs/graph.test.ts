import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { diagramToMermaid } from '../../src/analysis/diagram/mermaid.js';
import { diagramOf } from '../analysis/diagram/diagrams.js';
import { codeBlocks } from './markdown.js';

const service = readFileSync('docs/examples/service.gg', 'utf8');
const pictures = codeBlocks(readFileSync('docs/graph.md', 'utf8')).filter(({ language }) => language === 'mermaid');

it.each([
  ['the whole topology', {}],
  ['one operation', { operation: 'scanResult' }],
])('the page about pictures shows the actual output for %s', (_, options) => {
  const drawn = diagramToMermaid(diagramOf(service, options).diagram);
  expect(pictures.map(({ text }) => `${text}\n`)).toContain(drawn);
});
