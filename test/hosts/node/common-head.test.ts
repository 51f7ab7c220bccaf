import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { readCommonHead } from '../../../src/hosts/node/common-head.js';

const host = ['Host', 'example.com'];
const post = [...host, 'Content-Type', 'application/json', 'Content-Length', '10'];

function read(method: string, rawHeaders: readonly string[], more: object = {}) {
  return readCommonHead({ method, rawHeaders, httpVersionMajor: 1, ...more } as IncomingMessage, 100);
}

test('a GET without a body and a POST of JSON are of the common kind', () => {
  expect(read('GET', [...host, 'ACCEPT', '*/*', 'X-Four', 'x', 'Cookie', 'a'])).toEqual({
    method: 'GET',
    length: 0,
    accept: '*/*',
  });
  expect(read('POST', post)).toEqual({ method: 'POST', length: 10, accept: undefined });
  expect(read('GET', ['host', '[::1]:4000'])).toBeDefined();
});

test.each<[string, string, readonly string[], object?]>([
  ['another method', 'PUT', post],
  ['HTTP/2', 'GET', host, { httpVersionMajor: 2 }],
  ['no host', 'GET', []],
  ['a host that is none', 'GET', ['Host', '1.2.3.999']],
  ['a host with a path', 'GET', ['Host', 'a/b']],
  ['two hosts', 'GET', [...host, ...host]],
  ['two kinds of answer', 'GET', [...host, 'Accept', 'a/b', 'accept', 'c/d']],
  ['too many headers', 'GET', Array.from({ length: 402 }, () => 'x')],
  ['a GET with a body', 'GET', [...host, 'Content-Length', '0']],
  ['chunks', 'POST', [...post, 'Transfer-Encoding', 'chunked']],
  ['an encoding', 'POST', [...post, 'Content-Encoding', 'gzip']],
  ['two types', 'POST', [...post, 'content-type', 'text/plain']],
  ['two lengths', 'POST', [...post, 'content-length', '11']],
  ['another type', 'POST', [...host, 'Content-Type', 'text/plain', 'Content-Length', '10']],
  ['no length', 'POST', [...host, 'Content-Type', 'application/json']],
  ['no body', 'POST', [...host, 'Content-Type', 'application/json', 'Content-Length', '0']],
  ['a body beyond the limit', 'POST', [...host, 'Content-Type', 'application/json', 'Content-Length', '101']],
  ['a body that was read', 'POST', post, { readableDidRead: true }],
])('a request with %s is not', (_, method, headers, more) => {
  expect(read(method, headers, more)).toBeUndefined();
});

test('however many hosts are asked for, few are remembered', () => {
  for (let at = 0; at < 250; at++) expect(read('GET', ['Host', `h${at}.example`])).toBeDefined();
});
