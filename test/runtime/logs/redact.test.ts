import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiKeys, createGqlServer } from '../../../src/index.js';
import { describeError } from '../../../src/runtime/logs/describe-error.js';
import { redactText, secretsOf } from '../../../src/runtime/logs/redact.js';

const request = (headers: Readonly<Record<string, string>>, query = '') => ({
  query,
  header: (name: string) => headers[name],
  headerNames: () => Object.keys(headers),
});

describe('a logged text', () => {
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

  const credentialHeaders = [
    ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'api-key', 'apikey'],
    ...['x-auth-token', 'x-access-token', 'x-csrf-token', 'x-xsrf-token', 'x-amz-security-token', 'x-session-id'],
    ...['x-goog-api-key', 'x-goog-iap-jwt-assertion', 'cf-access-jwt-assertion', 'x-forwarded-access-token'],
    ...['ocp-apim-subscription-key', 'x-functions-key', 'x-hub-signature-256', 'x-ms-client-principal', 'dpop'],
    ...['x-vault-token', 'private-token', 'x-gitlab-token', 'x-shopify-access-token', 'x-client-secret'],
  ];

  test.each(credentialHeaders)('has no credentials of the header %s in any format', (name) => {
    for (const spelled of [name, name.toUpperCase(), name.replace(/\b\w/g, (one) => one.toUpperCase())]) {
      for (const dump of [
        `${spelled}: c0ffee42`,
        `failed with ${spelled}=c0ffee42 today`,
        JSON.stringify({ a: 1, [spelled]: 'c0ffee42', b: 2 }),
        `{ '${spelled}': 'c0ffee42', b: 2 }`,
        JSON.stringify(JSON.stringify({ [spelled]: 'c0ffee42' })),
      ])
        expect(redactText(dump, [])).not.toContain('c0ffee42');
    }
    expect(secretsOf(request({ [name]: 'c0ffee42' }))).toContain('c0ffee42');
  });

  test.each(['accept: c0ffee42', 'idempotency-key: c0ffee42', 'x-request-id: c0ffee42', 'primary key: c0ffee42'])(
    'keeps the values of other headers: %s',
    (text) => {
      expect(redactText(text, [])).toBe(text);
    },
  );

  test.each(['connect ECONNREFUSED 10.0.0.7:5432', 'duplicate key value', 'a bearer of news', 'tokens=3'])(
    'is not changed without credentials: %s',
    (text) => {
      expect(redactText(text, [])).toBe(text);
    },
  );

  test('has at most 8 KiB, without a part of a secret at its end', () => {
    for (let before = 8_180; before < 8_200; before++) {
      const text = redactText(`${'x'.repeat(before)}topsecretvalue`, ['topsecretvalue']);
      expect(text.length).toBeLessThan(8_300);
      expect(text).not.toContain('tops');
    }
  });
});

describe('the credentials of a request', () => {
  test('are headers, their parts and query parameters, the longest first', () => {
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
    expect(found.map(({ length }) => length)).toEqual(found.map(({ length }) => length).toSorted((a, b) => b - a));
  });

  test('include the headers that the server expects', async () => {
    const given = request({ 'x-partner': 'c0ffee42' });
    expect(secretsOf(given)).toEqual([]);
    createGqlServer({
      topologies: [{ name: 'a.gg', source: "(root)-[:PROCESS]->(a { text: 'a' })" }],
      authenticate: apiKeys({ header: 'X-Partner', lookup: () => null }),
    });
    expect(secretsOf(given)).toEqual(['c0ffee42']);
  });

  test('are removed from every text of an error', () => {
    const secret = fc.string({
      minLength: 8,
      maxLength: 40,
      unit: fc.constantFrom(...'abcdefghijkABC0123456789-_.~'),
    });
    fc.assert(
      fc.property(secret, fc.string(), fc.constantFrom('authorization', 'cookie', 'x-api-key'), (value, text, name) => {
        const given = { authorization: `Bearer ${value}`, cookie: `sid=${value}`, 'x-api-key': value }[name] as string;
        const error = new Error(`${text}${value}${text}`, {
          cause: new AggregateError([new Error(value)], given),
        });
        Object.assign(error, { config: { headers: { [name]: given } }, code: value });
        const line = JSON.stringify(describeError(error, secretsOf(request({ [name]: given }))));
        expect(line).not.toContain(value);
      }),
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
