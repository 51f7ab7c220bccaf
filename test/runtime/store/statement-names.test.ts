import { expect, test } from 'vitest';
import { statementNames } from '../../../src/runtime/store/postgres-database.js';

test('a name of a statement has one text in all programs: a pool before the server mixes their connections', () => {
  const texts = ['select $1', 'select $1, 2', 'select 1'];
  const namesIn = (order: readonly string[]) => {
    const nameOf = statementNames('gg_svc_store_');
    const uses = [...order, ...order].map((text) => [text, nameOf(text, text.includes('$1') ? [1] : [])] as const);
    return Object.fromEntries<string>(uses);
  };
  const names = namesIn(texts);
  expect(namesIn(texts.toReversed())).toEqual(names);
  expect(names['select 1']).toBe('');
  expect(new Set(Object.values(names)).size).toBe(3);
  // PostgreSQL cuts longer names.
  for (const name of Object.values(names)) expect(name.length).toBeLessThan(64);
});
