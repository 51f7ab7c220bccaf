import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeError } from '../../src/logs/describe-error.js';
import { redactText, secretsOf } from '../../src/logs/redact.js';

const request = (headers: Readonly<Record<string, string>>, query = '') => ({
  query,
  header: (name: string) => headers[name],
  headerNames: () => Object.keys(headers),
});

describe('a text that is not ours', () => {
  test.each([
    ['GET /x?access_token=abc123&b=1 failed', 'GET /x?access_token=[redacted]&b=1 failed'],
    ['api_key=abc123', 'api_key=[redacted]'],
    ['https://ada:hunter2@example.com/x', 'https://[redacted]@example.com/x'],
    ['authorization: Bearer abc.def.ghi', 'authorization: [redacted]'],
    ['{"authorization":"Basic YTpi","a":1}', '{"authorization":"[redacted]","a":1}'],
    ['Cookie: sid=abc; other=def', 'Cookie: [redacted]'],
    ['x-api-key: abc', 'x-api-key: [redacted]'],
    ['refused Bearer abcdef123', 'refused Bearer [redacted]'],
  ])('has no credentials: %s', (text, expected) => {
    expect(redactText(text, [])).toBe(expected);
  });

  test.each(['connect ECONNREFUSED 10.0.0.7:5432', 'duplicate key value', 'a bearer of news', 'tokens=3'])(
    'is not changed without them: %s',
    (text) => {
      expect(redactText(text, [])).toBe(text);
    },
  );

  test('is at most 8 KiB long, and has no part of a secret at its end', () => {
    for (let before = 8_180; before < 8_200; before++) {
      const text = redactText(`${'x'.repeat(before)}topsecretvalue`, ['topsecretvalue']);
      expect(text.length).toBeLessThan(8_300);
      expect(text).not.toContain('tops');
    }
  });
});

describe('the credentials of a request', () => {
  test('are headers, their parts, and query parameters, the longest first', () => {
    const basic = `Basic ${Buffer.from('ada:hunter2').toString('base64')}`;
    const found = secretsOf(
      request(
        { authorization: basic, cookie: 'sid=cookie-value', 'x-api-key': 'the-key', accept: 'text/html' },
        'a=visible&access_token=in%20url',
      ),
    );
    for (const secret of [basic, 'hunter2', 'ada:hunter2', 'cookie-value', 'the-key', 'in url']) {
      expect(found).toContain(secret);
    }
    expect(found).not.toContain('text/html');
    expect(found).not.toContain('visible');
    expect(found.map(({ length }) => length)).toEqual(
      found.map(({ length }) => length).toSorted((a, b) => b - a),
    );
  });

  test('occur in no text of an error, however the program has put them there', () => {
    const secret = fc.string({
      minLength: 8,
      maxLength: 40,
      unit: fc.constantFrom(...'abcdefghijkABC0123456789-_.~'),
    });
    fc.assert(
      fc.property(
        secret,
        fc.string(),
        fc.constantFrom('authorization', 'cookie', 'x-api-key'),
        (value, text, name) => {
          const given = { authorization: `Bearer ${value}`, cookie: `sid=${value}`, 'x-api-key': value }[
            name
          ] as string;
          const error = new Error(`${text}${value}${text}`, {
            cause: new AggregateError([new Error(value)], given),
          });
          Object.assign(error, { config: { headers: { [name]: given } }, code: value });
          const line = JSON.stringify(describeError(error, secretsOf(request({ [name]: given }))));
          expect(line).not.toContain(value);
        },
      ),
    );
  });
});

describe('an error in a line', () => {
  test('has its type, message, code, stack and causes, and no other properties', () => {
    const error = Object.assign(new TypeError('no', { cause: new Error('why') }), {
      code: 'E_NO',
      config: { key: 1 },
    });
    expect(describeError(error, [])).toEqual({
      type: 'TypeError',
      message: 'no',
      code: 'E_NO',
      stack: expect.stringContaining('TypeError: no'),
      cause: { type: 'Error', message: 'why', stack: expect.any(String) },
    });
  });

  test.each([
    ['a string', 'text', { type: 'string', message: 'text' }],
    ['undefined', undefined, { type: 'undefined', message: 'undefined' }],
    [
      'an object without a prototype',
      Object.create(null),
      { type: 'object', message: expect.stringContaining('cannot be printed') },
    ],
  ])('may be any value: %s', (_, thrown, expected) => {
    expect(describeError(thrown, [])).toEqual(expected);
  });

  test('may have a cycle of causes, and getters that throw', () => {
    const cyclic = new Error('cyclic');
    cyclic.cause = cyclic;
    expect(JSON.stringify(describeError(cyclic, [])).match(/cyclic/g)?.length).toBeGreaterThan(1);
    const hostile = Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('no message');
      },
    });
    expect(describeError(hostile, [])).toEqual({
      type: 'object',
      message: expect.stringContaining('cannot be printed'),
    });
  });
});
