import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { checkAndLoad, run, startServer, workFolder } from './server.mjs';

const server = await startServer();
after(() => server.stop());

test('a client of openapi-typescript and openapi-fetch calls the server', async () => {
  const folder = await workFolder('openapi-fetch', server.origin);
  await run('openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'schema.ts'], folder);
  const { call } = await checkAndLoad(
    folder,
    `import createClient from 'openapi-fetch';
     import type { paths } from './schema';
     const whole = (name: string): string => name;
     export async function call(baseUrl: string) {
       const client = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl });
       const narrowing = createClient<paths, 'application/vnd.gg.fields+json'>({ baseUrl });
       const user = await client.GET('/api/readUser', { params: { query: { id: '1' } } });
       const saved = await client.POST('/api/saveUser', { body: { input: { id: '7', name: 'Grace' } } });
       // @ts-expect-error The argument is required.
       const missing = await client.GET('/api/readUser', { params: { query: {} } });
       // What the type requires is required of a whole answer, and of a narrowed one it is not.
       const name: string | undefined = user.data ? whole(user.data.name) : undefined;
       const few = await narrowing.GET('/api/readUser', { params: { query: { id: '1', fields: ['name'] } } });
       const narrowed: string | undefined = few.data?.name;
       return { name, narrowed, fields: few.data, saved: saved.data, status: missing.response.status, problem: missing.error?.detail };
     }`,
  );
  assert.deepEqual(await call(server.origin), {
    name: 'Ada',
    narrowed: 'Ada',
    fields: { name: 'Ada' },
    saved: { id: '7', name: 'Grace', email: null },
    status: 400,
    problem: '“id” is missing.',
  });
});
