import { readdirSync, readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

test('every screenshot of the documentation is shown, and a browser test makes it from a shipped example', () => {
  const pages = ['README.md', ...globSync('docs/*.md')].map((page) => readFileSync(page, 'utf8')).join('\n');
  const shown = new Set([...pages.matchAll(/images\/([\w-]+)\.png/g)].map(([, name]) => name));
  const maker = readFileSync('test/browser/pictures.browser.test.ts', 'utf8');
  const made = [...maker.matchAll(/take\(page, '([\w-]+)'\)/g)].map(([, name]) => name);
  // The test of the extension takes these, with SHOTS.
  const ofEditor = ['editors-vscode-dark', 'editors-vscode-light'];
  expect([...shown].toSorted()).toEqual([...made, ...ofEditor].toSorted());
  const files = readdirSync('docs/images').filter((name) => name.endsWith('.png'));
  expect(files.toSorted()).toEqual([...shown].map((name) => `${name}.png`).toSorted());
});
