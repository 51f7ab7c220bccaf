import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ApiMap } from '../../src/analysis/provenance/api-map.js';
import { textReporter } from '../../src/base/diagnostics/render/text.js';
import { analyze } from '../../src/compiler/analyze.js';
import { directoryWith, repository, runCli } from '../tools/cli/stand-in-io.js';
import { codeBlocks } from './markdown.js';

/** The blocks of a page in one language. */
function blocks(page: string, language: string): string[] {
  const all = codeBlocks(readFileSync(`docs/${page}`, 'utf8'));
  return all.filter((block) => block.language === language).map(({ text }) => text);
}

describe('docs/provenance.md', () => {
  const directory = repository.pathname;

  const examples = join(directory, 'docs/examples');

  test.each(blocks('provenance.md', 'console'))('shows the actual output: %s', async (block) => {
    const [line = '', ...expected] = block.split('\n');
    const [, ...args] = line.replace(/^\$ /, '').split(' ');
    const { stdout, stderr } = await runCli(args, { directory: examples });
    expect((stdout + stderr).trimEnd().split('\n')).toEqual(expected);
  });

  test('shows actual entries of the map', async () => {
    const [shown = ''] = blocks('provenance.md', 'json');
    const out = directoryWith();
    await runCli(['build', 'service.gg', '-o', out], { directory: examples });
    const map = JSON.parse(readFileSync(join(out, 'api.map.json'), 'utf8')) as ApiMap;
    expect(map).toMatchObject(JSON.parse(shown) as ApiMap);
  });
});

describe('docs/flow.md', () => {
  test('shows the actual findings', () => {
    const [source = ''] = blocks('flow.md', 'gg');
    const [shown] = blocks('flow.md', 'text');
    const { diagnostics, sources } = analyze({ name: 'service.gg', source: `${source}\n` });
    const text = textReporter.render(
      { diagnostics, sources },
      { color: false, toolVersion: '', helpPage: () => undefined },
    );
    expect(text.replace(/\n\n\d+ note in 1 file\n$/, '')).toBe(shown);
  });

  test('shows comments that ignore all findings of their example', () => {
    const [, source = ''] = blocks('flow.md', 'gg');
    expect(analyze(source).diagnostics).toEqual([]);
  });
});
