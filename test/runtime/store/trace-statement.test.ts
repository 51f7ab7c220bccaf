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
    'db.query.text': expect.stringMatching(/^select .*"title" from "book" .*= \? .*limit \?$/),
  });
  expect(JSON.stringify(attributes)).not.toContain('secret');
});
