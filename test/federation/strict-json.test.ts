import { describe, expect, test } from 'vitest';
import { checked } from '../../src/federation/refusal.js';
import { readJson, readStrictJson } from '../../src/federation/strict-json.js';

function readLoosely(bytes: Uint8Array, name: string): unknown {
  return readJson(bytes, name).value;
}

/** The message of the finding about a text, or its value. */
function read(text: string, reader = readStrictJson): unknown {
  const reading = checked(() => ({ value: reader(Buffer.from(text), 'a.json') }));
  if (reading.ok) return reading.value;
  expect(reading.problem.span).toEqual({ file: 'a.json', start: 0, end: 0 });
  return `${reading.problem.code} ${reading.problem.message}`;
}

describe('strict JSON', () => {
  test.each([
    'null',
    'true',
    'false',
    '0',
    '-1',
    '9007199254740991',
    '-9007199254740991',
    '"-0"',
    '"1.5"',
    '[]',
    '{}',
    '[1,-2,[3]]',
    '{"a":1,"b":[{"a":1},{"a":1}],"c":{"a":1}}',
    '{"a":"a","b":"a"}',
    '["a","a",{"a":["a","a"]}]',
    '{"a":[],"b":["b","b"]}',
    '{"a":"\\"a\\":","b":"a:"}',
    '{"a":["x"  ,"x"],"x":"b","b":[[]]}',
    '{"a\\\\":1,"a":2,"\\\\":3,"\\"":4}',
    ' \t\r\n{ "a"\t:\r\n[ 1 , "{" ] }\n',
  ])('parses %s like JSON.parse', (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });

  test.each([
    ['{"a":1,"a":1}', 'a', 7],
    ['{"a":1,"b":2,"\\u0061":3}', 'a', 13],
    ['{"b":{"a":1,"a":2}}', 'a', 12],
    ['[{"a":[{}],"a":2}]', 'a', 11],
    ['{"a" :1,"a"\t\r\n :2}', 'a', 8],
    ['{"a":"x","x":"a","a":1}', 'a', 17],
    ['{"":1,"":2}', '', 6],
    ['{"\\\\":1,"\\u005c":2}', '\\', 8],
    ['{"a":{"b":[]},"a":1}', 'a', 14],
    ['{"a":[{"b":1}],"a":1}', 'a', 15],
  ])('%s has the key %j twice: GG6004', (text, key, offset) => {
    expect(read(text)).toBe(`GG6004 Duplicate key ${JSON.stringify(key)} in one object (at character ${offset}).`);
  });

  test.each([
    ['[1,-0]', '-0', 3],
    ['-0', '-0', 0],
    ['{"a":1.0}', '1.0', 5],
    ['[ 1e2 ]', '1e2', 2],
    ['[1E+2]', '1E+2', 1],
    ['[10,9007199254740992]', '9007199254740992', 4],
    ['[0.1]', '0.1', 1],
    ['{"a":"1.0","b":1e-2}', '1e-2', 15],
    ['9.0', '9.0', 0],
  ])('%s has the unsafe number %s: GG6005', (text, number, offset) => {
    expect(read(text)).toBe(`GG6005 ${number} is not a safe integer (at character ${offset}).`);
  });
});

describe('the nesting', () => {
  const nested = (depth: number, inner = '') => `${'[{"a":'.repeat(depth / 2)}${inner || 1}${'}]'.repeat(depth / 2)}`;

  test('has at most 16 open levels', () => {
    const wide = `[${Array(40).fill('[{}]').join(',')}]`;
    for (const text of [nested(16), wide, nested(16, '"[[{{"'), nested(16, '"\\"[\\\\"')]) {
      expect(read(text)).toEqual(JSON.parse(text));
    }
    for (const inner of ['[]', '{}', '["\\\\",[]]']) {
      const text = nested(16, inner);
      expect(read(text)).toBe(
        `GG6003 The JSON is nested more than 16 levels deep (at character ${text.indexOf(inner)}).`,
      );
    }
  });

  test('ignores brackets in strings, even in unterminated ones', () => {
    expect(read(`["${'['.repeat(40)}`)).toMatch(/^GG6002 Invalid JSON/);
    expect(read(`["a\\"${'['.repeat(40)}`)).toMatch(/^GG6002 Invalid JSON/);
    expect(read(`["a\\\\"${'['.repeat(40)}`)).toMatch(/^GG6003 .*\(at character 21\)/);
  });
});

test('the parser message is one line', () => {
  const text = '{\n  "a":\n\n\tx\n}';
  const messageOf = (parse: () => unknown): string => {
    try {
      return String(parse());
    } catch (error) {
      return (error as SyntaxError).message;
    }
  };
  const words = messageOf(() => JSON.parse(text)).split(/\s+/);
  expect(words.length).toBeGreaterThan(5);
  expect(read(text)).toBe(`GG6002 Invalid JSON: ${words.join(' ')}.`);
});

test('bytes that are not UTF-8 are GG6002', () => {
  for (const reader of [readJson, readStrictJson]) {
    const reading = checked(() => ({ value: reader(Buffer.from([0x22, 0xff, 0x22]), 'a.json') }));
    expect(reading).toMatchObject({
      ok: false,
      problem: { message: 'Invalid JSON: it is not UTF-8.', span: { file: 'a.json', start: 0, end: 0 } },
    });
  }
});

test('without the strict checks, both spellings are accepted', () => {
  expect(read('{"a":1,"a":2.0}', readLoosely)).toEqual({ a: 2 });
});
