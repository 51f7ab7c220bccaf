import type { ExpectStatic } from 'vitest';
import type { Store } from '../../../../src/runtime/store/store.js';
import { serveRows } from './serve-rows.js';

/** Strings that programs mistake for something else. */
const strings = [
  '',
  ' ',
  "'",
  '"',
  '`',
  '\\',
  '\\\'; DROP TABLE "row"; --',
  "' OR '1'='1",
  '%',
  '_',
  '$1',
  '?',
  ':a',
  '{}',
  'null',
  'NULL',
  '0',
  '-1',
  '1e400',
  '\u200b',
  '\ufeff',
  '\u202e',
  '\uffff',
  'e\u0301',
  'é',
  'ß',
  'İ',
  '😀',
  '\n',
  '\r\n',
  '\t',
  '\u001b[31m',
  'x'.repeat(9_000),
];

/** Strings that no text of a database holds. */
const refused = ['\0', 'a\0b', '\ud800', '\udc00x'];

const words = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith'];

const source = `
(row_filter: Input {
${words.map((word) => `  /// @store ${word} text\n  ${word}: String,`).join('\n')}
})
(row: Stored { id: ID!, text: String! })
(root)-[:PROCESS { operation: 'rows', text: [String!], filter: RowFilter, returns: [Row!]! }]->(row)
`;

/** Each string through each filter, over GraphQL and REST. */
export async function checkFilters(store: Store, expect: ExpectStatic): Promise<void> {
  const row = strings.map((text, at) => ({ id: String(at).padStart(3, '0'), text }));
  const { ask, server } = await serveRows(source, { row }, {}, store);
  const query = 'query ($text: [String!], $filter: RowFilter) { rows(text: $text, filter: $filter) { text } }';
  const bytes = (text: string) => Buffer.from(text);
  const fits: Readonly<Record<string, (own: string, given: string) => boolean>> = {
    eq: (own, given) => own === given,
    ne: (own, given) => own !== given,
    lt: (own, given) => bytes(own).compare(bytes(given)) < 0,
    lte: (own, given) => bytes(own).compare(bytes(given)) <= 0,
    gt: (own, given) => bytes(own).compare(bytes(given)) > 0,
    gte: (own, given) => bytes(own).compare(bytes(given)) >= 0,
    contains: (own, given) => own.includes(given),
    startsWith: (own, given) => own.startsWith(given),
  };
  const rest = async (text: string) => {
    const url = `http://localhost/api/rows?${new URLSearchParams({ text })}`;
    const response = await server.fetch(new Request(url));
    return { status: response.status, body: (await response.json()) as unknown };
  };
  for (const given of strings) {
    for (const word of words) {
      const rows = strings.filter((own) => fits[word]?.(own, given)).map((text) => ({ text }));
      expect(await ask(query, { filter: { [word]: given } }), `${word} ${given}`).toEqual({ rows });
    }
    expect(await ask(query, { text: [given, 'nosuch'] })).toEqual({ rows: [{ text: given }] });
  }
  for (const given of refused) {
    for (const word of words)
      expect(await ask(query, { filter: { [word]: given } })).toMatchObject([{ 0: 'BAD_USER_INPUT' }]);
    expect(await ask(query, { text: [given] })).toMatchObject([{ 0: 'BAD_USER_INPUT' }]);
  }
  expect((await rest('\0')).status).toBe(400);
  expect(await rest("' OR '1'='1")).toMatchObject({ status: 200, body: [{ text: "' OR '1'='1" }] });
}
