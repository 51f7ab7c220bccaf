import { describe, expect, test } from 'vitest';
import { renderPage } from '../../src/cli/render-page.js';
import { directoryWith, runCli } from './stand-in-io.js';

/** A package that has only the page of GG3001. */
function packageWithPage(page: string): { packageRoot: URL } {
  const directory = directoryWith({ 'docs/diagnostics/GG3001.md': page });
  return { packageRoot: new URL(`file://${directory}/`) };
}

describe('gg-svc explain', () => {
  test.each(['GG3001', 'gg3001', 'type-name-collision', 'Type-Name-Collision'])(
    'prints the page of %s',
    async (wanted) => {
      const result = await runCli(['explain', wanted], packageWithPage('# GG3001: a page\n\nText.\n'));
      expect(result).toEqual({ code: 0, stdout: 'GG3001: a page\n\nText.\n', stderr: '' });
    },
  );

  test.each([
    ['GG30001', 'Did you mean GG3001?'],
    ['type-name-colision', 'Did you mean type-name-collision?'],
  ])('guesses what %s might be', async (wanted, guess) => {
    const { code, stdout, stderr } = await runCli(['explain', wanted]);
    expect(stderr).toBe(`error: there is no diagnostic ${wanted}. ${guess}\n`);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('guesses nothing where nothing is near', async () => {
    expect((await runCli(['explain', 'elephant'])).stderr).toBe('error: there is no diagnostic elephant.\n');
  });
});

describe('a page in a terminal', () => {
  const page = [
    '# GG3001: type name collision',
    '',
    'See [the mapping](../mapping.md) and `gg-svc check`, which is **free**.',
    '',
    '```',
    '(a)-[:PROCESS]->(b)',
    '',
    '(c)',
    '```',
    '',
    '## What to do about `it`',
    '',
  ].join('\n');

  test('has no marks that only a browser needs', () => {
    expect(renderPage(page, false)).toBe(
      [
        'GG3001: type name collision',
        '',
        'See the mapping and `gg-svc check`, which is free.',
        '',
        '    (a)-[:PROCESS]->(b)',
        '',
        '    (c)',
        '',
        'What to do about it',
        '',
      ].join('\n'),
    );
  });

  test('shows by colour what the marks showed', () => {
    const rendered = renderPage(page, true);
    expect(rendered).toContain('\u001b[1mGG3001: type name collision\u001b[22m');
    expect(rendered).toContain('\u001b[36mgg-svc check\u001b[39m');
    expect(rendered).toContain('    \u001b[36m(a)-[:PROCESS]->(b)\u001b[39m');
  });
});
