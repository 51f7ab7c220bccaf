import { buildSchema, printSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import type { GqlApiInfo } from '../../../src/compiler/schema/gql-schema.js';
import { ask, serve } from '../../runtime/server/topology-server.js';
import { lintOpenAPI } from './redocly.js';

const source = '(root)-[:PROCESS { id: ID! }]->(book { id: ID! })-[:FOLD]->(saved { id: ID! })';

const info: GqlApiInfo = {
  title: 'Bookstore',
  version: '2.1.0',
  description: 'Books & orders.',
  termsOfService: 'https://example.com/terms',
  contact: { name: 'Ada', email: 'ada@example.com' },
  license: { name: 'MIT', identifier: 'MIT' },
  servers: [{ url: 'https://api.bookstore.test', description: 'Production' }],
  tags: [
    { name: 'query', description: 'What one can ask.' },
    { name: 'orders', description: 'Buying.' },
  ],
};

describe('the metadata of the API', () => {
  const result = compile(source, { info });
  const artifacts = result.artifacts ?? { 'openapi.json': '', 'schema.graphql': '', 'collection.json': '' };

  test('is in the OpenAPI document', () => {
    const document = JSON.parse(artifacts['openapi.json']);
    const { servers, tags, ...rest } = info;
    expect(document.info).toEqual(rest);
    expect(document.servers).toEqual(servers);
    expect(document.tags).toEqual([
      { name: 'query', description: 'What one can ask.' },
      { name: 'mutation', description: 'Operations that change data.' },
      { name: 'orders', description: 'Buying.' },
    ]);
    const findings = lintOpenAPI({ described: document }).described ?? [];
    expect(findings.filter(({ rule }) => rule !== 'no-unused-components')).toEqual([]);
  });

  test('names and describes the collection', () => {
    const collection = JSON.parse(artifacts['collection.json']);
    expect(collection.info.name).toBe('Bookstore');
    expect(collection.info.description).toMatch(/^Books & orders\.\n\nEvery query/);
  });

  test('describes the schema in the SDL', () => {
    const sdl = artifacts['schema.graphql'];
    expect(sdl).toContain('"""Books & orders."""\nschema {\n  query: Query\n  mutation: Mutation\n}\n');
    const built = buildSchema(sdl);
    expect(built.description).toBe('Books & orders.');
    expect(buildSchema(printSchema(built)).description).toBe('Books & orders.');
  });

  test('is overridden by an explicit title, and keeps the defaults without one', () => {
    const named = compile(source, { info, title: 'Own', collectionName: 'Requests' }).artifacts;
    expect(JSON.parse(named?.['openapi.json'] ?? '').info.title).toBe('Own');
    expect(JSON.parse(named?.['collection.json'] ?? '').info.name).toBe('Requests');
    const plain = compile(source).artifacts;
    expect(JSON.parse(plain?.['openapi.json'] ?? '')).toMatchObject({
      info: { title: 'Topology API', version: '1.0.0' },
      servers: [{ url: '/' }],
    });
    expect(plain?.['schema.graphql']).not.toContain('schema {');
    expect(compile(source).schema).not.toHaveProperty('info');
  });

  test('is served, and introspection has the description', async () => {
    const server = serve(source, { info });
    expect(server.schema.info).toEqual(info);
    expect(server.exportOpenAPI().info.title).toBe('Bookstore');
    const page = (await ask(server, '/')).text;
    expect(page).toContain('<h1>Bookstore</h1>');
    expect(page).toContain('Books &amp; orders.');
    const { data } = await server.executeOperation({ query: '{ __schema { description } }' });
    expect(JSON.parse(JSON.stringify(data))).toEqual({ __schema: { description: 'Books & orders.' } });
  });
});
