import { buildSchema, parse, Source } from 'graphql';
import { beforeEach, expect, test, vi } from 'vitest';
import { createDocumentReader, type DocumentReader } from '../../../src/runtime/limits/document-reader.js';
import { keepDocuments } from '../../../src/runtime/limits/known-documents.js';
import { resolveLimits } from '../../../src/runtime/limits/limits.js';

let reader: DocumentReader;
let known: ReturnType<typeof keepDocuments>;
beforeEach(() => {
  const limits = resolveLimits({ tokens: 50 }, false);
  reader = createDocumentReader(buildSchema('type Query { a: Int }'), limits);
  vi.spyOn(reader, 'parse');
  vi.spyOn(reader, 'validate');
  known = keepDocuments(reader);
});

function read(text: string | Source) {
  const document = known.parse(text);
  return { document, errors: known.validate(document) };
}

test('parses and validates a valid document once', () => {
  const first = read('{ a }');
  expect(read('{ a }')).toEqual({ document: first.document, errors: [] });
  expect(read('{ a }').document).toBe(first.document);
  expect(known.find('{ a }')).toBe(first.document);
  expect(reader.parse).toHaveBeenCalledOnce();
  expect(reader.validate).toHaveBeenCalledOnce();
});

test('does not treat an invalid document as known, and keeps only the last few invalid documents', () => {
  expect(read('{ b }').errors).toHaveLength(1);
  expect(read('{ b }').errors).toHaveLength(1);
  expect(known.find('{ b }')).toBeUndefined();
  expect(reader.parse).toHaveBeenCalledTimes(1);
  expect(reader.validate).toHaveBeenCalledTimes(1);
  for (let at = 0; at < 16; at++) read(`{ c${at} }`);
  expect(read('{ b }').errors).toHaveLength(1);
  expect(reader.parse).toHaveBeenCalledTimes(18);
});

test('knows a document that an engine has parsed if gg-svc found it valid', () => {
  const document = parse('{ a }');
  known.keep('{ a }', document);
  expect(known.find('{ a }')).toBeUndefined();
  known.validate(document);
  known.keep('{ a }', document);
  known.keep('{ a }', document);
  expect(known.find('{ a }')).toBe(document);
});

test('rejects a document that cannot be parsed each time', () => {
  expect(() => known.parse('{')).toThrow('Syntax Error');
  expect(() => known.parse('{')).toThrow('Syntax Error');
  expect(reader.parse).toHaveBeenCalledTimes(1);
  expect(() => known.parse(`{ ${'a '.repeat(60)} }`)).toThrow('50 tokens');
});

test('does not know a document that was parsed but not validated', () => {
  known.parse('{ a }');
  expect(known.find('{ a }')).toBeUndefined();
});

test('does not keep long documents and named sources', () => {
  const long = `{ a } #${'x'.repeat(5_000)}`;
  read(long);
  expect(known.find(long)).toBeUndefined();
  expect(read(new Source('{ a }', 'named')).errors).toEqual([]);
  expect(known.find('{ a }')).toBeUndefined();
});

test('drops the least recently used document first', () => {
  for (let at = 0; at < 500; at++) read(`{ a${at}: a }`);
  read('{ a0: a }');
  read('{ a }');
  expect(known.find('{ a0: a }')).toBeDefined();
  expect(known.find('{ a1: a }')).toBeUndefined();
  expect(known.find('{ a2: a }')).toBeDefined();
});
