import { describe, expect, test } from 'vitest';
import type { Hover, MarkupContent } from 'vscode-languageserver';
import { startClient } from '../client.js';
import { files } from '../workspace-files.js';

async function hoverAt(name: string, mark: number): Promise<string | undefined> {
  const client = await startClient(files);
  const hover = await client.request<Hover | null>('textDocument/hover', client.at(name, mark));
  return (hover?.contents as MarkupContent | undefined)?.value;
}

describe('hover', () => {
  test('over a node shows its type, and the edges that lead to it', async () => {
    expect(await hoverAt('people.gg', 1)).toBe(
      [
        'Node `user` → `User`',
        '```graphql\n"""A person."""\ntype User {\n  id: ID!\n  """As on the passport."""\n  name: String!\n  mood: UserMood! # GOOD\n  nick: String\n}\n```',
      ].join('\n\n'),
    );
    expect(await hoverAt('reports.gg', 1)).toContain(
      '```graphql\nquery user: [User!]!\n```\n\nQuery from topology edge office to user\n\nREST: `GET /api/user`',
    );
  });

  test('shows constraints and deprecation', async () => {
    const client = await startClient({
      ...files,
      'shop.gg': '(§1book {\n  /// @minimum 1\n  pages: Int!,\n  /// @deprecated Use pages.\n  size: Int })\n',
    });
    const hover = await client.request<Hover | null>('textDocument/hover', client.at('shop.gg', 1));
    expect((hover?.contents as MarkupContent | undefined)?.value).toContain(
      'type Book {\n  pages: Int! @constraint(min: 1)\n  size: Int @deprecated(reason: "Use pages.")\n}',
    );
  });

  test('shows the access of operations and fields, and the effect of settings', async () => {
    const hover = async (text: string) => {
      const client = await startClient({ 'a.gg': text });
      const found = await client.request<Hover | null>('textDocument/hover', client.at('a.gg', 1));
      return (found?.contents as MarkupContent | undefined)?.value;
    };
    const secured = (before: string, setting: string, node: string) =>
      `(root)-[:${before}PROCESS { ${setting}: ['a', 'b'] }]->(${node}book {\n  /// @auth required\n  id: ID! })\n`;
    expect(await hover(secured('§1', 'scopes', ''))).toContain('query book: Book @auth(scopes: ["a", "b"])');
    expect(await hover(secured('', 'scopes', '§1'))).toContain('type Book {\n  id: ID! @auth\n}');
    expect(await hover(secured('', '§1scopes', ''))).toContain(
      '`scopes`: the scopes that callers must have, all of them',
    );
  });

  test('shows the effect of a policy of a race', async () => {
    const client = await startClient({ 'a.gg': '(a | b)-[:RACE { §1quorum: 2 }]->(c)' });
    const hover = await client.request<Hover | null>('textDocument/hover', client.at('a.gg', 1));
    expect(JSON.stringify(hover)).toContain('`quorum`: the number of branches that must agree');
  });

  test('shows the fallback of a query', async () => {
    const text =
      '(root)-[:PROCESS { returns: A }]->(a { x: Int } | b)\n(a)-[:§1VENT { §2fallback: true }]->(b)\n(a)-[:§3VENT]->(b)';
    const client = await startClient({ 'a.gg': text });
    const hoverAt = async (mark: number) =>
      JSON.stringify(await client.request<Hover | null>('textDocument/hover', client.at('a.gg', mark)));
    expect(await hoverAt(1)).toContain('When `a` fails, `b` answers.');
    expect(await hoverAt(2)).toContain('`fallback`: the target answers when the query of the source fails');
    expect(await hoverAt(3)).toContain('`VENT` edges are not part of the API.');
  });

  test('over an argument with the name of a setting says nothing of the setting', async () => {
    const text = '(root)-[:FOLD { §1status: 201, §2status: String!, returns: String }]->(n { id: ID! })';
    const client = await startClient({ 'a.gg': text });
    const [setting, argument] = await Promise.all(
      [1, 2].map((mark) => client.request<Hover | null>('textDocument/hover', client.at('a.gg', mark))),
    );
    expect(JSON.stringify(setting)).toContain('the HTTP status of a successful REST response');
    expect(JSON.stringify(argument)).toContain('mutation n');
    expect(JSON.stringify(argument)).not.toContain('the HTTP status');
  });

  test('over a standard scalar shows its format, unless a node has its name', async () => {
    const hover = async (text: string) => {
      const client = await startClient({ 'a.gg': text });
      const found = await client.request<Hover | null>('textDocument/hover', client.at('a.gg', 1));
      return (found?.contents as MarkupContent | undefined)?.value;
    };
    expect(await hover('(a)-[:PROCESS]->(b { at: §1DateTime! })\n')).toBe(
      [
        '```graphql\nscalar DateTime\n```',
        'A moment in time, answered in UTC with milliseconds.',
        'Example: `"2024-01-31T09:30:00.000Z"`. Resolvers receive: `Date`.',
        '[Specification](https://www.rfc-editor.org/rfc/rfc3339#section-5.6)',
      ].join('\n\n'),
    );
    expect(await hover('(a)-[:PROCESS]->(b { at: §1Nowhere })\n')).toBeUndefined();
    const own = await hover('(date_time: Scalar)\n(a)-[:PROCESS]->(b { at: §1DateTime! })\n');
    expect(own).toContain('Node `date_time`');
  });

  test('over a PROCESS edge shows the query and its route', async () => {
    expect(await hoverAt('main.gg', 2)).toBe(
      '```graphql\nquery readUser(id: ID!, input: UserInput): ReadUser\n```\n\nReads a person.\n\nREST: `GET /api/readUser`',
    );
  });

  test('over the goal of a chain shows the steps of the chain', async () => {
    const client = await startClient({
      'a.gg':
        "(user { id: ID! })\n(root)-[:FOLD { operation: 'signUp', name: String!, returns: User! }]->(user)\n" +
        "(user)-[:FOLD { operation: 'order', userId: ID!, §1chain: true }]->(order { id: ID! })\n",
    });
    const hover = await client.request<Hover>('textDocument/hover', client.at('a.gg', 1));
    expect((hover.contents as MarkupContent).value).toMatch(/Chain: `POST \/api\/chains\/order` runs signUp, order\.$/);
  });

  test('over an argument shows the operation of its edge', async () => {
    const client = await startClient({
      'a.gg': '(a)-[:FORK { x: Int }]->(b)-[:PROCESS { §1y: Int }]->(c)\n',
    });
    const hover = await client.request<Hover>('textDocument/hover', client.at('a.gg', 1));
    expect((hover.contents as MarkupContent).value).toContain('query c(y: Int): C');
  });

  test('over a FOLD edge shows the mutation and its route', async () => {
    expect(await hoverAt('main.gg', 5)).toContain(
      'mutation saveUser(input: InputUserInput): SaveUser\n```\n\nMutation (fold) from input_user to save_user\n\nREST: `POST /api/saveUser`',
    );
  });

  test('over the target of a FORK shows the subscription and its route', async () => {
    const text = await hoverAt('main.gg', 6);
    expect(text).toContain('subscription auditLog: AuditLog');
    expect(text).toContain('REST: `GET /api/auditLog`');
  });

  test('over a RACE edge shows the union', async () => {
    expect(await hoverAt('main.gg', 7)).toBe(
      '```graphql\n"""Union (race) of read_user | cached_user for fast_user"""\nunion FastUserRace = ReadUser | CachedUser\n```',
    );
  });

  test('over any other edge shows that it is not part of the API', async () => {
    expect(await hoverAt('main.gg', 8)).toBe('`MEASURE` edges are not part of the API.');
  });

  test('over a field shows it in its type', async () => {
    expect(await hoverAt('people.gg', 3)).toBe(
      '```graphql\ntype User {\n  """As on the passport."""\n  name: String!\n}\n```',
    );
  });

  test.each([
    [
      'a value shows its enum',
      'people.gg',
      5,
      'Node `user_mood` → `UserMood`\n\n```graphql\nenum UserMood {\n  GOOD\n  BAD\n}\n```',
    ],
    [
      'a label with a meaning',
      'people.gg',
      4,
      'A node with the label `Enum` is an enum; its values are `values: [ONE, TWO]`.',
    ],
    ['any other label', 'people.gg', 2, undefined],
  ])('over %s', async (_, name, mark, text) => {
    expect(await hoverAt(name, mark)).toBe(text);
  });

  test('over an import shows its file', async () => {
    expect(await hoverAt('main.gg', 1)).toMatch(/^The file `\/.*\/log\.gg`$/);
  });

  test('over the input, the union, an enum and a scalar shows each as SDL', async () => {
    const client = await startClient({
      'a.gg': [
        "(day: Scalar { specifiedBy: 'https://example.org/day' })",
        '(mood: Enum { values: [GOOD, BAD] })',
        '(thing { size: Int = 3, day: Day, mood: Mood = BAD })',
        '(thing)-[:RACE]->(winner)',
        "(root)-[:PROCESS { a: §1ThingInput, d: §2Day, m: §3Mood = GOOD, operation: 'x', returns: §4WinnerRace }]->(thing)",
      ].join('\n'),
    });
    const texts = await Promise.all(
      [1, 2, 3, 4].map((mark) => client.request<Hover>('textDocument/hover', client.at('a.gg', mark))),
    );
    const [input, scalar, mood, union] = texts.map(({ contents }) => (contents as MarkupContent).value);
    expect(input).toContain('input ThingInput {\n  size: Int\n  day: Day\n  mood: Mood\n}');
    expect(scalar).toContain('scalar Day @specifiedBy(url: "https://example.org/day")');
    expect(mood).toContain('enum Mood {\n  GOOD\n  BAD\n}');
    expect(union).toContain('union WinnerRace = Thing');
    expect(input).toContain('query x(a: ThingInput, d: Day, m: Mood = GOOD): WinnerRace');
  });

  test('works in a topology with mistakes, and is empty between words', async () => {
    const client = await startClient({
      'a.gg':
        "(§1a { x: Nowhere! = 'y', day: Int = 3 })\n(§2b { broken: \n(root)-[:MEASURE { §3x: Strng! = 'z' }]->(a)\n\n",
    });
    const ask = (mark: number) => client.request<Hover | null>('textDocument/hover', client.at('a.gg', mark));
    expect((await ask(1))?.contents).toMatchObject({ value: expect.stringContaining('type A {') });
    expect((await ask(3))?.contents).toMatchObject({ value: expect.stringContaining('not part of the API') });
    const nowhere = { textDocument: { uri: client.uri('a.gg') }, position: { line: 3, character: 0 } };
    expect(await client.request('textDocument/hover', nowhere)).toBeNull();
  });
});
