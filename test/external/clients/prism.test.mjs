import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { firstMatch, startServer, workFolder } from './server.mjs';

const server = await startServer();
after(() => server.stop());

test('Prism finds every exchange as the OpenAPI document describes it', async (context) => {
  const folder = await workFolder('prism', server.origin);
  const program = fileURLToPath(new URL('node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));
  const port = 20_000 + (process.pid % 10_000);
  const args = [program, 'proxy', `${folder}openapi.json`, server.origin, '--errors', '--port', String(port)];
  const proxy = spawn(process.execPath, args);
  context.after(() => proxy.kill());
  await firstMatch(proxy, /Prism is listening/);

  const json = { 'content-type': 'application/json' };
  const post = (body) => ({ method: 'POST', headers: json, body: JSON.stringify(body) });
  const exchanges = [
    ['/api/readUser?id=1', {}, 200],
    ['/api/readUser?id=none', {}, 200],
    ['/api/scanResult?url=https%3A%2F%2Fexample.com', {}, 200],
    ['/api/saveUser', post({ input: { id: '5', name: 'Hedy' } }), 200],
    ['/api/saveUser', post({ input: null }), 200],
  ];
  for (const [path, init] of exchanges) {
    const direct = await fetch(server.origin + path, init);
    const proxied = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const text = await proxied.text();
    assert.equal(proxied.status, direct.status, `${path}: ${text}`);
    assert.equal(proxied.headers.get('sl-violations'), null, path);
  }
});
