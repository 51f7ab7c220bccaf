import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { directoryWith, runCli } from '../tools/cli/stand-in-io.js';
import { codeBlocks } from './markdown.js';

test('the import page shows the actual output of the command', async () => {
  const blocks = codeBlocks(readFileSync('docs/import.md', 'utf8'));
  const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';
  const directory = directoryWith({ 'pets.json': textOf('file=pets.json') });
  const { code, stderr } = await runCli(['import', 'pets.json', '-o', 'pets.gg'], { directory });
  expect(code).toBe(0);
  expect(readFileSync(`${directory}/pets.gg`, 'utf8').trim()).toBe(textOf('file=pets.gg').trim());
  const shown = blocks.find(({ language }) => language === 'console')?.text ?? '';
  expect(shown.split('\n').slice(1).join('\n').trim()).toBe(stderr.trim());
});
