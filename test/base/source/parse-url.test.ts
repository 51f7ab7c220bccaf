import { expect, test } from 'vitest';
import { parseUrl } from '../../../src/base/source/parse-url.js';

const hrefOf = (text: string, base?: string) => parseUrl(text, base)?.href;

test('parses a URL, alone or against a base, and returns undefined for anything else', () => {
  expect(hrefOf('https://example.com/a.gg')).toBe('https://example.com/a.gg');
  expect(hrefOf('../b.gg', 'https://example.com/c/a.gg')).toBe('https://example.com/b.gg');
  for (const text of ['', 'b.gg', 'https://', 'https://a b/']) expect(hrefOf(text)).toBeUndefined();
});

test('parses the same URL to the same result on every call', () => {
  const texts = ['https://bücher.example/', 'https://example.com/ÿ', 'https://example.com/€'];
  const first = texts.map((text) => hrefOf(text));
  for (let at = 0; at < 200_000; at++) parseUrl(`https://example.com/${at}`);
  expect(texts.map((text) => hrefOf(text))).toEqual(first);
  expect(first).toEqual([
    'https://xn--bcher-kva.example/',
    'https://example.com/%C3%BF',
    'https://example.com/%E2%82%AC',
  ]);
});
