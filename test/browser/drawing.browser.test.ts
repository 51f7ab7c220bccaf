import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { printSvg } from '../../src/analysis/diagram/svg.js';
import { drawingOf } from '../analysis/diagram/diagrams.js';
import { openPage } from './browser.js';
import { inPage } from './studio-page.js';

const wide = `(www: Www { id: ID! })
(MMMMWWWWmmmmwwww)-[:PROCESS { operation: 'mmmmwwwwMMMMWWWW' }]->(a_rather_long_name_of_a_node { id: ID! })
(kind: Enum { values: [A] })
(gone: Problem { status: 410 })
(iiiillllttttffff)-[:MEASURE_EVERYTHING]->(load)
`;

/** The texts that are wider than their boxes or places, and the pairs of texts that overlap. */
const misfits = inPage<readonly string[]>(`() => {
  const texts = [...document.querySelectorAll('text')].map((text) => ({ text, area: text.getBBox() }));
  const found = [];
  for (const [at, { text, area }] of texts.entries()) {
    const box = text.parentNode.querySelector('.shape')?.getBBox();
    if (box && (area.x < box.x + 3 || area.x + area.width > box.x + box.width - 3)) found.push('box of ' + text.textContent);
    for (const { text: other, area: place } of texts.slice(at + 1)) {
      const across = Math.min(area.x + area.width, place.x + place.width) - Math.max(area.x, place.x);
      const down = Math.min(area.y + area.height, place.y + place.height) - Math.max(area.y, place.y);
      // The lines of one text are closer than the boxes of their glyphs are high.
      if (across > 0.5 && down > 3) found.push(text.textContent + ' / ' + other.textContent);
    }
  }
  return found;
}`);

test.each(['DejaVu Sans', 'Liberation Sans'])(
  'texts in %s fit their boxes, and overlap no other text',
  async (font) => {
    const folder = mkdtempSync(join(tmpdir(), 'gg-svc-drawing-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const clinic = readFileSync('docs/examples/clinic/clinic.gg', 'utf8');
    const service = readFileSync('docs/examples/service.gg', 'utf8');
    for (const [name, topology] of Object.entries({ wide, clinic, service }))
      writeFileSync(join(folder, `${name}.svg`), printSvg(await drawingOf(topology), name, 'light'));
    const origin = `${pathToFileURL(folder).href}/`;
    const page = await openPage(`${origin}wide.svg`);
    for (const name of ['wide', 'clinic', 'service']) {
      await page.goto(`${origin}${name}.svg`);
      await page.evaluate(`document.documentElement.setAttribute('font-family', '${font}')`);
      expect(await page.evaluate(misfits)).toEqual([]);
    }
  },
);

test.each(['light', 'dark'] as const)('an SVG file follows a reader who prefers %s', async (colorScheme) => {
  const page = await openPage(new URL('../../docs/images/service.svg', import.meta.url).href, {
    colorScheme,
  });
  const fill = await page.evaluate("getComputedStyle(document.querySelector('.page')).fill");
  expect(fill).toBe(colorScheme === 'light' ? 'rgb(251, 252, 253)' : 'rgb(18, 22, 27)');
});
