import { expect, test } from 'vitest';
import type { Statement, TransactionSession } from '../../../src/runtime/store/database.js';
import { sqliteDatabase, Turns } from '../../../src/runtime/store/sqlite-database.js';

/** A database that records its statements. Those with an error fail. */
function recording(errors: Readonly<Record<string, string>> = {}) {
  const sent: string[] = [];
  const run = ({ sql }: Statement) => {
    sent.push(sql);
    if (errors[sql] !== undefined) throw new Error(errors[sql]);
    return [];
  };
  return { sent, database: sqliteDatabase({} as never, new Turns(), run) };
}

const running = (sql: string) => async (session: TransactionSession) => {
  await session.run({ sql, parameters: [] });
  return sql;
};

test('transactions that begin in one turn of the event loop share a commit', async () => {
  const { sent, database } = recording();
  const together = ['a', 'b', 'c'].map((sql) => database.transaction(running(sql)));
  expect(await Promise.all(together)).toEqual(['a', 'b', 'c']);
  const savepoint = (sql: string) => ['savepoint gg_svc_mutation', sql, 'release gg_svc_mutation'];
  expect(sent).toEqual(['begin', 'a', ...savepoint('b'), ...savepoint('c'), 'commit']);
  sent.length = 0;
  await database.transaction(running('d'));
  expect(sent).toEqual(['begin', 'd', 'commit']);
});

test('a transaction that fails takes nothing of the others back', async () => {
  const { sent, database } = recording({ a: 'no a', c: 'no c' });
  const together = ['a', 'b', 'c', 'd'].map((sql) => database.transaction(running(sql)));
  const settled = await Promise.allSettled(together);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect(sent).toEqual([
    ...['begin', 'a', 'rollback'],
    ...['begin', 'b'],
    ...['savepoint gg_svc_mutation', 'c', 'rollback to gg_svc_mutation', 'release gg_svc_mutation'],
    ...['savepoint gg_svc_mutation', 'd', 'release gg_svc_mutation'],
    'commit',
  ]);
});

test('a commit that fails is the failure of all transactions that share it, also of one that had failed before', async () => {
  const { sent, database } = recording({ commit: 'no place', b: 'no b' });
  const together = ['a', 'b', 'c'].map((sql) => database.transaction(running(sql)));
  const settled = await Promise.allSettled(together);
  expect(settled.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
    together.map(() => 'Error: no place'),
  );
  expect(sent.slice(-2)).toEqual(['commit', 'rollback']);
});

test('a transaction that SQLite takes back fails all that share it, and the next one begins anew', async () => {
  const { sent, database } = recording({ b: 'no place', 'rollback to gg_svc_mutation': 'no such savepoint' });
  const together = ['a', 'b', 'c'].map((sql) => database.transaction(running(sql)));
  const settled = await Promise.allSettled(together);
  expect(settled.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(
    together.map(() => 'Error: no place'),
  );
  expect(sent).not.toContain('c');
  expect(sent).not.toContain('commit');
  sent.length = 0;
  expect(await database.transaction(running('d'))).toBe('d');
  expect(sent).toEqual(['begin', 'd', 'commit']);
});

test('no statement beside a transaction runs before its commit', async () => {
  const { sent, database } = recording();
  const writing = database.transaction(running('a'));
  const reading = database.run({ sql: 'read', parameters: [] });
  await Promise.all([writing, reading]);
  expect(sent).toEqual(['begin', 'a', 'commit', 'read']);
  expect(database.run({ sql: 'read', parameters: [] })).toEqual([]);
});
