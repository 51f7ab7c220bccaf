import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createDocumentStore } from '../../../../src/runtime/hosts/alpha/alpha-server.js';

describe('the documents that Apollo keeps', () => {
  test('are returned again, and forgotten on request', async () => {
    const store = createDocumentStore();
    const document = parse('{ a }');
    await store.set('a', document);
    expect(await store.get('a')).toBe(document);
    await store.delete('a');
    expect(await store.get('a')).toBeUndefined();
  });

  test('are short, including comments and white space', async () => {
    const store = createDocumentStore();
    await store.set('long', parse(`# ${'x'.repeat(4_096)}\n{ a }`));
    expect(await store.get('long')).toBeUndefined();
  });

  test('are limited in number: the least recently used one is dropped first', async () => {
    const store = createDocumentStore();
    const document = parse('{ a }');
    for (let at = 0; at < 500; at++) await store.set(`${at}`, document);
    await store.get('0');
    await store.set('500', document);
    expect(await Promise.all(['0', '1', '2', '500'].map((key) => store.get(key)))).toEqual([
      document,
      undefined,
      document,
      document,
    ]);
  });
});
