import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGqlServer, type GqlServer } from '../../../src/index.js';
import { EventReader } from '../../conformance/event-reader.js';
import { connectTo, textOf } from '../mcp/connect.js';
import { subscribe } from '../server/subscriber.js';
import { ask, post } from '../server/topology-server.js';

const source = `${readFileSync('golden/language-enum-spellings/input.gg', 'utf8')}
  (item: Interface { state: State! })
  (bug { implements: [Item], state: State!, steps: Int! })
  (desk)-[:PROCESS { operation: 'items', returns: [Item!]! }]->(item)
  (desk)-[:PROCESS { operation: 'nextState', returns: State! }]->(task)
`;

let seen: unknown[];
let server: GqlServer;
beforeEach(() => {
  seen = [];
  const task = { id: '1', state: 'IN_PROGRESS', history: ['OPEN', 'DONE'], next: null };
  const query = (_: unknown, args: unknown) => {
    seen.push(args);
    return [task];
  };
  server = createGqlServer({
    topologies: [{ name: 'desk.gg', source }],
    mcp: { tools: 'operations' },
    federation: false,
    resolvers: {
      Query: {
        tasks: query,
        tasksIn: query,
        items: () => [{ __typename: 'Bug', state: 'DONE', steps: 2 }],
        nextState: () => 'IN_PROGRESS',
      },
      Mutation: {
        moveTask: (_: unknown, args: { readonly to: string }) => {
          seen.push(args);
          if (args.to === 'CLOSED') throw Object.assign(new Error('Busy.'), { name: 'Busy', state: 'IN_PROGRESS' });
          return { ...task, state: args.to };
        },
      },
    },
  });
});
afterEach(() => server.close());

const wireTask = { id: '1', state: 'in-progress', history: ['OPEN', "it's done"], next: null };
const names = { state: 'IN_PROGRESS', states: ['DONE', 'OPEN'], filter: { state: 'DONE' }, first: 2 };

describe('a value of an enum with another spelling', () => {
  test('is spelt so over REST, in the query string, the path, the body and answers', async () => {
    const filter = encodeURIComponent(JSON.stringify({ state: "it's done" }));
    const list = await ask(server, `/api/tasks?state=in-progress&states=it's+done&states=OPEN&filter=${filter}`);
    expect([list.status, list.body]).toEqual([200, [wireTask]]);
    expect(seen).toMatchObject([{ ...names, first: expect.anything() }]);
    const path = await ask(server, '/tasks/it%27s%20done?fields=state');
    expect(path.body).toEqual([{ state: 'in-progress' }]);
    const moved = await post(server, '/api/moveTask', { id: '1', to: "it's done" });
    expect(moved.body).toEqual({ ...wireTask, state: "it's done" });
    expect(seen.slice(1)).toEqual([{ state: 'DONE' }, { id: '1', to: 'DONE' }]);
    expect((await ask(server, '/api/nextState')).body).toBe('in-progress');
    expect((await ask(server, '/api/items')).body).toEqual([{ __typename: 'Bug', state: "it's done", steps: 2 }]);
  });

  test('has its name over GraphQL and for resolvers', async () => {
    const { body } = await post(server, '/graphql', {
      query:
        '{ tasks(state: IN_PROGRESS, states: [DONE, OPEN], filter: { state: DONE }) { edges { node { state } } } }',
    });
    expect(body).toEqual({ data: { tasks: { edges: [{ node: { state: 'IN_PROGRESS' } }] } } });
    expect(seen).toMatchObject([{ state: 'IN_PROGRESS', states: ['DONE', 'OPEN'] }]);
  });

  test('has its default, whatever the protocol', async () => {
    await ask(server, '/api/tasks');
    expect(seen).toMatchObject([{ state: 'IN_PROGRESS' }]);
  });

  test.each([
    ['/api/tasks?state=IN_PROGRESS', 'state'],
    ['/tasks/DONE', 'state'],
  ])('rejects the name over REST: %s', async (path, parameter) => {
    const { status, body } = await ask(server, path);
    expect([status, body.parameter]).toEqual([400, parameter]);
    expect(body.detail).toContain("must be one of OPEN, in-progress, it's done, CLOSED, not");
    expect(seen).toEqual([]);
  });

  test('is spelt so in declared errors', async () => {
    const { status, body } = await post(server, '/api/moveTask', { id: '1', to: 'CLOSED' });
    expect([status, body.code, body.state]).toEqual([409, 'BUSY', 'in-progress']);
    const query = 'mutation { moveTask(id: 1, to: CLOSED) { id } }';
    const graphql = await post(server, '/graphql', { query });
    expect(graphql.body.errors[0].extensions.state).toBe('IN_PROGRESS');
  });

  test('is spelt so in the events of REST, and has its name in those of GraphQL', async () => {
    const signal = AbortSignal.timeout(10_000);
    const stream = await server.fetch(
      new Request('http://test.local/api/taskMoved?state=in-progress', {
        headers: { accept: 'text/event-stream' },
        signal,
      }),
    );
    const reader = new EventReader(stream);
    const graphql = await subscribe(server, 'subscription { taskMoved(state: IN_PROGRESS) { state } }');
    await server.publish('taskMoved', { id: '1', state: 'OPEN' });
    await server.publish('taskMoved', { id: '2', state: 'IN_PROGRESS' });
    const event = await reader.next();
    expect(JSON.parse(event?.data ?? '')).toEqual({ id: '2', state: 'in-progress' });
    expect(await graphql.next()).toEqual({ data: { taskMoved: { state: 'IN_PROGRESS' } } });
    await graphql.stop();
    await reader.cancel();
  });

  test('is spelt so in the schemas, the arguments and the results of tools', async () => {
    const client = await connectTo(server);
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'moveTask');
    const validate = new Ajv2020({ strict: false }).compile(tool?.inputSchema ?? {});
    const args = { id: '1', to: 'in-progress', filter: { state: "it's done" } };
    expect(validate(args)).toBe(true);
    expect(validate({ id: '1', to: 'IN_PROGRESS' })).toBe(false);
    const moved = await client.callTool({ name: 'moveTask', arguments: args });
    expect(moved.structuredContent).toEqual({ moveTask: wireTask });
    expect(seen).toEqual([{ id: '1', to: 'IN_PROGRESS', filter: { state: 'DONE' } }]);
    const refused = await client.callTool({ name: 'moveTask', arguments: { id: '1', to: 'IN_PROGRESS' } });
    expect(textOf(refused)).toContain('“to” must be one of OPEN, in-progress');
    const failed = await client.callTool({ name: 'moveTask', arguments: { id: '1', to: 'CLOSED' } });
    expect(JSON.stringify(failed.structuredContent ?? textOf(failed))).toContain('in-progress');
    await client.close();
  });

  test('is spelt so in the events that agents read', async () => {
    const client = await connectTo(server);
    const uri = 'gg://events/taskMoved?state=in-progress';
    await client.readResource({ uri });
    await server.publish('taskMoved', { id: '2', state: 'IN_PROGRESS' });
    const { contents } = await client.readResource({ uri });
    const { events } = JSON.parse((contents[0] as { text: string }).text);
    expect(events).toMatchObject([{ data: { id: '2', state: 'in-progress' } }]);
    await client.close();
  });
});
