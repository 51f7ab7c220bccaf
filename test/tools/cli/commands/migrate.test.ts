import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { noSqlite } from '../../../runtime/store/engines.js';
import { directoryWith, runCli } from '../stand-in-io.js';

const topology = (fields: string) =>
  `(book: Stored { id: ID!, ${fields} })
(root)-[:PROCESS { operation: 'book', id: ID!, returns: Book }]->(book)`;

function projectWith(fields: string, store: object | undefined = { file: 'data.sqlite' }) {
  const directory = directoryWith({
    'gg-svc.config.json': JSON.stringify({ sources: ['a.gg'], server: { store } }),
    'a.gg': topology(fields),
  });
  return {
    migrate: (...args: string[]) => runCli(['migrate', ...args], { directory }),
    serve: (command: string) => {
      let written = '';
      const write = (text: string) => {
        written += text;
      };
      return runCli([command, '--port', '0'], {
        directory,
        stdout: write,
        stderr: write,
        // Stops as soon as it may be stopped.
        onStop: (stop) => {
          setTimeout(stop, 50);
          return () => undefined;
        },
      }).then(({ code }) => ({ code, written }));
    },
    read: (path: string) =>
      path.endsWith('.sql') ? readFileSync(join(directory, path), 'utf8') : readdirSync(join(directory, path)).sort(),
    save: (next: string) => writeFileSync(join(directory, 'a.gg'), topology(next)),
  };
}

describe.skipIf(noSqlite)('gg-svc migrate', () => {
  test('plans, takes and reports the steps to the topology', async () => {
    const { migrate, save } = projectWith('title: String!, isbn: String');
    expect(await migrate('plan')).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "-- create the table book
      CREATE TABLE "book" (
        "id" TEXT NOT NULL PRIMARY KEY,
        "title" TEXT NOT NULL,
        "isbn" TEXT
      ) STRICT;

      ",
      }
    `);
    expect((await migrate('status')).code).toBe(1);
    expect(await migrate('apply')).toMatchObject({
      code: 0,
      stdout: 'create the table book\n1 step taken; the database has version 1.\n',
    });
    expect(await migrate('plan')).toMatchObject({
      stdout: '-- The database is in step with the topology.\n',
    });
    expect(await migrate('status')).toMatchObject({
      code: 0,
      stdout: 'The database is in step with the topology: version 1.\n',
    });
    save('title: String!');
    const refused = await migrate('apply');
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('error[GG7004] The step “change the table book: drop isbn” deletes values.\n'),
    });
    expect((await migrate('plan')).stdout).toMatch(/^-- change the table book: drop isbn\n-- It deletes values\.\n/);
    expect(await migrate('apply', '--allow-loss')).toMatchObject({ code: 0 });
    save('title: String!, pages: Int!');
    expect(await migrate('plan')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'error[GG7003] The database cannot be migrated: book.pages is required: give it a default',
      ),
    });
    expect((await migrate('status')).stdout).toBe('The database has version 2; 1 step to the topology.\n');
  });

  test('writes a file for each step, and takes only those that were written if they are to be reviewed', async () => {
    const { migrate, save, read } = projectWith('title: String!, isbn: String');
    const first = '0001-01-create-the-table-book.sql';
    expect((await migrate('plan', '--out', 'migrations')).stdout).toBe(
      `wrote migrations/${first}\n1 step in migrations, for review; “gg-svc migrate apply --reviewed migrations” takes no others.\n`,
    );
    expect(read(`migrations/${first}`)).toMatch(/^-- create the table book\nCREATE TABLE "book" \(/);
    save('title: String!');
    const refused = await migrate('apply', '--reviewed', 'migrations');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('“create the table book” is not among the files of migrations');
    expect((await migrate('apply', '--reviewed', 'nowhere')).code).toBe(1);
    await migrate('plan', '--out', 'migrations');
    expect((await migrate('apply', '--reviewed', 'migrations')).code).toBe(0);
    save('title: String!, pages: Int');
    await migrate('plan', '--out', 'migrations');
    save('title: String!, stars: Int');
    await migrate('plan', '--out', 'migrations');
    expect(read('migrations')).toEqual([first, '0002-01-change-the-table-book-add-stars.sql']);
  });

  test('rejects an expansion of SQLite', async () => {
    const { migrate, save } = projectWith('title: String!');
    await migrate('apply');
    save('title: String!, pages: Int');
    const { code, stderr } = await migrate('apply', '--expand');
    expect(code).toBe(1);
    expect(stderr).toContain('SQLite changes its tables in one transaction, so that nothing can be expanded');
  });

  test('keeps serve from a database that is not in step; dev changes it if nothing is lost', async () => {
    const { migrate, save, serve } = projectWith('title: String!');
    await migrate('apply');
    save('title: String!, pages: Int');
    const refused = await serve('serve');
    expect(refused.code).toBe(1);
    expect(refused.written).toContain('“gg-svc migrate plan” shows the steps');
    const developed = await serve('dev');
    expect(developed.written).toContain(
      'The database was changed to fit the topology: change the table book: add pages.\n',
    );
    expect((await migrate('status')).code).toBe(0);
  });
});

describe('the database of gg-svc migrate', () => {
  test('must be named by the project file', async () => {
    const { migrate } = projectWith('title: String!', undefined);
    const directory = directoryWith({ 'a.gg': topology('title: String!') });
    expect(await runCli(['migrate', 'status', 'a.gg'], { directory })).toMatchObject({ code: 2 });
    expect((await migrate('status')).code).not.toBe(3);
  });

  test.each([
    [{}, 'have either “file” or “urlFrom”'],
    [{ file: 'a', urlFrom: 'B' }, 'have either “file” or “urlFrom”'],
    [{ urlFrom: 'GG_SVC_NO_URL' }, 'name an environment variable that is set; GG_SVC_NO_URL is not'],
  ])('must be one that can be found: %o', async (store, expected) => {
    const { code, stderr } = await projectWith('title: String!', store).migrate('status');
    expect(code).toBe(1);
    expect(stderr).toContain('GG5042');
    expect(stderr).toContain(expected);
  });

  test('must be able to keep the topology (GG7001)', async () => {
    const { code, stderr } = await projectWith('word: Int, Word: Int').migrate('status');
    expect(code).toBe(1);
    expect(stderr).toContain('GG7001');
    expect(stderr).toContain('SQLite does not tell Word from another field by its case');
  });

  test('must be there', async () => {
    vi.stubEnv('GG_SVC_STORE_URL', 'postgres://127.0.0.1:1/none');
    const { code, stderr } = await projectWith('title: String!', { urlFrom: 'GG_SVC_STORE_URL' }).migrate('status');
    vi.unstubAllEnvs();
    expect([code, stderr]).toEqual([1, expect.stringContaining('The database is not available. (')]);
  });
});
