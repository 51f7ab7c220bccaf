import { expect, test } from 'vitest';
import { secretsOf } from '../../../src/runtime/logs/redact.js';
import { shownBody, shownHeaders } from '../../../src/tools/studio/redact-call.js';

const secret = 'Zx81-hunter-two';
const empty = { query: '', header: () => undefined, headerNames: () => [] };

const names = [
  'password',
  'newPassword',
  'token',
  'access_token',
  'refreshToken',
  'apiKey',
  'api_key',
  'client_secret',
  'id_token',
  'csrfToken',
  'tokenOfPageTokens_token',
  'pageTokenSecret',
  'homePage_access_token',
  'passphrase',
  'authorization',
  'privateKey',
  'awsCredential',
];

test.each(names)('removes the value of the member %s in JSON, in a document and in a form', (name) => {
  const quoted = [
    { [name]: secret },
    { input: { note: 'a', [name]: secret, last: 1 } },
    { query: `mutation { login(${name}: "${secret}", id: 1) { id } }` },
    { query: `mutation { login(input: { id: 1, ${name}: "a\\"${secret}" }) { id } }` },
  ];
  for (const body of quoted) {
    const shown = shownBody(JSON.stringify(body), [], 1_000);
    expect(shown).not.toContain(secret);
    expect(shown).toContain('[redacted]');
    expect(Object.keys(JSON.parse(shown))).toEqual(Object.keys(body));
  }
  expect(shownBody(`mutation { login(${name}: "${secret}") { id } }`, [], 1_000)).not.toContain(secret);
});

const places = [
  'pageToken',
  'nextPageToken',
  'next_page_token',
  'previousPageToken',
  'continuationToken',
  'paginationToken',
  'cursorToken',
  'nextSyncToken',
];

test.each(places)('keeps the value of the member %s', (name) => {
  for (const body of [
    { [name]: secret, first: 10 },
    { query: `{ books(${name}: "${secret}", first: 1) { ${name} } }` },
  ]) {
    const text = JSON.stringify(body);
    expect(shownBody(text, [], 1_000)).toBe(text);
  }
});

test('removes the credentials of the request from its bodies', () => {
  const source = {
    ...empty,
    header: (name: string) => (name === 'authorization' ? `Bearer ${secret}` : undefined),
    headerNames: () => ['authorization'],
  };
  expect(shownBody(`{"echo":"${secret}"}`, secretsOf(source), 1_000)).toBe('{"echo":"[redacted]"}');
  expect(shownHeaders(source, secretsOf(source))).toEqual({ authorization: '[redacted]' });
});

test('does not change other bodies', () => {
  for (const body of [
    '{"total": 1.50, "note":"a \\"quoted\\" text", "tokenCount": 12, "big":12345678901234567890}',
    '{ order(id: "1") { id total } }',
    '',
    'not json: at all',
  ]) {
    expect(shownBody(body, [], 1_000)).toBe(body);
  }
});
