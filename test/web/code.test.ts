import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { schemaToTypeScript } from '../../src/compiler/emit/typescript/typescript.js';
import { codeOf } from '../../web/try/code.js';
import { codeHeaders, credentialHeaders, readHeaders } from '../../web/try/credentials.js';
import { initialForm, requestOf } from '../../web/try/request.js';
import { strictest, typeCheck } from '../compiler/emit/typescript/type-check.js';
import { operations, schemas } from './examples.js';

const credentials = { secrets: { authorization: 'se cret', 'x-key': 'k' }, headers: "x-trace: it's" };
const context = { origin: 'http://localhost:4000', endpoint: '/graphql' };
const calls = operations.flatMap(([, schema, operation]) =>
  (operation.kind === 'subscription' ? ['graphql' as const] : ['rest' as const, 'graphql' as const]).map((protocol) => {
    const form = { ...initialForm(schema, operation), protocol };
    const headers = codeHeaders(schema, credentials);
    return {
      schema,
      request: requestOf(schema, operation, form, '/graphql'),
      headers: credentialHeaders(schema, credentials),
      codes: codeOf(schema, operation, form, { ...context, headers }),
    };
  }),
);
const options = { ...strictest, noPropertyAccessFromIndexSignature: false };
const textOf = (call: (typeof calls)[number], title: string) =>
  call.codes.find((code) => code.title === title)?.text ?? '';

test('generates commands that send the requests of the form', () => {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; printf '\\n\\0'; }\n${calls
    .map((call) => textOf(call, 'curl'))
    .join('\n')}`;
  const env = { TOKEN: 'se cret', API_KEY: 'k', PATH: process.env.PATH };
  const output = execFileSync('sh', ['-c', script], { encoding: 'utf8', env });
  const commands = output.split('\0\n\0').filter((command) => command !== '');
  expect(commands).toHaveLength(calls.length);
  for (const [at, { request, headers }] of calls.entries()) {
    const words = (commands[at] ?? '').split('\0');
    expect(words).toContain(`http://localhost:4000${request.url}`);
    for (const { name, value } of [...request.headers, ...headers]) expect(words).toContain(`${name}: ${value}`);
    if (request.body !== undefined) expect(words[words.indexOf('-d') + 1]).toBe(request.body);
    const method = words.includes('-X') ? words[words.indexOf('-X') + 1] : words.includes('-d') ? 'POST' : 'GET';
    expect(method).toBe(request.method);
  }
});

test.each(schemas)('generates TypeScript for %s that fits the generated types', (_, schema) => {
  const files = calls.filter((call) => call.schema === schema);
  const texts: Record<string, string> = { 'test/web/types.ts': schemaToTypeScript(schema, { only: 'rest' }) };
  for (const [at, call] of files.entries())
    texts[`test/web/call-${at}.ts`] = `export {};\n${textOf(call, 'TypeScript')}`;
  expect(typeCheck(Object.keys(texts), texts, options)).toEqual([]);
});

describe('credentials', () => {
  test('are not part of the code', () => {
    expect(JSON.stringify(calls.map(({ codes }) => codes))).not.toContain('se cret');
  });

  test.each([
    ['', []],
    ['a: b', [{ name: 'a', value: 'b' }]],
    [
      '  X-Trace:1\n\n b: c: d ',
      [
        { name: 'x-trace', value: '1' },
        { name: 'b', value: 'c: d' },
      ],
    ],
  ])('may be further headers: %j', (text, headers) => {
    expect(readHeaders(text)).toEqual({ headers });
  });

  test.each(['a', ': b', 'a b: c', 'ä: c', 'a: \u0100'])('are rejected if they are invalid headers: %j', (text) => {
    expect(readHeaders(text).problem).toBe(`“${text}” is not a header. Expected “name: value”.`);
  });
});
