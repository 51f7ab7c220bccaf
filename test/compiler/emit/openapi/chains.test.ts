import { describe, expect, test } from 'vitest';
import { importDescription } from '../../../../src/analysis/import/import-description.js';
import { schemaToApiMap } from '../../../../src/analysis/provenance/api-map.js';
import { createSourceFile } from '../../../../src/base/source/source-file.js';
import { compile } from '../../../../src/compiler/compile.js';
import { schemaToCollection } from '../../../../src/compiler/emit/collection.js';
import { openApiMembers, schemaToOpenAPI } from '../../../../src/compiler/emit/openapi.js';
import { schemaToTypeScript } from '../../../../src/compiler/emit/typescript/typescript.js';
import { typeCheck } from '../typescript/type-check.js';

const source = `
  (customer { id: ID!, name: String! }) (order { id: ID!, total: Int! }) (card { id: ID! })
  (declined: Problem { status: 409 })
  /// The two ends.
  (parties: Input { customerId: ID!, city: String!, legs: [Leg!] })
  (leg: Input { customerId: ID!, km: Int! })
  (note: Input { orderId: ID! })
  (sign_up: Input { name: String! })-[:FOLD { operation: 'signUp', returns: Customer! }]->(customer)
  (customer)-[:FOLD { operation: 'placeOrder', parties: Parties!, idempotent: 'required', returns: Order! }]->(order)
  (order)-[:FOLD { operation: 'payOrder', note: Note!, returns: Card, throws: [Declined], chain: true,
    /// @deprecated Use orders.
    etag: true, old: Int, route: 'POST /pay' }]->(card)
  (customer)-[:PROCESS { operation: 'orders', customerId: ID!, page: 2, returns: [Order!], chain: true }]->(order)
  (root)-[:PROCESS { operation: 'pay', route: 'GET /pay', etag: true }]->(card)`;
const { schema, diagnostics } = compile({ name: 'shop.gg', source });

describe('a chain in the documents', () => {
  test('comes from a topology without findings', () => {
    expect(diagnostics).toEqual([]);
  });

  test('has inputs in OpenAPI whose handed-on ids are optional', () => {
    const { paths, components } = schemaToOpenAPI(schema, 'Shop');
    const post = paths?.['/api/chains/payOrder']?.post;
    expect(Object.keys(post?.responses ?? {})).toEqual(['200', '400', '409', '500', '501', 'default']);
    expect(post?.parameters).toEqual([{ $ref: '#/components/parameters/RequiredIdempotencyKey' }]);
    expect(components?.schemas?.['payOrder.ChainInputs']).toMatchObject({
      properties: {
        signUp: { required: ['input'] },
        placeOrder: {
          required: ['parties'],
          properties: { parties: { description: 'The two ends.', required: ['city'] } },
        },
        payOrder: { properties: { note: { properties: { orderId: {} } } } },
      },
      additionalProperties: false,
    });
    expect(JSON.stringify(components?.schemas?.['payOrder.ChainInputs'])).not.toContain('"required":["note"');
  });

  test('limits pages by the setting of the server', () => {
    const members = openApiMembers(schema, { title: 'Shop', pageSize: false }).toObject();
    const text = JSON.stringify((members as { components: unknown }).components);
    expect(text).toContain('orders.ChainInputs');
    expect(text.slice(text.indexOf('orders.ChainInputs'))).not.toContain('"maximum":1000');
  });

  test('has its place in the topology, and survives an import', () => {
    const openapi = schemaToOpenAPI(schema, 'Shop');
    const collection = schemaToCollection(schema, 'Shop', 'http://localhost:4000');
    const map = schemaToApiMap(schema, { openapi, collection });
    expect(map['openapi.json']['/paths/~1api~1chains~1payOrder']).toEqual(['shop.gg:10:3']);
    const again = importDescription(createSourceFile('openapi.json', JSON.stringify(openapi))).value?.text ?? '';
    const { schema: read } = compile(again);
    expect([...read.queries, ...read.mutations].filter(({ chain }) => chain).map(({ name }) => name)).toEqual([
      'orders',
      'payOrder',
    ]);
  });

  test('has types of its inputs and its results', () => {
    const types = 'test/compiler/emit/chains.types.ts';
    const user = 'test/compiler/emit/chains.user.ts';
    const text = `
import type { Rest } from './chains.types.js';
type Pay = Rest.Paths['/api/chains/payOrder']['post'];
export const body: Pay['body'] = {
  signUp: { input: { name: 'Ada' } },
  placeOrder: { parties: { city: 'Cologne', legs: [{ customerId: '1', km: 3 }] } },
};
export const given: Pay['body'] = { placeOrder: { parties: { customerId: '7', city: 'Cologne' } } };
// @ts-expect-error A city is missing.
export const wrong: Pay['body'] = { placeOrder: { parties: {} } };
export function totalOf({ steps }: Pay['answer']): number {
  return steps.reduce((sum, step) => sum + (step.operation === 'placeOrder' ? step.result.total : 0), 0);
}
type Orders = Rest.Paths['/api/chains/orders']['post'];
export const none: Orders['body'] = { orders: {} };
export function countOf({ steps: [, last] }: Orders['answer']): number {
  return last?.operation === 'orders' ? (last.result?.items.length ?? 0) : 0;
}
`;
    expect(typeCheck([types, user], { [types]: schemaToTypeScript(schema), [user]: text })).toEqual([]);
  });

  test('has the number of all items of a page that tells it in the types, and no others', () => {
    const of = (page: string) => schemaToTypeScript(compile(source.replace('page: 2', `page: ${page}`)).schema);
    expect(of("'2 totalCount'")).toContain(
      'readonly result: { readonly items: readonly Order[]; readonly after?: string; readonly totalCount?: number } | null }',
    );
    expect(of('2')).not.toContain('totalCount?:');
  });

  test('has a request in the collection, with a key for a step that requires one', () => {
    const { item } = schemaToCollection(schema, 'Shop', 'http://localhost:4000/graphql');
    const folder = item.find(({ name }) => name === 'Chains');
    const [, pay] = folder?.item ?? [];
    expect(pay?.request.header.map(({ key }) => key)).toEqual(['Accept', 'Content-Type', 'Idempotency-Key']);
    expect(JSON.parse(pay?.request.body?.mode === 'raw' ? pay.request.body.raw : '')).toEqual({
      signUp: { input: { name: 'Ada Lovelace' } },
      placeOrder: { parties: { city: 'London', legs: [{ km: 13 }] } },
      payOrder: { note: {}, old: 1 },
    });
  });

  test('answers 202 with a run if it is durable, in OpenAPI, the types and the collection', () => {
    const changed = source.replace(/chain: true,\n/, 'chain: true, durable: true,\n');
    const durable = compile({ name: 'shop.gg', source: changed }).schema;
    const openapi = schemaToOpenAPI(durable, 'Shop');
    const { paths, components } = openapi;
    const post = paths?.['/api/chains/payOrder']?.post;
    expect(Object.keys(post?.responses ?? {})).not.toContain('200');
    expect(post?.responses?.[202]).toMatchObject({ headers: { Location: {} } });
    expect(post?.parameters).toEqual([{ $ref: '#/components/parameters/RequiredIdempotencyKey' }]);
    const free = compile({ name: 'shop.gg', source: changed.replace("idempotent: 'required', ", '') }).schema;
    const [key, ...others] = schemaToOpenAPI(free, 'Shop').paths?.['/api/chains/payOrder']?.post?.parameters ?? [];
    expect(key).toMatchObject({ name: 'Idempotency-Key', in: 'header' });
    expect(key).not.toHaveProperty('required');
    expect(others).toEqual([]);
    expect(paths?.['/api/runs/{id}']?.get?.responses?.[200]).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/payOrder.Run' } } },
    });
    expect(Object.keys(paths?.['/api/runs/{id}/cancel']?.post?.responses ?? {})).toContain('409');
    expect(Object.keys(components?.schemas ?? {})).not.toContain('payOrder.Chain');
    const collection = schemaToCollection(durable, 'Shop', 'http://localhost:4000/graphql');
    const folder = collection.item.find(({ name }) => name === 'Chains');
    expect(folder?.item?.map(({ response }) => response?.[0]?.code)).toEqual([200, 202]);
    expect(JSON.stringify(folder)).toContain('oneOf([200, 202])');
    for (const [name, document] of Object.entries({ 'openapi.json': openapi, 'c.json': collection })) {
      const text = importDescription(createSourceFile(name, JSON.stringify(document))).value?.text ?? '';
      const found = compile(text).schema.mutations.filter((one) => one.durable);
      expect(found.map((one) => one.name)).toEqual(['payOrder']);
    }
    const types = 'test/compiler/emit/runs.types.ts';
    const user = 'test/compiler/emit/runs.user.ts';
    const text = `
import type { Rest } from './runs.types.js';
type Pay = Rest.Paths['/api/chains/payOrder']['post'];
export const id = (run: Pay['answer']): string => run.id;
export const isOver = (run: Rest.Paths['/api/runs/{id}']['get']['answer']): boolean =>
  run.chain === 'payOrder' && ['completed', 'failed', 'cancelled'].includes(run.state);
`;
    expect(typeCheck([types, user], { [types]: schemaToTypeScript(durable), [user]: text })).toEqual([]);
  });
});
