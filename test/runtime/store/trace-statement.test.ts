import { expect, onTestFinished, test } from 'vitest';
import { startRecorder } from '../../base/tracing/recorder.js';
import { noSqlite } from './engines.js';
import { serveRows } from './read/serve-rows.js';

test.skipIf(noSqlite)('each statement is a span with its text, without the values', async () => {
  const source = `(book: Stored { id: ID!, title: String! })
(root)-[:PROCESS { operation: 'book', id: ID!, returns: Book }]->(book)`;
  const { ask, server } = await serveRows(source, { book: [{ id: 'secret', title: 'Emma' }] });
  onTestFinished(() => server.close());
  const recorder = startRecorder();
  onTestFinished(() => recorder.stop());
  expect(await ask('{ book(id: "secret") { title } }')).toEqual({ book: { title: 'Emma' } });
  expect(recorder.tree()).toBe('gg.operation\n  gg.resolve Query.book\n    gg.store');
  const { kind, attributes } = recorder.span('gg.store');
  expect(kind).toBe(2);
  expect(attributes).toEqual({
    'db.system.name': 'sqlite',
    'db.query.text': expect.stringMatching(/^select .*"title" from "book" .*= \? .*limit 1$/),
  });
  expect(JSON.stringify(attributes)).not.toContain('secret');
});

test.skipIf(noSqlite)('statements about events that wait have no span', async () => {
  const source = `(book: Stored { id: ID!, title: String! })
(book)-[:FOLD { operation: 'addBook', writes: 'insert', returns: Book! }]->(book)
(book)-[:FORK { operation: 'bookAdded' }]->(book)`;
  const recorder = startRecorder();
  onTestFinished(() => recorder.stop());
  const { ask, server, statements } = await serveRows(source, {});
  expect(await ask('mutation { addBook(input: { id: "1", title: "Emma" }) { id } }')).toEqual({
    addBook: { id: '1' },
  });
  await server.close();
  expect(statements.some((sql) => sql.startsWith('delete from "gg_svc_outbox"'))).toBe(true);
  expect(recorder.tree()).toMatch(/gg\.store/);
  const texts = recorder.spans().map(({ attributes }) => String(attributes['db.query.text']));
  expect(texts.filter((text) => text.startsWith('delete from "gg_svc_outbox"'))).toEqual([]);
});
