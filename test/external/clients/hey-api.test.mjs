import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { checkAndLoad, run, startServer, workFolder } from './server.mjs';

const server = await startServer();
after(() => server.stop());

test('a client of hey-api calls the server', async () => {
  const folder = await workFolder('hey-api', server.origin);
  await run('@hey-api/openapi-ts/bin/run.js', ['-i', 'openapi.json', '-o', 'client'], folder);
  const { call } = await checkAndLoad(
    folder,
    `import { readUser, saveUser } from './client';
     import { client } from './client/client.gen';
     export async function call(baseUrl: string) {
       client.setConfig({ baseUrl });
       const user = await readUser({ query: { id: '1' } });
       const saved = await saveUser({ body: { input: { id: '8', name: 'Mary' } } });
       const whole = (text: string): string => text;
       const name: string | undefined = user.data ? whole(user.data.name) : undefined;
       const few = await readUser({ query: { id: '1', fields: ['name'] } });
       return { name, fields: few.data, saved: saved.data };
     }`,
  );
  assert.deepEqual(await call(server.origin), {
    name: 'Ada',
    fields: { name: 'Ada' },
    saved: { id: '8', name: 'Mary', email: null },
  });
});
