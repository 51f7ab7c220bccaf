import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createGqlServer } from '../../../src/index.js';
import { hosts, type RunningHost } from '../../conformance/hosts.js';
import { connect, textOf } from '../mcp/connect.js';

const source = `
  (mood: Enum { values: [CALM, MERRY] })
  (state: Enum { values: [
    OPEN,
    /// @value in-progress
    IN_PROGRESS
  ] })
  (part: Input {
    name: String!,
    /// @minimum 1
    count: Int,
    /// @maxItems 1
    tags: [Int!],
    mood: Mood,
    inner: Part
  })
  (root)-[:FOLD { part: Part!, loud: Boolean, returns: String }]->(saved)
  (root)-[:PROCESS { text: String!, first: Int, states: [State!], deep: [Part], returns: String }]->(found)
  (root)-[:FORK { count: Int }]->(told: Event { count: Int })
`;

const running: RunningHost[] = [];
afterAll(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function serve(name: string): Promise<RunningHost> {
  const host = hosts.find((one) => one.name === name);
  if (host === undefined) throw new Error('There is no such host.');
  const server = await host.start({
    topologies: [{ name: 'a.gg', source }],
    resolvers: { Mutation: { saved: () => 'saved' } },
    mcp: { tools: 'operations' },
  });
  running.push(server);
  return server;
}

async function post({ ask }: RunningHost, path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' };
  const answer = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Body };
}

interface Listed {
  readonly code?: string;
  readonly parameter?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string; readonly code: string }[];
}
type Body = Omit<Listed, 'errors'> & {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Listed }[];
};

const document = 'mutation ($part: Part!, $loud: Boolean) { saved(part: $part, loud: $loud) }';

const part = fc.letrec<{ part: Record<string, unknown>; inner: unknown }>((tie) => ({
  inner: fc.option(tie('part'), { nil: undefined, depthSize: 'small' }),
  part: fc.record({
    name: fc.constantFrom('a', 5, null, undefined),
    count: fc.constantFrom(1, 0, 'x', 1.5, undefined),
    tags: fc.option(fc.array(fc.constantFrom<unknown>(1, 'x', null), { maxLength: 3 }), { nil: undefined }),
    mood: fc.constantFrom('CALM', 'SAD', 5, undefined),
    extra: fc.constantFrom(undefined, 1),
    inner: tie('inner'),
  }),
})).part;

describe.each(['Beta on Node', 'Alpha on Fastify'])('%s', (name) => {
  test('lists the same mistakes over REST, GraphQL and MCP', async () => {
    const server = await serve(name);
    const client = await connect(server.ask);
    const loud = fc.constantFrom(true, undefined, 'perhaps');
    await fc.assert(
      fc.asyncProperty(part, loud, async (given, loudness) => {
        const variables = JSON.parse(JSON.stringify({ part: given, loud: loudness })) as Record<string, unknown>;
        const rest = await post(server, '/api/saved', variables);
        const graphql = await post(server, '/graphql', { query: document, variables });
        const agent = await client.callTool({ name: 'saved', arguments: variables });
        expect(agent.isError === true).toBe(rest.status !== 200);
        if (rest.status === 200) {
          expect(graphql.body).toEqual({ data: { saved: 'saved' } });
          return;
        }
        const { errors, parameter } = rest.body as unknown as Listed;
        expect(graphql.body.errors?.[0]?.extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          parameter,
          errors,
        });
        const [detail, members] = textOf(agent).split('\n');
        expect(detail).toContain(errors?.[0]?.detail);
        if (errors !== undefined && errors.length > 1)
          expect((JSON.parse(members as string) as Listed).errors).toEqual(errors);
      }),
      { numRuns: 40 },
    );
  });

  const told = async (query: string, variables: unknown) => {
    const server = running.at(-1) ?? (await serve(name));
    const { body } = await post(server, '/graphql', { query, variables });
    return body.errors?.map(({ extensions }) => extensions?.errors?.map(({ pointer, code }) => `${pointer} ${code}`));
  };

  test('reads literals, defaults and omitted variables as graphql-js does', async () => {
    const query = `query ($text: String = "x", $first: Int!, $states: [State!], $count: Int, $parts: [Part!], $one: Part) {
      found(text: $text, first: $first, states: $states, deep: [{ name: "a", count: 0 }, { name: $text, count: $count }])
      again: found(text: "x", first: 1, deep: $parts)
      found(text: $text, first: $first, states: $states, deep: [{ name: "a", count: 0 }, { name: $text, count: $count }])
      more: found(text: $text, deep: [$one])
    }`;
    expect(await told(query, { first: 'x', states: 'IN_PROGRESS', parts: { name: 'a', tags: ['x'] } })).toEqual([
      ['#/found/first INVALID_ARGUMENT', '#/found/deep/0/count BAD_USER_INPUT', '#/again/deep/tags/0 INVALID_ARGUMENT'],
      undefined,
    ]);
  });

  test('lists values that break constraints beside a literal', async () => {
    const query = 'mutation ($loud: Boolean) { saved(part: { name: "a", count: 0 }, loud: $loud) }';
    expect(await told(query, { loud: 'x' })).toEqual([['#/loud INVALID_ARGUMENT', '#/part/count BAD_USER_INPUT']]);
  });

  test('has at most 100 mistakes', async () => {
    const parts = Array.from({ length: 120 }, () => ({ name: 5 }));
    const query = 'query ($parts: [Part!]) { a: found(text: "x", deep: $parts) b: found(text: "x", deep: $parts) }';
    const [first] = (await told(query, { parts })) ?? [];
    expect(first).toHaveLength(100);
  });

  test('leaves errors of variables that no operation takes', async () => {
    expect(await told('query ($on: Boolean!) { found(text: "x") @include(if: $on) }', { on: 5 })).toEqual([undefined]);
    expect(await told('query ($on: Boolean!) { __typename @include(if: $on) }', { on: 5 })).toEqual([undefined]);
  });
});

test('lists the mistakes of a subscription', async () => {
  const { subscribe } = createGqlServer({ topologies: [{ name: 'a.gg', source }] });
  const query = 'subscription ($count: Int) { told(count: $count) { count } }';
  expect(await subscribe({ query, variables: { count: 'x' } })).toMatchObject({
    errors: [{ extensions: { parameter: 'count', errors: [{ pointer: '#/count', code: 'INVALID_ARGUMENT' }] } }],
  });
});
