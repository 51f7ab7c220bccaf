import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { diagnosticCodes } from '../../../../src/base/diagnostics/codes.js';
import { renderPage } from '../../../../src/tools/cli/commands/explain.js';
import { readPage } from '../../../../src/tools/cli/terminal/io.js';
import { directoryWith, repository, runCli } from '../stand-in-io.js';

/** A package that has only the page of GG3001. */
function packageWithPage(page: string): { packageRoot: URL } {
  const directory = directoryWith({ 'dist/diagnostics.md': `<a id="GG3001"></a>\n${page}` });
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

  test('does not look for an unknown code in the files of the project', async () => {
    const config = JSON.stringify({ sources: ['a.gg'] });
    const directory = directoryWith({ 'gg-svc.config.json': config, 'a.gg': '(a { id: ID! })' });
    const { stderr } = await runCli(['explain', 'GG9999'], { directory });
    expect(stderr).toMatch(/^error: Unknown diagnostic GG9999\./);
  });

  test.each([
    ['GG30001', 'Did you mean GG3001?'],
    ['type-name-colision', 'Did you mean type-name-collision?'],
  ])('suggests a name for %s', async (wanted, guess) => {
    const { code, stdout, stderr } = await runCli(['explain', wanted]);
    expect(stderr).toBe(`error: Unknown diagnostic ${wanted}. ${guess}\n`);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('suggests nothing if no name is similar', async () => {
    expect((await runCli(['explain', 'elephant'])).stderr).toBe('error: Unknown diagnostic elephant.\n');
  });
});

test('the package has the pages of all codes in one file, whose links lead to files and pages', () => {
  for (const code of Object.keys(diagnosticCodes)) {
    const page = readPage('diagnostics.md', code, repository);
    expect(page.match(/^# GG\d+/gm)).toEqual([`# ${code}`]);
    for (const [, path = '', anchor] of page.matchAll(/\]\((?!https:)([^)#]*)#?([^)]*)\)/g)) {
      const isThere = path === '' ? `${anchor}` in diagnosticCodes : existsSync(new URL(`dist/${path}`, repository));
      expect([code, path, anchor, isThere]).toEqual([code, path, anchor, true]);
    }
  }
});

describe('gg-svc explain with files', () => {
  const source = [
    '(root)-[:PROCESS { id: ID! }]->(user { id: ID!, email: String })',
    '(form { name: String })-[:FOLD]->(user)',
    '',
  ].join('\n');
  const directory = directoryWith({
    'users.gg': source,
    'broken.gg': '(a { x: Nope! })\n',
    'clash.gg': '(root)-[:PROCESS]->(federation_chain)\n',
  });
  const ask = (...operands: string[]) => runCli(['explain', ...operands], { directory });

  test('shows the statements of an operation that the store serves', async () => {
    const stored = directoryWith({
      'a.gg': `
        (author: Stored { id: ID!, name: String!, books: [Book!]! })
        (book: Stored { id: ID!, authorId: ID!, author: Author, pages: [Int!] })
        /// @owner readerId
        (loan: Stored { id: ID!, readerId: ID!, bookId: ID!, book: Book })
        (root)-[:PROCESS { operation: 'loan', id: ID!, auth: 'required', returns: Loan }]->(loan)
        (root)-[:FOLD { operation: 'addBook', authorId: ID!, returns: Book! }]->(book)
        (root)-[:PROCESS { operation: 'count', returns: Int }]->(number)
      `,
    });
    const show = async (...args: string[]) => {
      const { stdout } = await runCli(['explain', ...args, 'a.gg'], { directory: stored });
      const lines = stdout.split('\n');
      const at = lines.findIndex((line) => / in (?:SQLite|PostgreSQL)/.test(line));
      return at < 0 ? [] : lines.slice(at);
    };
    expect(await show('Query.loan')).toEqual([
      'Query.loan in SQLite, with all arguments and the default fields:',
      expect.stringMatching(/^ {2}select .* from \(select .*"id" = \? .*;$/),
      '',
    ]);
    expect((await show('Query.loan', '--engine', 'postgres'))[1]).toMatch(/row_to_json.*"readerId" = \$\d/);
    expect((await show('Mutation.addBook')).map((line) => line.trim().split(' ')[0])).toEqual([
      ...['Mutation.addBook', 'begin;', 'insert', 'commit;', 'select', ''],
    ]);
    expect(await show('Query.count')).toEqual([]);
    expect(await show('Book.id')).toEqual([]);
  });

  test('shows the access that callers need', async () => {
    const secured = directoryWith({
      'a.gg': "(root)-[:PROCESS { scopes: ['users:read'] }]->(user { id: ID! })\n",
    });
    const { stdout } = await runCli(['explain', 'Query.user', 'a.gg'], { directory: secured });
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'Query.user  query user: User',
      'Requires authentication with the scope `users:read`.',
      '',
    ]);
    expect((await runCli(['explain', 'User.id', 'a.gg'], { directory: secured })).stdout).not.toContain('equires');
  });

  test('shows the place, the rule and the other generated parts', async () => {
    expect(await ask('User.email', 'users.gg')).toEqual({
      code: 0,
      stdout: [
        'User.email  field email: String',
        '',
        'from property email of node user',
        ' --> users.gg:1:49',
        '> 1 | (root)-[:PROCESS { id: ID! }]->(user { id: ID!, email: String })',
        '    |                                                 ^^^^^^^^^^^^^',
        '  2 | (form { name: String })-[:FOLD]->(user)',
        '',
        'rule: A property of a node becomes a field.',
        '      docs/mapping.md#a-node-becomes-an-object-type-and-an-input',
        '',
        'Generated from it:',
        '  schema.graphql   User.email',
        '  schema.graphql   UserInput.email',
        '  openapi.json     #/components/schemas/User/properties/email',
        '  openapi.json     #/components/schemas/UserInput/properties/email',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  test.each([
    [['GET', '/api/user', 'users.gg']],
    [['GET /api/user', 'users.gg']],
    [['get', '/api/user?id=1', 'users.gg']],
    [['Query.user', 'users.gg']],
  ])('explains the same part for %j', async (operands) => {
    const { code, stdout } = await ask(...operands);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Query.user  query user(id: ID!): User\n\nfrom PROCESS edge root → user\n --> users.gg:1:1\n',
    );
    expect(stdout).toMatch(/REST {13}GET \/api\/user\n/);
    expect(stdout).not.toContain('Mutation.user');
  });

  test('explains every part with the same name', async () => {
    const { stdout } = await ask('user', 'users.gg');
    expect(stdout.match(/^\S+ {2}\S.*$/gm)).toEqual([
      'Query.user  query user(id: ID!): User',
      'Mutation.user  mutation user(input: FormInput): User',
      'User  type User',
    ]);
  });

  test('uses colours on a terminal', async () => {
    const { stdout } = await runCli(['explain', 'User.email', 'users.gg'], {
      directory,
      env: { FORCE_COLOR: '1' },
    });
    expect(stdout).toContain('\u001b[1mUser.email\u001b[22m');
    expect(stdout).toContain('\u001b[36m^^^^^^^^^^^^^\u001b[39m');
  });

  test('reads standard input', async () => {
    const { stdout } = await runCli(['explain', 'User.email', '-'], {
      readStdin: async () => new TextEncoder().encode(source),
    });
    expect(stdout).toContain(' --> <stdin>:1:49');
  });

  test('explains a topology that clashes with the federation layer, too', async () => {
    expect((await ask('FederationChain', 'clash.gg')).stdout).toContain('type FederationChain');
  });

  test('shortens a long list', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `t${index}`).join(' | ');
    const wide = directoryWith({ 'wide.gg': `(root)-[:PROCESS { id: ID! }]->(${many})\n` });
    const { stdout } = await runCli(['explain', 'Query.t0', 'wide.gg'], { directory: wide });
    expect(stdout).toContain('  schema.graphql   … and 28 more\n');
  });

  test('reports the errors of a topology first', async () => {
    const { code, stdout, stderr } = await ask('A.x', 'broken.gg');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('error[GG2008]');
  });

  test.each([
    ['User.mail', 'error: The topology does not define User.mail. Did you mean User.email?\n'],
    ['elephant', 'error: The topology does not define elephant.\n'],
    ['DELETE /api/user', 'error: /api/user does not support DELETE. Did you mean GET /api/user?\n'],
  ])('suggests a name for %s', async (wanted, message) => {
    expect(await ask(wanted, 'users.gg')).toEqual({ code: 2, stdout: '', stderr: message });
  });

  test.each([
    ['User.email', 'gg-svc explain User.email service.gg'],
    ['GET /api/user', "gg-svc explain 'GET /api/user' service.gg"],
    ['Query.user(id:)', "gg-svc explain 'Query.user(id:)' service.gg"],
  ])('requires files for %s', async (wanted, command) => {
    const { code, stderr } = await ask(wanted);
    expect(code).toBe(2);
    expect(stderr).toBe(`error: Missing the files of the topology: pass them too, as in ${command}\n`);
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

  test('drops Markdown marks and link targets', () => {
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

  test('uses colours in place of the marks', () => {
    const rendered = renderPage(page, true);
    expect(rendered).toContain('\u001b[1mGG3001: type name collision\u001b[22m');
    expect(rendered).toContain('\u001b[36mgg-svc check\u001b[39m');
    expect(rendered).toContain('    \u001b[36m(a)-[:PROCESS]->(b)\u001b[39m');
  });
});
