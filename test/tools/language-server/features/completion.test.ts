import { describe, expect, test } from 'vitest';
import type { CompletionItem, CompletionList } from 'vscode-languageserver';
import { standardScalars } from '../../../../src/compiler/graph/standard-scalars.js';
import { startClient } from '../client.js';
import { files } from '../workspace-files.js';

/** The labels that are offered at `§1` in a file of the workspace, as it is being written. */
async function offered(text: string): Promise<readonly string[]> {
  return (await itemsFor(text)).map(({ label }) => label);
}

async function itemsFor(text: string): Promise<readonly CompletionItem[]> {
  const client = await startClient({
    ...files,
    'new.gg': `import './people.gg'\n${text}`,
    'sub/deep.gg': '',
  });
  client.open('new.gg');
  const list = await client.request<CompletionList>('textDocument/completion', client.at('new.gg', 1));
  return list.items;
}

describe('completion', () => {
  test.each([
    ['node ids in a group', '(§1', ['user', 'user_mood', 'audit_log']],
    ['node ids behind a pipe', '(a | u§1', ['user', 'user_mood', 'audit_log']],
    ['node ids, though the statement before is broken', '(a { x: \n(us§1', ['user', 'user_mood']],
    ['labels', '(a: §1', ['Enum', 'Scalar', 'Input', 'OneOf', 'Interface', 'Problem', 'Entity', 'Person', 'Event']],
    ['labels behind a label', '(a: Entity:P§1', ['Person', 'Input', 'Problem']],
    ['edge types, the mapped ones first', '(a)-[:§1', ['PROCESS', 'FOLD', 'FORK', 'RACE']],
    ['whole groups behind an edge', '(a)-[:FORK]->§1', ['(user)', '(user_mood)', '(audit_log)']],
    ['the values of an enum', '(x: Enum { §1 })', ['values']],
    ['the address of a scalar', '(x: Scalar { §1 })', ['specifiedBy']],
    [
      'the settings of a RACE',
      '(a)-[:RACE { §1 }]->(b)',
      ['union', 'after', 'open', 'failure', 'timeoutMs', 'deadlineMs', 'quorum', 'internal'],
    ],
    ['the settings of a fallback', '(a)-[:VENT { §1 }]->(b)', ['fallback', 'timeoutMs']],
    ['the interfaces of a node', '(n: Interface { id: ID! })\n(a { im§1 })', ['implements']],
    [
      'types, the scalars first',
      '(a { x: §1',
      ['ID', 'String', 'Int', 'Float', 'Boolean', 'User', 'UserMood', 'AuditLog', ...standardScalars.keys()],
    ],
    ['types in a list', '(a { x: [Us§1] })', ['User', 'UserMood', 'USCurrency']],
    ['standard scalars', '(a { x: DateT§1 })', ['DateTime', 'DateTimeISO', 'LocalDateTime']],
    [
      'a node in place of the standard scalar of its name',
      '(currency: Enum)\n(a { x: Currenc§1 })',
      ['Currency', 'USCurrency'],
    ],
    ['values of an enum as a default', '(a { m: UserMood = §1 })', ['GOOD', 'BAD', 'null']],
    ['true and false as a default', '(a { m: Boolean! = t§1 })', ['true']],
    ['names to import from a file', "import { §1 } from './log.gg'", ['audit_log']],
    [
      'tags in a doc comment',
      '(a {\n  /// @§1\n  x: Int })',
      [
        '@deprecated',
        '@example',
        '@minimum',
        '@maximum',
        '@exclusiveMinimum',
        '@fields',
        '@exclusiveMaximum',
        '@multipleOf',
        '@minLength',
        '@maxLength',
        '@pattern',
        '@format',
        '@minItems',
        '@maxItems',
        '@page',
        '@auth',
        '@scopes',
        '@anyScope',
        '@roles',
        '@owner',
        '@renamedFrom',
        '@tag',
        '@header',
        '@notNull',
        '@value',
        '@store',
      ],
    ],
    ['tags that fit', '/// @minIt§1', ['@minItems']],
    ['names to export', '(mine)\nexport { §1 }', ['mine']],
    [
      'the settings of a FOLD, and possible arguments',
      '(a)-[:FOLD { o§1 }]->(b)',
      ['operation', 'route', 'throws', 'idempotent', 'scopes', 'anyScope', 'roles', 'owner', 'open', 'undo', 'mood'],
    ],
    ['declared errors', '(gone: Problem)\n(a)-[:FOLD { throws: [§1] }]->(b)', ['Gone']],
    [
      'arguments alone for an edge with the name of a member of all objects',
      '(a)-[:constructor { mo§1 }]->(b)',
      ['mood'],
    ],
    [
      'the settings of a route',
      '(a)-[:PROCESS { §1 }]->(b)',
      [
        'returns',
        'operation',
        'route',
        'status',
        'null',
        'throws',
        'internal',
        'page',
        'fields',
        'auth',
        'scopes',
        'anyScope',
        'roles',
        'owner',
        'open',
        'etag',
        'chain',
        'durable',
        'retries',
        'awaits',
        'within',
        'pause',
        'id',
        'name',
        'nick',
        'mood',
        'at',
        'by',
      ],
    ],
    ['nothing for an edge type that has no settings', '(a)-[:MEASURE { op§1 }]->(b)', []],
    ['node ids in a call', 'f(us§1', ['user', 'user_mood']],
    ['names to import though the file is not written yet', 'import { us§1', []],
    ['keywords at the beginning of a statement', 'im§1', ['import']],
  ])('offers %s', async (_, text, labels) => {
    expect([...(await offered(text))].sort()).toEqual([...labels].sort());
  });

  test('offers neighbouring files and folders, but not the file itself', async () => {
    expect(await offered("import './§1'")).toEqual(
      expect.arrayContaining(['./main.gg', './people.gg', './log.gg', './sub/']),
    );
    expect(await offered("import './§1'")).not.toContain('./new.gg');
    expect(await offered("import './sub/§1'")).toEqual(['./sub/deep.gg']);
    expect(await offered("import './nowhere/§1'")).toEqual([]);
  });

  test('offers the fields of the node first, without those that are already in the map', async () => {
    const items = await itemsFor('(user { nick: String, §1 })');
    const sorted = items.toSorted((one, other) => ((one.sortText ?? '') < (other.sortText ?? '') ? -1 : 1));
    expect(sorted.map(({ label }) => label)).toEqual(['id', 'mood', 'name', 'at', 'by', 'internal']);
  });

  test('replaces the typed part of the word, and adds the colon of a property', async () => {
    const [item] = await itemsFor('(a)-[:PROCESS { retu§1 }]->(b)');
    expect(item).toMatchObject({
      label: 'returns',
      textEdit: {
        newText: 'returns: ',
        range: { start: { line: 1, character: 16 }, end: { line: 1, character: 20 } },
      },
    });
  });

  test.each([
    ['in a comment', '// (§1'],
    ['in an ordinary comment', '// @§1'],
    ['in the text of a doc comment', '/// see @§1'],
    ['in a text', "(a { x: '§1' })"],
    ['behind an id', '(a §1'],
    ['behind a type', '(a { x: String! §1'],
    ['among the values of an enum', '(a: Enum { values: [§1] })'],
    ['in a nested map', '(a { x: { y: { §1'],
    ['in a block comment', '/* (a | §1'],
    ['behind the name of a file', "import './log.gg' §1"],
    ['behind the word import', 'import { a } §1'],
    ['behind the label of a node', '(a: Label §1'],
    ['before the type of an edge', '(a)-[§1'],
    ['as the value of a type that is none', '(a { x: Nowhere = §1'],
    ['in a list outside of any map', '[§1'],
  ])('does not offer names %s', async (_, text) => {
    expect((await offered(text)).filter((label) => label === 'user' || label === 'User')).toEqual([]);
  });

  test('offers names after a closed block comment', async () => {
    expect(await offered('/* why */(us§1')).toEqual(['user', 'user_mood']);
  });

  test('offers no files for a buffer without a file, and no folders for a URL', async () => {
    const client = await startClient({ 'a.gg': "import 'https://example.org/§1'", 'b.gg': '' });
    const list = await client.request<CompletionList>('textDocument/completion', client.at('a.gg', 1));
    expect(list.items).toEqual([]);
  });

  test('sends a long list as incomplete', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => `(node_${index})\n`).join('');
    const client = await startClient({ 'a.gg': `${many}(§1` });
    client.open('a.gg');
    const list = await client.request<CompletionList>('textDocument/completion', client.at('a.gg', 1));
    expect(list.isIncomplete).toBe(true);
    expect(list.items).toHaveLength(300);
  });
});
