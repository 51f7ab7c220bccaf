import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import { openApiMembers, schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import { serve } from '../../runtime/server/topology-server.js';
import { parcelExample } from './examples.js';
import { lintOpenAPI } from './redocly.js';
import { validator } from './validator.js';

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to find.
type Json = any;

function documentOf(source: string, openapi?: '3.1' | '3.2'): Json {
  const result = compile(source, { title: 'Orders', openapi });
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return JSON.parse(result.artifacts['openapi.json']);
}

const fold = '(order: Record { id: ID! })\n(order)-[:FOLD { operation: "place" }]->(placed: Record { id: ID! })\n';
const orders = `${fold}(placed)-[:FORK { id: ID }]->(order_placed: Event { id: ID! })`;
const namesOf = (parameters: Json[] = []) => parameters.map(({ name, $ref }) => name ?? $ref.split('/').pop());

describe('a stream in the OpenAPI document', () => {
  it('has its filters, its parameters and its problems', () => {
    const { get, ...others } = documentOf(orders).paths['/api/orderPlaced'];
    expect(others).toEqual({});
    expect(namesOf(get.parameters)).toEqual(['id', 'EventFields', 'After', 'LastEventId']);
    expect(Object.keys(get.responses)).toEqual(['200', '400', '500', 'default']);
    expect(get).toMatchObject({ operationId: 'orderPlaced', tags: ['subscription'] });
  });

  it('has the schema of its data with an extension in OpenAPI 3.1, and an item schema in 3.2', () => {
    const contentOf = (document: Json) =>
      document.paths['/api/orderPlaced'].get.responses[200].content['text/event-stream'];
    const [old, recent] = [documentOf(orders), documentOf(orders, '3.2')];
    expect([old.openapi, recent.openapi]).toEqual(['3.1.0', '3.2.0']);
    const { 'x-itemSchema': extension, ...data } = contentOf(old);
    expect(data).toEqual({ schema: { $ref: '#/components/schemas/OrderPlaced' }, example: { id: '1' } });
    expect(contentOf(recent)).toEqual({
      itemSchema: extension,
      examples: { event: { serializedValue: 'data: {"id":"1"}\n\n' } },
    });
    const same = ({ openapi: _, paths: { '/api/orderPlaced': __, ...paths }, ...document }: Json) => ({
      ...document,
      paths,
    });
    expect(same(recent)).toEqual(same(old));
  });

  it('describes the envelope of CloudEvents', () => {
    const document = JSON.parse(JSON.stringify(schemaToOpenAPI(compile(orders).schema, 'Orders', 'cloudevents')));
    const content = document.paths['/api/orderPlaced'].get.responses[200].content['text/event-stream'];
    const { contentSchema } = content['x-itemSchema'].oneOf[0].properties.data;
    expect(contentSchema.properties).toMatchObject({ type: { const: 'orderPlaced' }, data: {} });
    const at = '/x-itemSchema/oneOf/0/properties/data/contentSchema';
    const fits = validator(document)(`/paths/~1api~1orderPlaced/get/responses/200/content/text~1event-stream${at}`);
    expect(fits(content.example)).toBe(true);
    expect(content.schema.properties.data).toEqual({ $ref: '#/components/schemas/OrderPlaced' });
  });

  it('passes Redocly in both versions', () => {
    const sources = {
      orders,
      shared: `${orders}\n(root)-[:PROCESS { operation: "orderPlaced", returns: String }]->(order)`,
      scalar: `${fold}(placed)-[:FORK { returns: ID! }]->(order_placed: Event { id: ID! })`,
    };
    const documents = Object.entries(sources).flatMap(([name, source]) =>
      (['3.1', '3.2'] as const).map((version) => [`${name}-${version}`, documentOf(source, version)] as const),
    );
    const parcel = (['3.1', '3.2'] as const).map((openapi) => {
      const members = openApiMembers(parcelExample(), { title: 'Parcel', openapi });
      return [`parcel-${openapi}`, members.toObject()] as const;
    });
    const findingsOf = lintOpenAPI(Object.fromEntries([...documents, ...parcel]));
    const errors = Object.entries(findingsOf).flatMap(([name, findings]) =>
      findings.filter(({ severity }) => severity === 'error').map((finding) => ({ name, ...finding })),
    );
    expect(errors).toEqual([]);
  });

  it('describes the events of a server: results, narrowed ones, problems and the end', async () => {
    const source = `${fold}(placed)-[:FORK]->(order_placed: Event { id: ID!, note: String, total: Int! })`;
    const document = documentOf(source, '3.2');
    const schema = '/paths/~1api~1orderPlaced/get/responses/200/content/text~1event-stream/itemSchema';
    const itemSchema = validator(document)(schema);
    const server = serve(source, {
      resolvers: {
        Subscription: {
          orderPlaced: async function* () {
            yield { id: 1, total: 2 };
            yield { id: 2, total: 'many' };
          },
        },
      },
    });
    const variants = ['', '?fields=total'];
    for (const query of variants) {
      const response = await server.fetch(new Request(`http://a/api/orderPlaced${query}`));
      const events = (await response.text())
        .split('\n\n')
        .filter((text) => text.startsWith(':') === false && text !== '');
      expect(events.map((text) => /^event: (\w+)/.exec(text)?.[1])).toEqual([undefined, 'error', 'complete']);
      for (const [at, text] of events.entries()) {
        const item = Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
        expect(itemSchema(item), JSON.stringify(itemSchema.errors)).toBe(true);
        if (at === 2) continue;
        // Validators do not read texts, so that their schemas are checked apart.
        const branch = at === 0 ? `${schema}/oneOf/0` : '/components/schemas/Event.Error';
        const fits = validator(document)(`${branch}/properties/data/contentSchema`);
        expect(fits(JSON.parse(item.data)), `${item.data} ${JSON.stringify(fits.errors)}`).toBe(true);
      }
      expect(itemSchema({ event: 'other', data: '' })).toBe(false);
    }
  });

  it('omits parameters whose names are taken by filters', () => {
    const source = `${fold}(placed)-[:FORK { after: ID, fields: ID }]->(order_placed: Event { id: ID!, after: ID, fields: ID })`;
    const document = documentOf(source);
    expect(namesOf(document.paths['/api/orderPlaced'].get.parameters)).toEqual(['after', 'fields', 'LastEventId']);
    expect(Object.keys(document.components.parameters)).toEqual(['Fields', 'LastEventId']);
  });

  it('has a distinct operationId beside a mutation with its name', () => {
    const source = `${fold}(placed)-[:FORK { operation: "place" }]->(order_placed: Event { id: ID! })`;
    const { get, post } = documentOf(source).paths['/api/place'];
    expect([post.operationId, get.operationId]).toEqual(['place', 'getPlace']);
  });
});

describe('a stream with the path of a query', () => {
  const both = (query: string, stream: string) =>
    documentOf(
      `${fold}(placed)-[:FORK { operation: "orders"${stream} }]->(order_placed: Event { id: ID!, after: ID, state: String })\n` +
        `(root)-[:PROCESS { operation: "orders"${query} }]->(order)`,
    );

  it('is another content of the response, with optional parameters', () => {
    const document = both(', id: ID!', ', id: ID, state: String!');
    const { get } = document.paths['/api/orders'];
    expect(Object.keys(get.responses[200].content)).toEqual([
      'application/json',
      'application/vnd.gg.fields+json',
      'text/event-stream',
    ]);
    expect(namesOf(get.parameters)).toEqual(['id', 'Fields', 'state', 'After', 'LastEventId']);
    expect(get.parameters.map(({ required }: Json) => required === true)).toEqual([
      true,
      ...[false, false, false, false],
    ]);
    expect(get.parameters[2].description).toContain('For the event stream, which requires it.');
    expect(get.description).toContain('the events of the subscription `orders`');
    expect(Object.keys(document.components.parameters)).toEqual(['Fields', 'After', 'LastEventId']);
  });

  it('does not change the response of a query with another status', () => {
    const { get } = both(', status: 203', ', after: ID').paths['/api/orders'];
    expect(Object.keys(get.responses[203].content)).toContain('application/json');
    expect(Object.keys(get.responses[200].content)).toEqual(['text/event-stream']);
    expect(namesOf(get.parameters)).toEqual(['Fields', 'after', 'LastEventId']);
  });

  it('requires the access of either of them', () => {
    const securityOf = (query: string, stream: string) => {
      const { get } = both(query, stream).paths['/api/orders'];
      return [get.security, Object.keys(get.responses).filter((status) => status.startsWith('40'))];
    };
    expect(securityOf('', '')).toEqual([undefined, ['400']]);
    expect(securityOf('', ", scopes: ['a']")).toEqual([
      [{}, { bearer: ['a'] }],
      ['400', '401', '403'],
    ]);
    expect(securityOf(', auth: "required"', ', auth: "required"')).toEqual([[{ bearer: [] }], ['400', '401']]);
    expect(securityOf(', auth: "required"', '')).toEqual([
      [{ bearer: [] }, {}],
      ['400', '401'],
    ]);
  });
});
