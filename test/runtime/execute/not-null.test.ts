import { afterAll, expect, test } from 'vitest';
import { createGqlServer } from '../../../src/index.js';
import { connectTo } from '../mcp/connect.js';

const source = `
  (address: Input {
    /// @notNull
    city: String
  })
  (change: Input {
    /// @notNull
    name: String,
    phone: String,
    /// @notNull
    tags: [String],
    address: Address
  })
  (patient { id: ID!, said(
    /// @notNull
    style: String
  ): String })
  (root)-[:FOLD { id: ID!, change: Change!, returns: String, route: 'PATCH /patients/{id}' }]->(change_patient)
  (root)-[:PROCESS {
    /// @notNull
    near: Address,
    returns: Patient
  }]->(patient)
`;
let ran = 0;
const server = createGqlServer({
  topologies: [{ name: 'a.gg', source }],
  mcp: { tools: 'operations' },
  resolvers: {
    Query: { patient: () => ({ id: '1' }) },
    Patient: { said: (_, { style }) => `said ${style}` },
    Mutation: {
      changePatient: (_, { change }) => {
        ran += 1;
        return JSON.stringify(change);
      },
    },
  },
});
afterAll(() => server.close());

const send = async (method: string, target: string, body?: object) => {
  const headers = { 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await server.fetch(new Request(`http://localhost${target}`, init));
  return { status: answer.status, body: await answer.text() };
};

test('an absent value and a null without the tag reach the resolver over REST', async () => {
  const { status, body } = await send('PATCH', '/patients/1', { change: { phone: null, tags: [null] } });
  expect([status, JSON.parse(JSON.parse(body))]).toEqual([200, { phone: null, tags: [null] }]);
});

test.each([
  [{ name: null }, 'change.name'],
  [{ tags: null }, 'change.tags'],
  [{ address: { city: null } }, 'change.address.city'],
])('%j is refused over REST, GraphQL and by tools', async (change, path) => {
  const before = ran;
  const detail = `“${path}” must not be null.`;
  const rest = await send('PATCH', '/patients/1', { change });
  expect([rest.status, JSON.parse(rest.body)]).toEqual([400, expect.objectContaining({ detail })]);
  const query = 'mutation ($change: Change!) { changePatient(id: "1", change: $change) }';
  const graphql = await send('POST', '/graphql', { query, variables: { change } });
  expect(JSON.parse(graphql.body).errors).toMatchObject([{ message: detail, extensions: { code: 'BAD_USER_INPUT' } }]);
  const client = await connectTo(server);
  const called = await client.callTool({ name: 'changePatient', arguments: { id: '1', change } });
  expect(JSON.stringify(called.content)).toContain(detail);
  await client.close();
  expect(ran).toBe(before);
});

test('null in the query string, and as an argument of a field, is refused', async () => {
  expect((await send('GET', '/api/patient?near[city]=a')).status).toBe(200);
  const argument = await send('POST', '/graphql', { query: '{ patient(near: null) { id } }' });
  expect(argument.body).toContain('“near” must not be null.');
  const field = await send('POST', '/graphql', { query: '{ patient { said(style: null) } }' });
  expect(field.body).toContain('“style” must not be null.');
  const left = await send('POST', '/graphql', { query: '{ patient { said } }' });
  expect(JSON.parse(left.body)).toEqual({ data: { patient: { said: 'said undefined' } } });
});
