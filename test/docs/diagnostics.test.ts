import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diagnosticCodes } from '../../src/base/diagnostics/codes.js';
import { compile } from '../../src/compiler/compile.js';
import type { Resolvers } from '../../src/runtime/execute/resolvers/contract.js';
import { checkResolvers } from '../../src/runtime/server/check-resolvers.js';
import { type CodeBlock, codeBlocks } from './markdown.js';

const folder = 'docs/diagnostics';
const codes = Object.entries(diagnosticCodes);
/** What only a server with layers can find; no text alone has it. */
const needsServer = new Set(['GG3018']);
const compiled = codes.map(([code]) => code).filter((code) => /^GG[123]/.test(code) && !needsServer.has(code));

/**
 * What is reported of an example; the blocks with `file=` beside it are what it may import. One with `strict` is
 * compiled with that option.
 */
function findings(page: string, example: CodeBlock): { code: string; severity: string }[] {
  const files = new Map(
    codeBlocks(page)
      .filter(({ info }) => info.startsWith('file='))
      .map(({ info, text }) => [info.slice('file='.length), `${text}\n`]),
  );
  const readImport = (path: string) => (path === 'main.gg' ? example.text : files.get(path));
  const strict = example.info === 'strict';
  const { diagnostics } = compile({ name: 'main.gg', source: `${example.text}\n` }, { readImport, strict });
  return diagnostics.map(({ code, severity }) => ({ code, severity }));
}

function readPage(code: string): string {
  return readFileSync(`${folder}/${code}.md`, 'utf8');
}

describe('the pages of the diagnostics', () => {
  it('each code has a page, and each page a code', () => {
    const pages = readdirSync(folder).filter((file) => file !== 'README.md');
    expect(pages.toSorted()).toEqual(codes.map(([code]) => `${code}.md`).toSorted());
  });

  it.each(codes)('%s has its name, severity, example, reason and fix', (code, { name, severity }) => {
    const page = readPage(code);
    expect(page).toMatch(new RegExp(`^# ${code}: ${name}\n\n\\*\\*${severity}\\.\\*\\* `, 'i'));
    expect(page.match(/^## .*$/gm)).toEqual(['## Example', '## Why', '## Fix']);
  });

  it('the overview lists each page with its name', () => {
    const overview = readFileSync(`${folder}/README.md`, 'utf8');
    for (const [code, { name }] of codes) expect(overview).toContain(`| [${code}](${code}.md) | ${name} |`);
  });

  it.each(compiled)('%s: the example has the finding, and the corrected example has none', (code) => {
    const page = readPage(code);
    const [example, corrected] = codeBlocks(page).filter(
      ({ language, info }) => language === 'gg' && (info === '' || info === 'strict'),
    );
    if (example === undefined || corrected === undefined) throw new Error(`${code} lacks a block`);
    expect(findings(page, example).map((finding) => finding.code)).toContain(code);
    const left = findings(page, corrected).filter((finding) => finding.severity !== 'information');
    // A page about an information must show a text without it as well.
    const same = findings(page, corrected).filter((finding) => finding.code === code);
    expect([...left, ...same]).toEqual([]);
  });

  it.each(['GG5002', 'GG5005'])('%s: the resolvers have the finding, and the corrected ones do not', async (code) => {
    const { schema } = compile({
      name: 'service.gg',
      source: readFileSync('docs/examples/service.gg', 'utf8'),
    });
    const [example, corrected] = codeBlocks(readPage(code)).filter(({ language }) => language === 'js');
    const found = async (block: CodeBlock | undefined) => {
      const url = `data:text/javascript,${encodeURIComponent(block?.text ?? '')}`;
      const module = (await import(/* @vite-ignore */ url)) as { default: Resolvers };
      return checkResolvers(schema, module.default).map((finding) => finding.code);
    };
    expect(await found(example)).toEqual([code]);
    expect(await found(corrected)).toEqual([]);
  });
});
