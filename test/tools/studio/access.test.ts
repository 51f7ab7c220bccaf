import { describe, expect, test, vi } from 'vitest';
import { studioPaths } from '../../../src/tools/studio/protocol.js';
import { address, makeStudio, send, show } from './studios.js';

const paths = [...new Set([...Object.values(studioPaths), '/_gg', '/_gg/style.css', '/_gg/nosuch', '/_gg/api/nosuch'])];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const token = 'a token of the tests';
const json = { 'content-type': 'application/json' };

const policies = [
  'cache-control',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
];

function hello() {
  const studio = makeStudio();
  show(studio, "(root)-[:PROCESS]->(hello { text: 'Hello' })\n");
  return studio;
}

describe('a studio without a token', () => {
  const local = ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'];
  const names = ['127.0.0.1:4000', 'localhost:4000', 'localhost.', 'LOCALHOST', 'app.localhost:81', '[::1]:4000'];

  test('answers every connection from this machine, under each of its names', async () => {
    const studio = hello();
    for (const peer of local) {
      for (const name of names) {
        const response = await send(studio, `http://${name}/_gg/api/drawing`, { peer });
        expect([peer, name, response.status]).toEqual([peer, name, 200]);
      }
    }
  });

  test('rejects other connections on every path, with every method', async () => {
    const studio = hello();
    for (const peer of ['192.168.0.7', '10.0.0.1', '::ffff:10.0.0.1', 'fe80::1%eth0', '2001:db8::1', '', undefined]) {
      for (const path of paths) {
        for (const method of methods) {
          const request = new Request(address + path, { method, headers: json });
          const { status } = await studio.fetch(request, peer);
          expect([peer, path, method, status]).toEqual([peer, path, method, 403]);
        }
      }
    }
  });

  test('rejects names of other hosts, which could come from DNS rebinding', async () => {
    const studio = hello();
    const others = [
      'evil.example:4000',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'notlocalhost:4000',
      '128.0.0.1',
      '0.0.0.0:4000',
      '[::]:4000',
      '[::ffff:10.0.0.1]',
      '192.168.0.7:4000',
    ];
    for (const name of others) {
      for (const path of paths) {
        const { status } = await send(studio, `http://${name}${path}`);
        expect([name, path, status]).toEqual([name, path, 403]);
      }
    }
  });

  test('rejects requests that came through a proxy', async () => {
    const studio = hello();
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']) {
      const { status } = await send(studio, '/_gg/', { headers: { [name]: '127.0.0.1' } });
      expect([name, status]).toEqual([name, 403]);
    }
  });

  test('rejects requests from pages of other origins on every path of the page', async () => {
    const studio = hello();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:3000' },
      { origin: 'http://127.0.0.1:4001' },
      { origin: 'http://127.0.0.1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: address, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      for (const path of paths.filter((path) => path.startsWith('/_gg/api/'))) {
        for (const method of methods) {
          const { status } = await send(studio, path, { method, headers: { ...json, ...headers } });
          expect([headers, path, method, status]).toEqual([headers, path, method, 403]);
        }
      }
    }
  });

  test('answers its own page', async () => {
    const studio = hello();
    for (const headers of [{ origin: address, 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]) {
      expect((await send(studio, '/_gg/api/state', { headers })).status).toBe(200);
    }
  });
});

describe('every answer', () => {
  test('has the security policy of the page, and no stack trace', async () => {
    const studio = hello();
    for (const path of paths) {
      for (const method of methods) {
        const response = await send(studio, path, { method, headers: json });
        expect([path, method, policies.filter((name) => !response.headers.has(name))]).toEqual([path, method, []]);
        if (response.headers.get('content-type') === 'text/event-stream') await response.body?.cancel();
        else expect(await response.text()).not.toMatch(/\bat .*\.[jt]s:\d/);
      }
    }
  });

  test('allows neither inline scripts nor other addresses', async () => {
    const { headers } = await send(hello(), '/_gg/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  test('to a wrong method lists the allowed methods', async () => {
    const studio = hello();
    const refused = await send(studio, '/_gg/api/state', { method: 'DELETE' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const read = await send(studio, '/_gg/api/fix');
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('to a conditional request for an unchanged file is empty', async () => {
    const studio = hello();
    const first = await send(studio, '/_gg/');
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const etag = first.headers.get('etag') ?? '';
    const second = await send(studio, '/_gg/', { headers: { 'if-none-match': etag } });
    expect([second.status, await second.text()]).toEqual([304, '']);
    expect((await send(studio, '/_gg/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('comes only from the folder of the page', async () => {
    const studio = hello();
    for (const name of [
      '..%2f..%2fpackage.json',
      '%2e%2e/studio/index.html',
      '../../../package.json',
      'store.ts',
      'sub/index.html',
      'index.html%00.css',
      '.html',
      '__proto__',
      'a.__proto__',
      'nosuch.js',
    ]) {
      expect([name, (await send(studio, `/_gg/${name}`)).status]).toEqual([name, 404]);
    }
  });
});

describe('a studio with a token', () => {
  const from = (origin: string) => ({ peer: '203.0.113.9', origin });
  const form = (given: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: given }).toString(),
  });

  test('requires the token on every path except the sign-in page and its style', async () => {
    const studio = makeStudio({ token });
    for (const peer of ['203.0.113.9', '127.0.0.1']) {
      for (const path of paths) {
        const { status, headers } = await send(studio, path, { peer });
        const isOpen = path === studioPaths.signIn;
        const expected = path.startsWith('/_gg/api/') ? 401 : isOpen ? 200 : 303;
        if (path === '/_gg/style.css') expect([200, 404]).toContain(status);
        else expect([path, status]).toEqual([path, expected]);
        if (status === 303) expect(headers.get('location')).toBe('/_gg/sign-in');
      }
    }
  });

  test('sets a cookie for the token, which works for every address and name', async () => {
    const studio = makeStudio({ token });
    const { peer } = from('https://studio.example');
    const response = await send(studio, 'https://studio.example/_gg/sign-in', { ...form(token), peer });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/_gg/']);
    const given = response.headers.get('set-cookie') ?? '';
    expect(given).toMatch(/^gg-studio=[\w-]+; Path=\/_gg; HttpOnly; SameSite=Strict; Secure$/);
    expect(given).not.toContain(token);
    const cookie = `other=1; ${given.split(';')[0]}; more=2`;
    const state = await send(studio, 'https://studio.example/_gg/api/state', { headers: { cookie }, peer });
    expect(state.status).toBe(200);
    const again = makeStudio({ token });
    expect((await send(again, '/_gg/api/state', { headers: { cookie } })).status).toBe(200);
    const other = makeStudio({ token: `${token}2` });
    expect((await send(other, '/_gg/api/state', { headers: { cookie } })).status).toBe(401);
  });

  test('still rejects pages of other origins', async () => {
    const studio = makeStudio({ token });
    const { status } = await send(studio, '/_gg/sign-in', {
      ...form(token),
      headers: { ...form(token).headers, origin: 'https://evil.example' },
    });
    expect(status).toBe(403);
  });

  test('delays answers to wrong tokens, and limits their number', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const studio = makeStudio({ token });
      const wrong = ['', token.slice(1), `${token} `, token.toUpperCase(), 'x'.repeat(5000), '\u0000'];
      let answered = 0;
      const answers = [...wrong, 'a', 'b', 'c', 'd'].map(async (given) => {
        const response = await send(studio, '/_gg/sign-in', form(given));
        answered += 1;
        return response;
      });
      while (vi.getTimerCount() < answers.length) await new Promise(setImmediate);
      expect((await send(studio, '/_gg/sign-in', form('e'))).status).toBe(429);
      expect(answered).toBe(0);
      await vi.advanceTimersByTimeAsync(1_000);
      for (const response of await Promise.all(answers)) {
        expect(response.status).toBe(401);
        expect(response.headers.has('set-cookie')).toBe(false);
        expect(await response.text()).toContain('This is not the token.');
      }
      expect((await send(studio, '/_gg/sign-in', form(token))).status).toBe(303);
    } finally {
      vi.useRealTimers();
    }
  });

  test('rejects foreign cookies', async () => {
    const studio = makeStudio({ token });
    for (const cookie of ['gg-studio=', `gg-studio=${token}`, 'gg-studio', 'gg-studio=a=b', ';;=;', 'x'.repeat(5000)]) {
      expect((await send(studio, '/_gg/api/state', { headers: { cookie } })).status).toBe(401);
    }
  });
});
