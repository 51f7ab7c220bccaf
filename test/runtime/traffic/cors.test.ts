import { expect, test } from 'vitest';
import type { CorsOptions } from '../../../src/runtime/config/traffic-options.js';
import { createCors } from '../../../src/runtime/traffic/cors.js';

function accepts(origins: readonly string[], origin: string | undefined): boolean {
  return createCors({ origins }).accepts({ header: (name) => (name === 'origin' ? origin : undefined) });
}

test.each([
  ['https://app.example.com', 'https://app.example.com'],
  ['https://APP.Example.com', 'https://app.example.com'],
  ['https://app.example.com:443', 'https://app.example.com'],
  ['https://app.example.com/', 'https://app.example.com'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['capacitor://localhost', 'capacitor://localhost'],
  ['null', 'null'],
])('a server that allows %s accepts the origin %s', (listed, origin) => {
  expect(accepts([listed], origin)).toBe(true);
});

test.each([
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com.evil.example',
  'https://evil-app.example.com',
  'https://sub.app.example.com',
  'https://app.example.com, https://app.example.com',
  'https://app.example.com/',
  'null',
  '',
  '*',
  undefined,
])('a server that allows https://app.example.com rejects the origin %j', (origin) => {
  expect(accepts(['https://app.example.com'], origin)).toBe(false);
});

test.each<[string, unknown]>([
  ['cors must', null],
  ['cors must', 'https://app.example.com'],
  ['cors.origins must', {}],
  ['cors.origins must', { origins: [] }],
  ['cors.origins must', { origins: 'https://app.example.com' }],
  ['cors.origins must', { origins: ['*'] }],
  ['cors.origins must', { origins: ['app.example.com'] }],
  ['cors.origins must', { origins: ['https://app.example.com/path'] }],
  ['cors.origins must', { origins: ['https://*.example.com'] }],
  ['cors.origins must', { origins: ['https://user@app.example.com'] }],
  ['cors.origins must', { origins: ['https://app.example.com:99999'] }],
  ['cors.origins must', { origins: ['https://a\r\nset-cookie: b'] }],
  ['cors.origins must', { origins: [7] }],
  ['cors.credentials must', { origins: '*', credentials: true }],
  ['cors.credentials must', { origins: '*', credentials: 'no' }],
  ['cors.maxAge must', { origins: '*', maxAge: -1 }],
  ['cors.maxAge must', { origins: '*', maxAge: '1' }],
  ['cors.headers must', { origins: '*', headers: 'x-one' }],
  ['cors.exposedHeaders must', { origins: '*', exposedHeaders: ['x one'] }],
])('%s … of %j', (message, options) => {
  expect(() => createCors(options as CorsOptions)).toThrow(TypeError);
  expect(() => createCors(options as CorsOptions)).toThrow(message);
});
