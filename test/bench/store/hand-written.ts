import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { locations } from './database.js';

/** The statements that a careful programmer writes by hand: prepared once, and the nested ones return JSON. */
export interface HandWritten {
  authors(shelf: number): string | Promise<string>;
  books(): string | Promise<string>;
  book(id: string): unknown;
  /** In one transaction with its event. */
  addNote(text: string, stars: number): unknown;
}

export function onPostgres(): HandWritten {
  const pool = new pg.Pool({ connectionString: locations.PostgreSQL, max: 10 });
  const jsonText = { getTypeParser: () => (value: unknown) => value } as unknown as pg.CustomTypesConfig;
  const json = async (name: string, text: string, values: readonly unknown[]) => {
    const { rows } = await pool.query<{ data: string }>({ name, text, values: [...values], types: jsonText });
    return rows[0]?.data ?? '';
  };
  return {
    authors: (shelf) =>
      json(
        'authors',
        `select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'books', b.books)), '[]') as data
        from (select * from author where shelf = $1 order by id) a
        left join lateral (
          select coalesce(json_agg(json_build_object('id', b.id, 'title', b.title, 'reviews', r.reviews)), '[]') as books
          from (select * from book where "authorId" = a.id order by id) b
          left join lateral (
            select coalesce(json_agg(json_build_object('stars', r.stars, 'body', r.body)), '[]') as reviews
            from (select * from review where "bookId" = b.id order by id) r
          ) r on true
        ) b on true`,
        [shelf],
      ),
    books: () =>
      json(
        'books',
        `select json_agg(json_build_object('id', b.id, 'title', b.title, 'author', json_build_object('name', a.name))) as data
        from (select * from book order by id limit 1000) b join author a on a.id = b."authorId"`,
        [],
      ),
    async book(id) {
      const text = 'select id, title, "authorId" from book where id = $1';
      return (await pool.query({ name: 'book', text, values: [id] })).rows[0];
    },
    async addNote(note, stars) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const { rows } = await client.query({
          name: 'note',
          text: 'insert into note (id, text, stars) values ($1, $2, $3) returning id, text, stars',
          values: [randomUUID(), note, stars],
        });
        await client.query({
          name: 'event',
          text: 'insert into hand_outbox (payload) values ($1)',
          values: [JSON.stringify(rows[0])],
        });
        await client.query('commit');
        return rows[0];
      } finally {
        client.release();
      }
    },
  };
}

export function onSqlite(): HandWritten {
  // The other server deletes its published events while this one writes.
  const database = new DatabaseSync(locations.SQLite, { timeout: 5_000 });
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  const authors = database.prepare(`
    select coalesce(json_group_array(json_object('id', a.id, 'name', a.name, 'books', json((
      select json_group_array(json_object('id', b.id, 'title', b.title, 'reviews', json((
        select json_group_array(json_object('stars', r.stars, 'body', r.body))
        from (select * from review where bookId = b.id order by id) r
      )))) from (select * from book where authorId = a.id order by id) b
    )))), '[]') as data from (select * from author where shelf = ? order by id) a`);
  const books = database.prepare(`
    select json_group_array(json_object('id', b.id, 'title', b.title, 'author', json_object('name', a.name))) as data
    from (select * from book order by id limit 1000) b join author a on a.id = b.authorId`);
  const book = database.prepare('select id, title, authorId from book where id = ?');
  const note = database.prepare('insert into note (id, text, stars) values (?, ?, ?) returning id, text, stars');
  const event = database.prepare('insert into hand_outbox (payload) values (?)');
  const [begin, commit] = [database.prepare('begin immediate'), database.prepare('commit')];
  return {
    authors: (shelf) => authors.get(shelf)?.data as string,
    books: () => books.get()?.data as string,
    book: async (id) => book.get(id),
    async addNote(text, stars) {
      begin.run();
      const row = note.get(randomUUID(), text, stars);
      event.run(JSON.stringify(row));
      commit.run();
      return row;
    },
  };
}
