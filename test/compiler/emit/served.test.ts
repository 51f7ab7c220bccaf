import { expect, test } from 'vitest';
import { createSourceFile } from '../../../src/base/source/source-file.js';
import { generateSchema } from '../../../src/compiler/analyze.js';
import type { CollectionItem, CollectionRequest } from '../../../src/compiler/emit/collection/format.js';
import { schemaToCollection } from '../../../src/compiler/emit/collection.js';
import { schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { parseTopology } from '../syntax/parse-topology.js';
import { validator } from './validator.js';

const origin = 'http://localhost:4000';

/** Constants all the way, so that the server answers by itself: unions, nesting, objects that hold each other. */
const source = `
(status: Enum { values: [ACTIVE, SUSPENDED] })
(user: Record { id: ID! = '7', name: 'Ada', status: Status! = ACTIVE, score: 0.5, tags: ['a', 'b'], team: Team! })
(team: Record { name: 'Core', lead: User, best: Winner })
(cache_user { id: '1', name: String = 'Ada', age: 36 })
(db_user { id: '2', name: 'Grace', age: Int = 85 })
(cache_user | db_user)-[:RACE]->(winner)
(root)-[:PROCESS { id: ID!, status: Status = ACTIVE, ids: [ID!], limit: Int = 20, exact: Boolean, ratio: Float }]->(user)
(root)-[:PROCESS { like: UserInput, pair: CacheUserInput }]->(team)
(root)-[:PROCESS]->(cache_user)
(root)-[:PROCESS]->(db_user)
(root)-[:PROCESS { after: String }]->(winner)
(root)-[:PROCESS { returns: [Team!]!, operation: 'teams' }]->(team)
(input_user { name: String!, status: Status })-[:FOLD]->(save_user { ok: true, count: 1 })
(input_user | team)-[:FOLD]->(join_team { ok: true })
`;

const file = createSourceFile('served.gg', source);
const schema = generateSchema(parseTopology([file]).value);
const openapi = schemaToOpenAPI(schema, 'Served');
const collection = schemaToCollection(schema, 'Served', origin);
const server = createGqlServer({ topologies: [{ name: 'served.gg', source }] });

/** What Newman would send before any request has handed an id on. */
function requestOf(item: CollectionItem, search = ''): Request {
  let text = JSON.stringify(item.request);
  for (const { key, value } of collection.variable) text = text.replaceAll(`{{${key}}}`, value);
  const { method, header, body, url } = JSON.parse(text) as CollectionRequest;
  const address = (typeof url === 'string' ? url : url.raw) + search;
  const headers = Object.fromEntries(header.map(({ key, value }) => [key, value]));
  if (body === undefined || body.mode === 'formdata') return new Request(address, { method, headers });
  const sent =
    body.mode === 'raw'
      ? body.raw
      : JSON.stringify({ query: body.graphql.query, variables: JSON.parse(body.graphql.variables) });
  return new Request(address, { method, headers, body: sent });
}

const [rest = [], graphql = []] = collection.item.map(({ item }) => item);

test.each(rest.map((item) => [`${item.request.method} ${item.name}`, item] as const))(
  'the answer to %s and its problem fit their schemas in the OpenAPI document',
  async (_, item) => {
    const compile = validator(openapi);
    const place = `/paths/~1api~1${item.name}/${item.request.method.toLowerCase()}/responses`;
    const answer = await server.fetch(requestOf(item));
    const body = await answer.json();
    const fits =
      answer.status === 200
        ? compile(`${place}/200/content/application~1json/schema`)
        : compile('/components/schemas/Problem');
    expect(fits(body), JSON.stringify([body, fits.errors])).toBe(true);
    // The one without a resolver or a constant says so; nothing else may fail.
    expect([200, 501]).toContain(answer.status);

    const wrong = await server.fetch(requestOf(item, `${typeof item.request.url === 'string' ? '?' : '&'}nonsense=1`));
    expect(wrong.status).toBe(400);
    const problem = compile('/components/schemas/Problem');
    expect(problem(await wrong.json()), JSON.stringify(problem.errors)).toBe(true);
  },
);

test('most of those answers are results', async () => {
  const statuses = await Promise.all(rest.map(async (item) => (await server.fetch(requestOf(item))).status));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(statuses.length / 2);
});

test.each(graphql.map((item) => [item.name, item] as const))(
  'the GraphQL request of %s gets the same result as REST',
  async (name, item) => {
    const answer = await server.fetch(requestOf(item));
    const { data, errors } = (await answer.json()) as {
      data?: Record<string, unknown> | null;
      errors?: { extensions?: { code?: string } }[];
    };
    const other = rest.find((candidate) => candidate.name === name) as CollectionItem;
    const restAnswer = await server.fetch(requestOf(other));
    if (errors === undefined) {
      expect(restAnswer.status).toBe(200);
      expect(data?.[name]).toEqual(await restAnswer.json());
    } else {
      expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['NOT_IMPLEMENTED']);
      expect(restAnswer.status).toBe(501);
    }
  },
);

test('narrowing by fields works exactly for the routes that document it', async () => {
  for (const item of rest) {
    const operation = openapi.paths?.[`/api/${item.name}`]?.[item.request.method === 'GET' ? 'get' : 'post'];
    const offered = JSON.stringify(operation?.parameters ?? []).includes('#/components/parameters/Fields');
    const search = `${typeof item.request.url === 'string' ? '?' : '&'}fields=__typename`;
    const { status } = await server.fetch(requestOf(item, search));
    expect(status === 400, item.name).toBe(!offered);
  }
});
