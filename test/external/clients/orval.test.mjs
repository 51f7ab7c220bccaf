import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { checkAndLoad, run, startServer, workFolder } from './server.mjs';

const server = await startServer();
after(() => server.stop());

test('a client of orval calls the server', async () => {
  const folder = await workFolder('orval', server.origin);
  const output = { target: './client.ts', client: 'fetch', baseUrl: server.origin };
  const config = { api: { input: './openapi.json', output } };
  writeFileSync(`${folder}orval.config.cjs`, `module.exports = ${JSON.stringify(config)};`);
  await run('orval/dist/bin/orval.js', ['--config', 'orval.config.cjs'], folder);
  const { call } = await checkAndLoad(
    folder,
    `import { readUser, saveUser } from './client';
     export async function call() {
       const user = await readUser({ id: '1' });
       const saved = await saveUser({ input: { id: '9', name: 'Joan' } });
       return { status: user.status, user: user.data, saved: saved.data };
     }`,
  );
  const { status, user, saved } = await call();
  assert.equal(status, 200);
  assert.equal(user.name, 'Ada');
  assert.deepEqual(saved, { id: '9', name: 'Joan', email: null });
});
