import { describe, expect, test } from 'vitest';
import { startClient } from './client.js';

const nothing = (codes: readonly string[]) => codes.length === 0;
const holds = (code: string) => (codes: readonly string[]) => codes.includes(code);

describe('findings', () => {
  test('are told when a file is opened, as the compiler tells them', async () => {
    const client = await startClient({ 'a.gg': '(root)-[:PROCESS]->(user { name: Strng! })\n' });
    client.open('a.gg');
    const { diagnostics, version } = await client.findings('a.gg', holds('GG2008'));
    expect(version).toBe(1);
    expect(diagnostics).toEqual([
      {
        range: { start: { line: 0, character: 33 }, end: { line: 0, character: 38 } },
        severity: 1,
        code: 'GG2008',
        codeDescription: { href: expect.stringMatching(/^file:.*\/docs\/diagnostics\/GG2008\.md$/) },
        source: 'gg-svc',
        message: 'There is no type “Strng” in this topology.\nDid you mean String?',
      },
    ]);
  });

  test('of the syntax are told with each edit, and the others wait for the end of the typing', async () => {
    const client = await startClient({ 'a.gg': '(root)-[:PROCESS]->(user { name: Strng! })\n' });
    client.open('a.gg');
    await client.findings('a.gg', holds('GG2008'));
    client.change('a.gg', '(a { b c })\n', {
      start: { line: 0, character: 0 },
      end: { line: 0, character: 0 },
    });
    expect((await client.findings('a.gg', holds('GG1001'))).version).toBe(2);
    client.change('a.gg', '', { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } });
    const { diagnostics } = await client.findings('a.gg', holds('GG2008'));
    expect(diagnostics.map(({ range }) => range.start)).toEqual([{ line: 0, character: 33 }]);
    client.change('a.gg', '(root)-[:PROCESS]->(user { name: String! })\n');
    await client.findings('a.gg', nothing);
  });
});
