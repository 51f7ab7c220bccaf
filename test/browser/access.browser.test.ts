import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../free-port.js';
import { expectFault, openPage, reboundName } from './browser.js';
import { startDev } from './dev-server.js';

const hello = { 'hello.gg': "(root)-[:PROCESS]->(hello { text: 'Hello' })" };
const apiPaths = ['state', 'drawing', 'messages', 'calls?coordinate=Query.hello'];

test('rejects a host name that an attacker points to this machine', async () => {
  const { origin } = await startDev(hello);
  const rebound = `http://${reboundName}:${new URL(origin).port}`;
  const page = await openPage(`${rebound}/openapi.json`);
  expectFault(page, /403|favicon/);
  const statuses = await page.evaluate(
    `Promise.all(${JSON.stringify(['/_gg', '/_gg/', ...apiPaths.map((path) => `/_gg/api/${path}`)])}
      .map((path) => fetch(path).then(({ status }) => status)))`,
  );
  expect(statuses).toEqual(Array(2 + apiPaths.length).fill(403));
});

test('prevents pages of other origins from reading the studio', async () => {
  const { origin } = await startDev(hello);
  const other = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>other'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const page = await openPage(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  expectFault(page, /^(?:request|console): /);
  const urls = ['/_gg/', ...apiPaths.map((path) => `/_gg/api/${path}`)].map((path) => origin + path);
  const read = await page.evaluate(
    `Promise.all(${JSON.stringify(urls)}.map((url) => fetch(url).then(() => url, () => 'refused')))`,
  );
  expect(read).toEqual(urls.map(() => 'refused'));
});

test('reconnects the page after its server was killed and restarted', async () => {
  const port = String(await freePort());
  const first = await startDev(hello, ['dev', 'hello.gg', '--port', port]);
  const page = await openPage(`${first.origin}/_gg/`);
  expectFault(page, /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/);
  const status = page.locator('header [role=status]');
  await page.getByRole('button', { name: /hello/ }).first().waitFor();
  const ended = once(first.process, 'exit');
  first.process.kill('SIGKILL');
  await ended;
  await expect.poll(() => status.textContent()).toBe('reconnecting …');
  await startDev({ 'hello.gg': `${hello['hello.gg']}\n(root)-[:PROCESS]->(later { text: 'Later' })` }, [
    'dev',
    'hello.gg',
    '--port',
    port,
  ]);
  await expect.poll(() => status.textContent()).toBe('connected');
  await page.getByRole('button', { name: /later/ }).first().waitFor();
});

test('stops a second server on the same port with the reason; the first one keeps its page', async () => {
  const { origin } = await startDev(hello);
  const page = await openPage(`${origin}/_gg/`);
  const second = startDev(hello, ['dev', 'hello.gg', '--port', new URL(origin).port]);
  await expect(second).rejects.toThrow(/GG5003/);
  await expect.poll(() => page.locator('header [role=status]').textContent()).toBe('connected');
});
