import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reporters } from '../../../../src/base/diagnostics/render/reporters.js';
import { directoryWith, repository, runCli } from '../stand-in-io.js';

const good = "(root)-[:PROCESS]->(hello { text: 'Hello' })\n";
const withWarning = "(root)-[:PROCESS]->(hello { text: 'String!' })\n";
const withError = "(root)-[:PROCESS]->(hello { text: 'Hello' }\n";

/** Checks files in a directory of their own. */
function check(files: Readonly<Record<string, string | Uint8Array>>, ...args: string[]) {
  const directory = directoryWith(files);
  return runCli(['check', ...args], { directory });
}

/** The codes in a report for people. */
function codesIn(report: string): string[] {
  return [...report.matchAll(/^\w+\[(GG\d{4})\]/gm)].map((match) => match[1] as string);
}

describe('gg-svc check', () => {
  test('counts the parts of a valid topology, and the tokens of its tools', async () => {
    expect(await check({ 'a.gg': good }, 'a.gg')).toEqual({
      code: 0,
      stdout:
        '1 file checked, no findings — 1 query, 0 mutations, 0 subscriptions, 0 unions, 2 types\n' +
        'MCP: 1 tool, about 60 tokens (chains); 1 tool, about 100 (operations)\n',
      stderr: '',
    });
  });

  test('reports what a store cannot keep if the project has one', async () => {
    const topology =
      "(book: Stored { isbn: ID! })\n(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)\n";
    const config = JSON.stringify({ sources: ['a.gg'], server: { store: { file: 'data.sqlite' } } });
    const stored = await check({ 'a.gg': topology, 'gg-svc.config.json': config });
    expect([stored.code, codesIn(stored.stderr)]).toEqual([1, ['GG7001']]);
    expect(stored.stderr).toContain('Book cannot be stored: it has no key');
    expect((await check({ 'a.gg': topology, 'gg-svc.config.json': '{ "sources": ["a.gg"] }' })).code).toBe(0);
  });

  test('reports rules and relations that need other columns, if the project has a store', async () => {
    const topology = `
/// @store unique row, place
(seat: Stored {
  /// @store key
  row: String!,
  /// @store key
  number: Int!
})
(ticket: Stored { id: ID!, seatId: ID, seat: Seat })
(root)-[:PROCESS { operation: 'tickets', returns: [Ticket!]! }]->(ticket)
`;
    const config = JSON.stringify({ sources: ['a.gg'], server: { store: { file: 'data.sqlite' } } });
    const stored = await check({ 'a.gg': topology, 'gg-svc.config.json': config });
    expect([stored.code, codesIn(stored.stderr)]).toEqual([1, ['GG7005', 'GG7006']]);
  });

  test('reports what a store does not serve unless the project has resolvers', async () => {
    const files = {
      'a.gg':
        "(book: Stored { id: ID! })\n(root)-[:PROCESS { operation: 'books', below: Int, returns: [Book!]! }]->(book)\n",
      'gg-svc.config.json': '{ "sources": ["a.gg"], "server": { "store": { "file": "data.sqlite" } } }',
    };
    const alone = await check(files);
    expect([alone.code, codesIn(alone.stderr)]).toEqual([0, ['GG7002']]);
    expect(await check({ ...files, 'a.resolvers.mjs': '' })).toMatchObject({ code: 0, stderr: '' });
  });

  test('counts imported files', async () => {
    const files = { 'a.gg': `import './in/b.gg'\n${good}`, 'in/b.gg': '(root)-[:PROCESS]->(b { x: 1 })\n' };
    expect((await check(files, 'a.gg')).stdout).toMatch(/^2 files checked, no findings — .* 3 types\n/);
  });

  test('expands globs, and reads each file once', async () => {
    const files = { 'a.gg': good, 'b.gg': '(b { x: 1 })\n' };
    expect((await check(files, '*.gg', 'a.gg', './b.gg')).stdout).toMatch(/^2 files checked/);
  });

  test('prints an error with a source frame to standard error', async () => {
    const { code, stdout, stderr } = await check({ 'a.gg': withError }, 'a.gg');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(codesIn(stderr)).toEqual(['GG1001']);
    expect(stderr).toMatch(/ --> a\.gg:\d+:\d+\n/);
    expect(stderr).toMatch(/\n1 error in 1 file\n$/);
  });

  test('reports an error in an imported file under the path of that file', async () => {
    const files = { 'a.gg': "import './in/b.gg'\n", 'in/b.gg': withError };
    expect((await check(files, 'a.gg')).stderr).toContain(' --> in/b.gg:');
  });

  test('exits with 0 if there are only warnings', async () => {
    const { code, stdout, stderr } = await check({ 'a.gg': withWarning }, 'a.gg');
    expect(code).toBe(0);
    expect(codesIn(stderr)).toEqual(['GG2009']);
    expect(stdout).toMatch(/^1 file checked — 1 query/);
  });

  test('fails on more warnings than --max-warnings allows', async () => {
    expect((await check({ 'a.gg': withWarning }, 'a.gg', '--max-warnings', '1')).code).toBe(0);
    const { code, stdout, stderr } = await check({ 'a.gg': withWarning }, 'a.gg', '--max-warnings', '0');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/\nerror: 1 warning; --max-warnings allows 0\.\n$/);
  });

  test('reports everything without effect as an error with --strict', async () => {
    const text = "(root)-[:PROCESS { reason: 'x' }]->(hello { text: 'Hello' })-[:VENT]->(root)-[:VENT]->(hello)\n";
    const lenient = await check({ 'a.gg': text }, 'a.gg', '--max-warnings', '0');
    expect(lenient.code).toBe(0);
    const { code, stdout, stderr } = await check({ 'a.gg': text }, 'a.gg', '--strict');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(codesIn(stderr)).toEqual(['GG3040', 'GG2010', 'GG2010']);
    expect((await check({ 'a.gg': good }, 'a.gg', '--strict')).code).toBe(0);
  });

  test('uses colours on a terminal only', async () => {
    const directory = directoryWith({ 'a.gg': withError });
    const colored = await runCli(['check', 'a.gg'], { directory, stderrIsTerminal: true });
    expect(colored.stderr).toContain('\u001b[31m');
    const plain = await runCli(['check', 'a.gg'], { directory, stdoutIsTerminal: true });
    expect(plain.stderr).not.toContain('\u001b');
  });
});

test('warns of an old name whose last month is over', async () => {
  const renamed = (until: string) =>
    `/// @renamedFrom readUser until ${until}\n(root)-[:PROCESS { operation: 'user', id: ID! }]->(user { id: ID! })\n`;
  expect(codesIn((await check({ 'a.gg': renamed('2020-01') }, 'a.gg')).stderr)).toEqual(['GG5029']);
  expect((await check({ 'a.gg': renamed('2999-12') }, 'a.gg')).stderr).toBe('');
  expect((await check({ 'a.gg': renamed('2020-01') }, 'a.gg', '--max-warnings', '0')).code).toBe(1);
});

describe('findings that repeat', () => {
  const hello = (number: number) => `(root)-[:PROCESS]->(hello_${number} { text: 'String!' })\n`;
  const repeated = (times: number) => Array.from({ length: times }, (_, at) => hello(at)).join('');

  test('are shown up to the fifth of a code, then counted', async () => {
    const { code, stderr } = await check({ 'a.gg': repeated(40) }, 'a.gg');
    expect(code).toBe(0);
    expect(codesIn(stderr)).toEqual(Array(5).fill('GG2009'));
    expect(stderr).toContain('\n\n… and 35 more of GG2009 (gg-svc check --all shows them)\n\n');
    expect(stderr).toMatch(/\n40 warnings in 1 file: 40 × GG2009\n$/);
  });

  test('are shown whole if a single one would be left', async () => {
    const { stderr } = await check({ 'a.gg': repeated(6) }, 'a.gg');
    expect(codesIn(stderr)).toHaveLength(6);
    expect(stderr).toMatch(/\n6 warnings in 1 file\n$/);
  });

  test('are all shown with --all, and are all in the machine formats', async () => {
    const files = { 'a.gg': repeated(40) };
    const { stderr } = await check(files, 'a.gg', '--all');
    expect(codesIn(stderr)).toHaveLength(40);
    expect(stderr).toMatch(/\n40 warnings in 1 file\n$/);
    expect(JSON.parse((await check(files, 'a.gg', '-f', 'json')).stdout).diagnostics).toHaveLength(40);
    expect(JSON.parse((await check(files, 'a.gg', '-f', 'sarif')).stdout).runs[0].results).toHaveLength(40);
    expect((await check(files, 'a.gg', '-f', 'github')).stdout.match(/^::warning/gm)).toHaveLength(40);
  });

  test('of other codes stay between them, in the order of their places', async () => {
    const text = `${repeated(8)}(root)-[:VENT]->(hello_1)\n`;
    const { stderr } = await check({ 'a.gg': text }, 'a.gg');
    expect(codesIn(stderr)).toEqual([...Array(5).fill('GG2009'), 'GG2010']);
    expect(stderr).toMatch(/in 1 file: 8 × GG2009, 1 × GG2010\n$/);
  });
});

test.each([30, 60, 100])('a terminal of %i columns gets no longer line', async (stderrColumns) => {
  const text = `(root)-[:PROCESS]->(hello { ${'a: Int, '.repeat(40)}text: 'String!' })\n`;
  const directory = directoryWith({ 'a.gg': text });
  const { stderr } = await runCli(['check', 'a.gg'], { directory, stderrColumns });
  const words = new Set(stderr.split(/\s+/).filter((word) => word.length > 20));
  const long = stderr.split('\n').filter((line) => line.length > Math.max(50, stderrColumns));
  expect(long.filter((line) => ![...words].some((word) => line.trim() === word))).toEqual([]);
  const { stderr: unbroken } = await runCli(['check', 'a.gg'], { directory });
  expect(stderr.replaceAll('\n  ', ' ')).toContain(/^\w+\[GG2009\].*$/m.exec(unbroken)?.[0]);
});

test('gg-svc check accepts every format of the registry', async () => {
  for (const { format } of reporters) {
    expect((await check({ 'a.gg': withError }, 'a.gg', '--format', format)).code).toBe(1);
  }
});

describe('a machine format', () => {
  test.each(['json', 'sarif'])('%s goes to standard output whole, with findings or without', async (format) => {
    const bad = await check({ 'a.gg': withError }, 'a.gg', '-f', format);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toBe('');
    expect(bad.stdout).toContain('GG1001');
    expect(() => JSON.parse(bad.stdout)).not.toThrow();

    const sound = await check({ 'a.gg': good }, 'a.gg', '-f', format);
    expect(sound.code).toBe(0);
    expect(() => JSON.parse(sound.stdout)).not.toThrow();
  });

  test('sarif has the page of each code and the version of the tool', async () => {
    const { stdout } = await check({ 'a.gg': withError }, 'a.gg', '--format', 'sarif');
    const { driver } = JSON.parse(stdout).runs[0].tool;
    expect(driver.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(driver.rules[0].help.markdown).toMatch(/^# GG1001/);
  });

  test('github has one workflow command for each finding', async () => {
    const { code, stdout } = await check({ 'a.gg': withWarning }, 'a.gg', '--format=github');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^::warning file=a\.gg,line=1,endLine=1,col=\d+,endColumn=\d+,title=GG2009::.*\n$/);
  });
});

describe('standard input', () => {
  const fromStdin = (text: string | Uint8Array, ...args: string[]) =>
    runCli(['check', ...args], {
      readStdin: () => Promise.resolve(Buffer.from(text)),
      directory: directoryWith({ 'b.gg': '(b { x: 1 })\n' }),
    });

  test('is read for “-” and called <stdin>', async () => {
    expect((await fromStdin(good, '-')).code).toBe(0);
    expect((await fromStdin(withError, '-')).stderr).toContain(' --> <stdin>:');
  });

  test('may import files, and may be combined with files', async () => {
    expect((await fromStdin(`import './b.gg'\n${good}`, '-')).stdout).toMatch(/^2 files checked/);
    expect((await fromStdin(good, 'b.gg', '-', '-')).stdout).toMatch(/^2 files checked/);
  });

  test('is read up to the limit of a topology file, and rejected beyond it', async () => {
    const { code, stderr } = await runCli(['check', '-'], {
      readStdin: async (limit) => new Uint8Array(limit + 1),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('GG4004');
  });

  test('that is not UTF-8 is GG4003', async () => {
    const { code, stderr } = await fromStdin(Buffer.from([0x28, 0xff]), '-');
    expect(code).toBe(1);
    expect(codesIn(stderr)).toEqual(['GG4003']);
    expect(stderr).toContain('<stdin>');
  });
});

describe('a file that cannot be read is one finding', () => {
  test.each<[string, Readonly<Record<string, string | Uint8Array>>, string[], string]>([
    ['GG4001 when it is not there', {}, ['none.gg'], 'GG4001'],
    ['GG4002 when it is a directory', { 'd/x.gg': good }, ['d'], 'GG4002'],
    ['GG4003 when it is not UTF-8', { 'a.gg': new Uint8Array([0x28, 0x61, 0xff, 0x29]) }, ['a.gg'], 'GG4003'],
    ['GG4004 when it is too large', { 'a.gg': new Uint8Array(64 * 1024 * 1024 + 1) }, ['a.gg'], 'GG4004'],
    ['GG4005 when a pattern matches nothing', { 'a.gg': good }, ['*.txt'], 'GG4005'],
    ['GG1017 when it is empty', { 'a.gg': '' }, ['a.gg'], 'GG1017'],
    ['GG2001 when an import is not there', { 'a.gg': `import './b.gg'\n${good}` }, ['a.gg'], 'GG2001'],
  ])('%s', async (_, files, args, code) => {
    const result = await check(files, ...args);
    expect(codesIn(result.stderr)).toEqual([code]);
    expect(result.stdout).toBe('');
    expect(result.code).toBe(1);
  });

  test('GG4007 when a URL does not answer', async () => {
    const { code, stderr } = await check({}, 'http://127.0.0.1:1/a.gg');
    expect(codesIn(stderr)).toEqual(['GG4007']);
    expect(code).toBe(1);
  });

  test('a broken link is GG4001', async () => {
    const directory = directoryWith();
    symlinkSync(join(directory, 'none'), join(directory, 'a.gg'));
    expect(codesIn((await runCli(['check', 'a.gg'], { directory })).stderr)).toEqual(['GG4001']);
  });

  test('arbitrary bytes never cause an internal error', async () => {
    for (let seed = 0; seed < 50; seed++) {
      const bytes = Uint8Array.from({ length: 200 }, (_, at) => (seed * 7919 + at * at * 31 + at * seed) % 256);
      const { code } = await check({ 'a.gg': bytes }, 'a.gg');
      expect(code).toBe(1);
    }
  });
});

test('a name of the federation layer is GG3018, unless --no-federation omits the layer', async () => {
  const clash = '(root)-[:PROCESS]->(federation_chain { id: ID! })\n';
  const { code, stderr } = await check({ 'a.gg': clash }, 'a.gg');
  expect([code, stderr]).toMatchObject([1, expect.stringContaining('error[GG3018]')]);
  expect((await check({ 'a.gg': clash }, 'a.gg', '--no-federation')).code).toBe(0);
});

describe('the examples of the documentation', () => {
  test.each(['docs/examples/service.gg', 'docs/examples/parcel/main.gg'])(
    '%s has neither errors nor warnings',
    async (file) => {
      const { code, stdout, stderr } = await runCli(['check', file], {
        directory: new URL('.', repository).pathname,
      });
      expect(stderr).not.toMatch(/^(?:error|warning)/m);
      expect(stdout).toMatch(/^\d+ files? checked/);
      expect(code).toBe(0);
    },
  );
});
