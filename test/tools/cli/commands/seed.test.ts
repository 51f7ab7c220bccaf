import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sqliteStore } from '../../../../src/runtime/store/sqlite.js';
import { modelOf, noSqlite } from '../../../runtime/store/engines.js';
import { directoryWith, runCli } from '../stand-in-io.js';

const topology = (fields: string) => `
(author: Stored { id: ID!, name: String!, books: [Book!]! })
(book: Stored { id: ID!, authorId: ID!, author: Author, ${fields} })
(root)-[:PROCESS { operation: 'books', returns: [Book!]! }]->(book)`;

function project(server: object = { store: { file: 'data.sqlite' } }) {
  const directory = directoryWith({
    'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], server }),
    'a.gg': topology('title: String!'),
  });
  const seed = (args: readonly string[] = [], env = {}) => runCli(['seed', ...args], { directory, env });
  const titles = async () => {
    const store = sqliteStore({ file: join(directory, 'data.sqlite') });
    const db = await store.open(modelOf(topology('title: String!')));
    const rows = await db.selectFrom('book').selectAll().orderBy('id').execute();
    await store.close();
    return rows.map(({ title }) => String(title));
  };
  return { seed, titles, save: (fields: string) => writeFileSync(join(directory, 'a.gg'), topology(fields)) };
}

describe.skipIf(noSqlite)('gg-svc seed', () => {
  test('fills the empty tables once, with equal rows for equal seeds', async () => {
    const [one, other, third] = [project(), project(), project()];
    const seeded = await one.seed(['--rows', '7']);
    expect(seeded).toMatchObject({ code: 0, stdout: 'author: 7 rows\nbook: 7 rows\n' });
    expect(await one.seed()).toMatchObject({
      code: 0,
      stdout: 'author: has rows already\nbook: has rows already\n',
    });
    await other.seed(['--rows', '7']);
    await third.seed(['--rows', '7', '--seed', '2']);
    expect(await one.titles()).toHaveLength(7);
    expect(await other.titles()).toEqual(await one.titles());
    expect(await third.titles()).not.toEqual(await one.titles());
  });

  test('fills a database whose workflows pass, as often as they run', async () => {
    const directory = directoryWith();
    cpSync('docs/examples/parcel', directory, { recursive: true });
    expect(await runCli(['seed'], { directory })).toMatchObject({ code: 0 });
    for (const turn of ['first', 'second']) {
      const { code, stdout } = await runCli(['test'], { directory });
      expect([turn, code, stdout]).toEqual([turn, 0, expect.stringContaining('20 workflows passed, 0 failed')]);
    }
  });

  test('writes into a database of production only with --force', async () => {
    const { seed } = project();
    const production = { NODE_ENV: 'production' };
    expect(await seed([], production)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--force permits it'),
    });
    expect(await seed(['--force'], production)).toMatchObject({
      code: 0,
      stdout: 'author: 20 rows\nbook: 20 rows\n',
    });
  });

  test('refuses a database that is not in step', async () => {
    const { seed, save } = project();
    await seed();
    save('title: String!, pages: Int');
    const { code, stderr } = await seed();
    expect(code).toBe(1);
    expect(stderr).toContain('not in step with the topology');
    expect(stderr).toContain('gg-svc migrate plan');
  });

  test('reports a table that can have no row, and inserts none', async () => {
    const { seed, save, titles } = project();
    save(`
      /// @pattern ^(?=.*[A-Z])[a-z]*$
      title: String!`);
    const { code, stderr, stdout } = await seed();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('GG7009');
    expect(stderr).toContain('a.gg:3:2');
    expect(await titles()).toEqual([]);
  });

  test('needs a database', async () => {
    expect(await project({}).seed()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('seed needs a database: set “server.store” in the project file.'),
    });
  });
});
