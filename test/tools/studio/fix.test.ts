import { describe, expect, test } from 'vitest';
import type { TopologyFiles } from '../../../src/tools/studio/apply-fix.js';
import type { Studio } from '../../../src/tools/studio/studio.js';
import { makeStudio, post, send, show, stateOf } from './studios.js';

/** A misspelt property: the finding has a fix. */
const misspelt = '(root)-[:PROCESS { id: Strng }]->(hello { text: String! })\n';

function filesOf(texts: Record<string, string>): TopologyFiles {
  return {
    read: async (name) => texts[name],
    write: async (name, text) => {
      texts[name] = text;
    },
  };
}

async function fixOf(studio: Studio): Promise<{ revision: number; finding: number; fixed: string }> {
  const { revision, findings, sources } = await stateOf(studio);
  const finding = findings.findIndex(({ fix }) => fix !== undefined);
  const [edit] = findings[finding]?.fix?.edits ?? [];
  const text = sources[0]?.text ?? '';
  const fixed = text.slice(0, edit?.span.start) + edit?.text + text.slice(edit?.span.end);
  return { revision, finding, fixed };
}

describe('a fix', () => {
  test('is applied to its file', async () => {
    const texts = { 'a.gg': misspelt };
    const studio = makeStudio({ files: filesOf(texts) });
    show(studio, misspelt);
    const { fixed, ...request } = await fixOf(studio);
    expect(fixed).toContain('id: String ');
    expect((await post(studio, '/_gg/api/fix', request)).status).toBe(204);
    expect(texts).toEqual({ 'a.gg': fixed });
  });

  test('keeps the byte order mark of the file', async () => {
    const texts = { 'a.gg': `\uFEFF${misspelt}` };
    const studio = makeStudio({ files: filesOf(texts) });
    show(studio, texts['a.gg']);
    const { fixed, ...request } = await fixOf(studio);
    expect((await post(studio, '/_gg/api/fix', request)).status).toBe(204);
    expect(texts).toEqual({ 'a.gg': `\uFEFF${fixed}` });
  });

  test('is rejected if the file or the page is outdated', async () => {
    for (const changed of [{ 'a.gg': `${misspelt}\n` }, {}, { 'a.gg': '' }]) {
      const texts: Record<string, string> = { ...changed };
      const studio = makeStudio({ files: filesOf(texts) });
      show(studio, misspelt);
      const { fixed: _, ...request } = await fixOf(studio);
      expect((await post(studio, '/_gg/api/fix', request)).status).toBe(409);
      expect(texts).toEqual(changed);
    }
    const texts = { 'a.gg': misspelt };
    const studio = makeStudio({ files: filesOf(texts) });
    show(studio, misspelt);
    const { revision, finding } = await fixOf(studio);
    for (const other of [revision - 1, revision + 1, undefined, `${revision}`, null]) {
      expect((await post(studio, '/_gg/api/fix', { revision: other, finding })).status).toBe(409);
    }
    expect(texts).toEqual({ 'a.gg': misspelt });
  });

  test('is rejected for findings without one, and for malformed bodies', async () => {
    const texts = { 'a.gg': misspelt };
    const studio = makeStudio({ files: filesOf(texts) });
    show(studio, misspelt);
    const { revision, finding } = await fixOf(studio);
    for (const other of [-1, 1e9, 0.5, '0x', null, undefined, {}, [], '__proto__', 'length', 'map']) {
      const { status } = await post(studio, '/_gg/api/fix', { revision, finding: other });
      expect([other, status]).toEqual([other, 404]);
    }
    for (const body of [[], null, 1, 'text', true]) {
      expect([body, (await post(studio, '/_gg/api/fix', body)).status]).toEqual([body, 400]);
    }
    const sendBody = (body: string, type: string) =>
      send(studio, '/_gg/api/fix', { method: 'POST', body, headers: { 'content-type': type } });
    const body = JSON.stringify({ revision, finding });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
      expect([type, (await sendBody(body, type)).status]).toEqual([type, 415]);
    }
    expect((await sendBody('{', 'application/json')).status).toBe(400);
    expect((await sendBody(`${body}${' '.repeat(1024 * 1024)}`, 'application/json')).status).toBe(413);
    expect(texts).toEqual({ 'a.gg': misspelt });
    expect((await sendBody(body, 'application/json; charset=utf-8')).status).toBe(204);
  });

  test('is rejected for URLs, and by servers that do not watch their files', async () => {
    const studio = makeStudio({ files: filesOf({}) });
    const { analyze } = await import('../../../src/compiler/analyze.js');
    const analysis = analyze({ name: 'https://example.com/a.gg', source: misspelt });
    studio.show({ analysis, findings: analysis.diagnostics });
    const { fixed: _, ...request } = await fixOf(studio);
    expect((await post(studio, '/_gg/api/fix', request)).status).toBe(403);
    const without = makeStudio();
    show(without, misspelt);
    expect((await post(without, '/_gg/api/fix', request)).status).toBe(403);
    expect((await stateOf(studio)).canWrite).toBe(true);
    expect((await stateOf(without)).canWrite).toBe(false);
  });
});
