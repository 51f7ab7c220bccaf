import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGqlServer, loadConfig } from 'gg-svc';
import resolvers from './service.resolvers.ts';
import type { Rest } from './service.types.ts';

const project = await loadConfig({ directory: import.meta.dirname });
const server = createGqlServer({ topologies: [], ...project?.serverOptions, resolvers });

test('GET /api/listTasks returns the tasks that are not done', async () => {
  const response = await server.fetch(new Request('http://localhost/api/listTasks?done=false'));
  assert.equal(response.status, 200);
  const tasks = (await response.json()) as Rest.Paths['/api/listTasks']['get']['answer'];
  assert.deepEqual(
    tasks.map(({ title }) => title),
    ['Try the API'],
  );
});

test('a task that is added can be finished', async () => {
  const run = async (query: string) => JSON.stringify((await server.executeOperation({ query })).data);
  assert.equal(
    await run('mutation { addTask(title: "Tea") { id done } }'),
    '{"addTask":{"id":"2","done":false}}',
  );
  assert.equal(await run('mutation { finishTask(id: "2") { done } }'), '{"finishTask":{"done":true}}');
});
