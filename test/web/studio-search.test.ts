import { describe, expect, test } from 'vitest';
import { analyze } from '../../src/compiler/analyze.js';
import { search, searchEntries } from '../../web/studio/search-index.js';
import { drawingOf } from '../analysis/diagram/diagrams.js';

const topology = `
(status: Enum { values: [ON, OFF] })
(user: Record { id: ID!, status: Status })
(draft: Input { name: String! })
(root)-[:PROCESS]->(user)
(draft)-[:FOLD]->(saved_user { id: ID! })
(saved_user)-[:FORK]->(user_news { id: ID! })
(cached { a: Int } | fresh { b: Int })-[:RACE]->(verdict)
`;
const { schema } = analyze(topology);
const entries = searchEntries(schema, await drawingOf(topology));
const titles = (text: string) => search(entries, text).map(({ title, kind }) => `${kind} ${title}`);

describe('the search', () => {
  test('finds every operation, union, type and node once', () => {
    const parts = entries.map(({ part }) => part);
    expect(new Set(parts).size).toBe(parts.length);
    for (const part of [
      'Query.user',
      'Mutation.savedUser',
      'Subscription.userNews',
      '(user)',
      '(status)',
      '(root)',
      '(draft)',
    ]) {
      expect(parts).toContain(part);
    }
    expect(entries.filter(({ kind }) => kind === 'union').map(({ part }) => part)).toEqual(
      schema.unions.map(({ name }) => name),
    );
  });

  test('finds the nodes in groups', () => {
    const span = { file: 'a.gg', start: 0, end: 1 };
    const size = { x: 0, y: 0, width: 90, height: 36 };
    const group = {
      ...size,
      span,
      key: 'g0',
      kind: 'group',
      group: '/bus',
      members: ['bus', 'user'],
      text: ['2 nodes', 'a.gg'],
    } as const;
    const drawing = { width: 90, height: 36, boxes: [group], lines: [] };
    expect(searchEntries(schema, drawing).filter(({ kind }) => kind === 'node')).toEqual([
      { part: '(bus)', title: 'bus', kind: 'node', detail: 'a.gg' },
    ]);
  });

  test('ranks an equal name before one with the prefix, and that before one that contains the text', () => {
    expect(titles('user').slice(0, 2)).toEqual(['query user', 'object user']);
    const saved = titles('saved');
    expect(saved.slice(0, 2)).toEqual(['mutation savedUser', 'object saved_user']);
    expect(titles('news')[0]).toBe('subscription userNews');
  });

  test('finds by kind, by type and by letters in order; all words must match', () => {
    expect(titles('enum')).toContain('enum status');
    expect(titles('SavedUser')).toContain('object saved_user');
    expect(titles('svusr')).toContain('object saved_user');
    expect(titles('user mutation')).toEqual(['mutation savedUser']);
    expect(titles('zzz')).toEqual([]);
  });

  test('shows all entries for an empty text, at most 50', () => {
    expect(search(entries, ' ')).toHaveLength(Math.min(entries.length, 50));
    const many = Array.from({ length: 200 }, (_, index) => ({
      part: `(${index})`,
      title: `n${index}`,
      kind: 'node',
      detail: '',
    }));
    expect(search(many, 'n')).toHaveLength(50);
  });
});
