import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestChain } from '../../../src/compiler/api/chains/chains.js';
import { compile } from '../../../src/compiler/compile.js';
import type { ArazzoDescription, ArazzoWorkflow } from '../../../src/compiler/emit/arazzo/format.js';
import { withReceiveSteps } from '../../../src/compiler/emit/arazzo/receive-steps.js';
import { schemaToWorkflows } from '../../../src/compiler/emit/arazzo.js';
import { runs } from '../../arbitraries/runs.js';
import { topologies } from '../../arbitraries/topology.js';
import { project } from '../schema/check.js';
import { lintArazzo } from './redocly.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const official = ajv.compile(
  JSON.parse(readFileSync(new URL('arazzo/arazzo-1.0.schema.json', import.meta.url), 'utf8')),
);

function arazzoOf(text: string): ArazzoDescription {
  return schemaToWorkflows(project(text).schema, 'Test') as ArazzoDescription;
}

function workflow(text: string, id: string): ArazzoWorkflow {
  const { workflows } = arazzoOf(text);
  return workflows.find(({ workflowId }) => workflowId === id) as ArazzoWorkflow;
}

/** The expressions that refer to nothing: inputs that are not declared, outputs that no earlier step has. */
function danglingReferences({ workflows }: ArazzoDescription): string[] {
  return workflows.flatMap(({ inputs, steps, outputs }) => {
    const known = new Set(Object.keys(inputs?.properties ?? {}).map((name) => `$inputs.${name}`));
    const dangling = (value: unknown): string[] =>
      [...JSON.stringify(value).matchAll(/\$(?:inputs|steps)\.[\w.]+/g)]
        .map(([text]) => text)
        .filter((text) => !known.has(text));
    const ofSteps = steps.flatMap((step) => {
      const { parameters = [], requestBody = {}, outputs: own = {}, successCriteria } = step;
      const found = dangling([parameters, requestBody, successCriteria, step['x-events'] ?? []]);
      for (const name of Object.keys(own)) known.add(`$steps.${step.stepId}.outputs.${name}`);
      return found;
    });
    return [...ofSteps, ...dangling(outputs ?? {})];
  });
}

const golden = new URL('../../../golden/', import.meta.url);

/** The documents of all golden cases, by the name of the case. */
function goldenDocuments() {
  const cases = readdirSync(golden).filter((name) =>
    readdirSync(new URL(`${name}/`, golden)).includes('workflows.arazzo.json'),
  );
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, golden), 'utf8')) as object;
  return Object.fromEntries(
    cases.map((name) => [
      name,
      {
        openapi: read(`${name}/openapi.json`),
        arazzo: read(`${name}/workflows.arazzo.json`),
        ...(existsSync(new URL(`${name}/asyncapi.json`, golden)) && {
          asyncapi: read(`${name}/asyncapi.json`),
        }),
      },
    ]),
  );
}

const shop = `
  (customer { id: ID!, name: String! })
  (order { id: ID!, buyer: Customer!, total: Int! })
  (sign_up: Input { name: String! })-[:FOLD { operation: 'signUp', returns: Customer }]->(customer)
  (basket: Input { buyerId: ID!, /// @minimum 1
    total: Int! })-[:FOLD { operation: 'placeOrder', returns: Order }]->(order)
  (shop)-[:PROCESS { id: ID! }]->(order)
  (order)-[:FORK { id: ID }]->(order_placed: Event { id: ID!, total: Int! })
`;

describe('the workflows of a topology', () => {
  it('fit the official schema and pass the linter for all golden cases', () => {
    const documents = goldenDocuments();
    expect(Object.keys(documents).length).toBeGreaterThan(40);
    for (const [name, { arazzo }] of Object.entries(documents)) {
      expect([name, official(arazzo) ? [] : official.errors]).toEqual([name, []]);
      expect([name, danglingReferences(arazzo as ArazzoDescription)]).toEqual([name, []]);
    }
    expect(Object.entries(lintArazzo(documents)).filter(([, findings]) => findings.length > 0)).toEqual([]);
  });

  it('have steps that receive events in Arazzo 1.1, and pass its linter for all golden cases', () => {
    const documents = Object.fromEntries(
      Object.entries(goldenDocuments()).map(([name, { arazzo, ...others }]) => {
        const made = withReceiveSteps(arazzo as ArazzoDescription);
        return [name, { ...others, arazzo: made }] as const;
      }),
    );
    expect(Object.entries(lintArazzo(documents)).filter(([, findings]) => findings.length > 0)).toEqual([]);
    const { arazzo } = documents['example-parcel'] as { arazzo: ReturnType<typeof withReceiveSteps> };
    expect([arazzo.arazzo, arazzo.sourceDescriptions.map(({ name }) => name)]).toEqual(['1.1.0', ['api', 'events']]);
    const steps = arazzo.workflows.find(({ workflowId }) => workflowId === 'shipment')?.steps;
    expect(steps?.map((step) => ('stepId' in step ? step.stepId : undefined))).toEqual([
      'signUp',
      'bookShipment',
      'bookShipment_shipmentBooked',
      'bookShipment_labelReady',
      'shipment',
    ]);
    expect(steps?.[1]).toMatchObject({
      operationId: '$sourceDescriptions.api.bookShipment',
      outputs: { event_id: '$response.body#/id' },
    });
    expect(steps?.[2]).toEqual({
      stepId: 'bookShipment_shipmentBooked',
      description: 'The event shipmentBooked follows. Subscribe to it before bookShipment.',
      channelPath: '{$sourceDescriptions.events.url}#/channels/shipmentBooked',
      action: 'receive',
      timeout: 10_000,
      successCriteria: [{ condition: '$message.payload#/id == $steps.bookShipment.outputs.event_id' }],
    });
    const silent = goldenDocuments()['language-chain'];
    expect(withReceiveSteps(silent?.arazzo as ArazzoDescription)).toEqual({
      ...silent?.arazzo,
      arazzo: '1.1.0',
    });
  });

  it('fit the official schema and have only valid references for random topologies', () => {
    fc.assert(
      fc.property(topologies({ maxNodes: 9, maxPipelines: 6 }), ({ text }) => {
        const { schema } = project(text);
        const arazzo = schemaToWorkflows(schema, 'Random');
        fc.pre(arazzo !== undefined);
        expect(official(arazzo) ? [] : official.errors).toEqual([]);
        expect(danglingReferences(arazzo)).toEqual([]);
        const ids = arazzo.workflows.map(({ workflowId }) => workflowId);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { steps } of arazzo.workflows)
          expect(new Set(steps.map(({ stepId }) => stepId)).size).toBe(steps.length);
        expect(schemaToWorkflows(project(text).schema, 'Random')).toEqual(arazzo);
      }),
      { numRuns: runs(100) },
    );
  });

  it('pass the linter for random topologies', () => {
    const documents = fc.sample(topologies({ maxNodes: 9, maxPipelines: 6 }), 20).flatMap(({ text }, at) => {
      const { artifacts } = compile({ name: 'random.gg', source: text }, { artifacts: 'all' });
      const arazzo = artifacts?.['workflows.arazzo.json'];
      if (arazzo === undefined) return [];
      const openapi = JSON.parse(artifacts?.['openapi.json'] ?? '') as object;
      return [[`random${at}`, { openapi, arazzo: JSON.parse(arazzo) as object }] as const];
    });
    expect(documents.length).toBeGreaterThan(5);
    expect(Object.values(lintArazzo(Object.fromEntries(documents))).flat()).toEqual([]);
  });

  it('are absent without queries and mutations, and omit the operations of layers', () => {
    expect(schemaToWorkflows(project('(a { id: ID! })').schema, 'Test')).toBeUndefined();
    const { artifacts } = compile('(shop)-[:PROCESS]->(order { id: ID! })', {
      federation: true,
      artifacts: 'all',
    });
    const { workflows } = JSON.parse(artifacts?.['workflows.arazzo.json'] ?? '') as ArazzoDescription;
    expect(workflows.map(({ workflowId }) => workflowId)).toEqual(['order']);
  });

  it('pass ids on, take other arguments as inputs with examples, and expect the events that follow', () => {
    const { steps, inputs, outputs, summary } = workflow(shop, 'order');
    expect(summary).toBe('Calls signUp, then placeOrder, then order.');
    expect(inputs?.properties).toEqual({
      input: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        default: { name: expect.any(String) },
      },
      input_total: { type: 'integer', minimum: 1, default: expect.any(Number) },
    });
    expect(steps[1]).toEqual({
      stepId: 'placeOrder',
      description: expect.any(String),
      operationId: 'placeOrder',
      requestBody: {
        contentType: 'application/json',
        payload: { input: { buyerId: '$steps.signUp.outputs.customerId', total: '$inputs.input_total' } },
      },
      successCriteria: [{ condition: '$statusCode == 200' }],
      outputs: { orderId: '$response.body#/id' },
      'x-events': [
        {
          subscription: 'orderPlaced',
          path: '/api/orderPlaced',
          schema: { $ref: './openapi.json#/components/schemas/OrderPlaced' },
          matches: { id: '$response.body#/id' },
        },
      ],
    });
    expect(steps[2]).toMatchObject({
      parameters: [{ name: 'id', in: 'query', value: '$steps.placeOrder.outputs.orderId' }],
      successCriteria: [
        { condition: '$statusCode == 200' },
        { condition: '$response.body#/id == $steps.placeOrder.outputs.orderId' },
      ],
    });
    expect(outputs).toEqual({ result: '$steps.order.outputs.result' });
  });

  it('filter an event by a value of the request, which is then a separate input', () => {
    const moved = (filter: string) => `
      (report: Input { courierId: ID!, floor: Int! })-[:FOLD]->(position { courierId: ID!, floor: Int! })
      (position)-[:FORK { ${filter} }]->(courier_moved: Event { courierId: ID!, floor: Int! })
    `;
    const { inputs, steps } = workflow(moved('courierId: ID'), 'position');
    expect(Object.keys(inputs?.properties ?? {})).toEqual(['input_courierId', 'input_floor']);
    expect(steps[0]?.['x-events']?.[0]).toMatchObject({
      parameters: [{ name: 'courierId', in: 'query', value: '$inputs.input_courierId' }],
      matches: { courierId: '$response.body#/courierId' },
    });
    expect(workflow(moved('courierId: ID!'), 'position').steps[0]?.['x-events']).toHaveLength(1);
    expect(workflow(moved('city: String!'), 'position').steps[0]).not.toHaveProperty('x-events');
  });

  it('send arguments of a query in the form that the server expects', () => {
    const { inputs, steps } = workflow(
      `(point: Input { x: Float!, y: Float! }) (shape: Input { at: Point!, tags: [String!] })
       (root)-[:PROCESS { near: Point, like: Shape, tags: [String!], on: Boolean = true, operation: 'find' }]->(hit { id: ID! })`,
      'find',
    );
    expect(steps[0]?.parameters?.map(({ name, value }) => [name, value])).toEqual([
      ['near[x]', '$inputs.near_x'],
      ['near[y]', '$inputs.near_y'],
      ['like', '$inputs.like'],
      ['tags', '$inputs.tags'],
      ['on', '$inputs.on'],
    ]);
    const { like, tags, on } = inputs?.properties ?? {};
    expect(JSON.parse(String(like?.default))).toMatchObject({ at: { x: expect.any(Number) } });
    expect(tags).toMatchObject({ type: 'array', items: { type: 'string' } });
    expect(on).toEqual({ type: 'boolean', default: true });
  });

  it('list all objects for their ids, without examples as filters', () => {
    const { steps } = workflow(
      `(author { id: ID!, name: String! }) (book { id: ID!, title: String! })
       (root)-[:PROCESS { operation: 'authors', bornAfter: Int, first: Int = 5, returns: [Author!]! }]->(author)
       (new_book: Input { title: String!, authorId: ID! })-[:FOLD { operation: 'addBook', returns: Book! }]->(book)`,
      'addBook',
    );
    expect(steps[0]?.parameters?.map(({ name }) => name)).toEqual(['first']);
    expect(steps[0]?.outputs).toEqual({ authorId: '$response.body#/0/id' });
  });

  it('take the credentials as an input, for the operations and events that require them', () => {
    const secured = `
      (root)-[:PROCESS { auth: 'required' }]->(secret { id: ID! })
      (root)-[:PROCESS { auth: 'optional' }]->(open { id: ID! })
      (input: Input { name: String! })-[:FOLD { auth: 'optional' }]->(made { id: ID! })
      (made)-[:FORK { auth: 'required' }]->(told: Event { id: ID! })
    `;
    const { inputs, steps } = workflow(secured, 'secret');
    expect(inputs?.required).toEqual(['token']);
    expect(steps[0]?.parameters).toEqual([{ name: 'Authorization', in: 'header', value: 'Bearer {$inputs.token}' }]);
    expect(workflow(secured, 'open')).not.toHaveProperty('inputs');
    const [made] = workflow(secured, 'made').steps;
    expect(made).not.toHaveProperty('parameters');
    expect(made?.['x-events']?.[0]?.parameters).toHaveLength(1);
  });

  it('take the beginning of idempotency keys as an input, for the operations that require them', () => {
    const keyed = `
      (form: Input { name: String! })-[:FOLD { idempotent: 'required' }]->(made { id: ID! })
      (sign: Input { madeId: ID! })-[:FOLD { idempotent: 'required' }]->(signed { id: ID! })
      (other: Input { name: String! })-[:FOLD]->(open { id: ID! })
    `;
    const { inputs, steps } = workflow(keyed, 'signed');
    expect(inputs?.required).toEqual(['idempotencyKey']);
    expect(steps.map(({ parameters }) => parameters)).toEqual(
      ['made', 'signed'].map((step) => [
        { name: 'Idempotency-Key', in: 'header', value: `{$inputs.idempotencyKey}-${step}` },
      ]),
    );
    expect(workflow(keyed, 'open').inputs).not.toHaveProperty('required');
  });

  it('have names that begin with a letter and are unique, whatever the names of operations', () => {
    const { workflows } = arazzoOf(`
      (_a { id: ID! }) (thing { id: ID! })
      (root)-[:PROCESS { operation: '_run', _of: Int }]->(_a)
      (root)-[:PROCESS { operation: 'x_run' }]->(_a)
      (root)-[:PROCESS { operation: 'do' }]->(thing)
      (it: Input { n: Int })-[:FOLD { operation: 'do' }]->(thing)
    `);
    const names = workflows.flatMap(({ workflowId, inputs, steps }) => [
      workflowId,
      ...steps.map(({ stepId }) => stepId),
      ...Object.keys(inputs?.properties ?? {}),
    ]);
    expect(names.filter((name) => !/^[A-Za-z]\w*$/.test(name))).toEqual([]);
    const ids = workflows.map(({ workflowId }) => workflowId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('x_run');
  });

  it('grow linearly, because a chain has a maximum length', () => {
    const line = (count: number) =>
      Array.from(
        { length: count },
        (_, at) =>
          `(t${at} { id: ID! }) (in${at}: Input { ${at === 0 ? 'n: Int' : `t${at - 1}Id: ID!`} })-[:FOLD { operation: 'make${at}', returns: T${at} }]->(t${at})`,
      ).join('\n');
    const [small, large] = [arazzoOf(line(100)), arazzoOf(line(200))];
    expect(JSON.stringify(large).length / JSON.stringify(small).length).toBeLessThan(2.2);
    expect(Math.max(...large.workflows.map(({ steps }) => steps.length))).toBe(longestChain);
    expect(large.workflows.some(({ description }) => description?.includes('More operations'))).toBe(true);
    expect(danglingReferences(large)).toEqual([]);
    expect(official(large)).toBe(true);
  });
});
