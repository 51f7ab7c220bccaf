import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, test } from 'vitest';
import type { Analysis } from '../../../src/compiler/analyze.js';
import { exampleArguments } from '../../../src/compiler/api/examples.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { analyzeTopologies } from '../../../src/runtime/load/analyze-topologies.js';
import type { Tool } from '../../../src/runtime/mcp/toolset/agent-tool.js';
import { createTools } from '../../../src/runtime/mcp/toolset/create-tools.js';
import { estimateTokens } from '../../../src/runtime/mcp/toolset/estimate-tokens.js';
import { runs } from '../../arbitraries/runs.js';
import { topologies } from '../../arbitraries/topology.js';
import { project } from '../../compiler/schema/check.js';

const { schema: parcel } = analyzeTopologies(['docs/examples/parcel/main.gg']) as Analysis;

function tokensOf(tools: readonly Tool[]): number {
  return countTokens(JSON.stringify(tools.map(({ definition }) => definition)));
}

function namesOf(schema: GqlSchema, mode: 'chains' | 'operations'): string[] {
  return createTools(schema, mode).map(({ definition }) => definition.name);
}

const shop = `
  /// Someone who buys.
  (customer { id: ID!, name: String! })
  (order { id: ID!, buyer: Customer!, total: Int! })
  (sign_up: Input { name: String! })-[:FOLD { returns: Customer }]->(signed_up)
  (basket: Input { buyerId: ID!, lines: [Line!]!, total: Int! = 5 })-[:FOLD { operation: 'placeOrder', returns: Order }]->(order)
  (line: Input { sku: String!, count: Int! })
  (shop)-[:PROCESS { id: ID! }]->(order)
  (shop)-[:FOLD { route: 'DELETE /orders/{id}', operation: 'dropOrder', id: ID!, returns: Order }]->(order)
  (note: Input { text: String! })-[:FOLD { operation: 'addNote', status: 201, returns: Order }]->(noted)
`;

/** The tool of a topology that runs an operation. */
function toolFor(schema: GqlSchema, operation: string, mode: 'chains' | 'operations' = 'chains'): Tool {
  const found = createTools(schema, mode).find(({ steps }) => steps.some(({ name }) => name === operation));
  if (found === undefined) throw new Error(`no tool runs ${operation}`);
  return found;
}

describe('the tools of chains', () => {
  it('are one for the queries, and one for each family of mutations that pass ids on', () => {
    expect(namesOf(project(shop).schema, 'chains')).toEqual(['read', 'signedUp_placeOrder_dropOrder', 'addNote']);
    expect(namesOf(parcel, 'chains')).toEqual([
      'read',
      'reportPosition',
      'bookShipment_and_4_more',
      'recordScan',
      'payInvoice',
      'planRoutes',
    ]);
  });

  it('take an id of an earlier step as optional, and name the step', () => {
    const { schema } = project(shop);
    const { properties } = toolFor(schema, 'placeOrder').definition.inputSchema as never as {
      properties: Record<string, never>;
    };
    expect(properties.placeOrder).toMatchObject({
      properties: {
        input: {
          properties: {
            buyerId: { type: 'string', description: 'Default: from signedUp.' },
            total: { type: 'integer', default: 5 },
          },
          required: ['lines'],
        },
      },
    });
  });

  it('require an id that only another tool returns', () => {
    const { inputSchema } = toolFor(project(shop).schema, 'order').definition;
    expect(inputSchema.properties).toMatchObject({
      order: { required: ['id'], properties: { id: { description: 'From placeOrder.' } } },
    });
  });

  it('describe a type that occurs twice once', () => {
    const { inputSchema } = toolFor(parcel, 'bookShipment').definition;
    expect(Object.keys(inputSchema.$defs as object)).toEqual(['AddressInput', 'MoneyInput']);
  });
});

describe('a family of 500 mutations', () => {
  const names = Array.from({ length: 499 }, (_, at) => `change${at}`);
  /** Each mutation takes an id of the first one, and an input type of its own. */
  const familyOf = (fields: number) => {
    const inputs = Array.from({ length: fields }, (_, at) => `field${at}: String!`).join(', ');
    return project(`
      (customer { id: ID!, name: String! })
      (form: Input { name: String! })-[:FOLD { operation: 'signUp', returns: Customer! }]->(customer)
      ${names.map((name, at) => `(input${at}: Input { ${inputs} })-[:FOLD { operation: '${name}', customerId: ID!, returns: Customer! }]->(done${at})`).join('\n')}
    `).schema;
  };

  test.each([1, 40])('is split into tools with bounded schemas: inputs of %i fields', (fields) => {
    const schema = familyOf(fields);
    const tools = createTools(schema, 'chains');
    const steps = tools.flatMap((tool) => tool.steps.map(({ name }) => name));
    expect(steps.sort()).toEqual(['signUp', ...names].sort());
    for (const { definition, steps: own } of tools) {
      expect(own.length).toBeLessThanOrEqual(40);
      expect(JSON.stringify(definition.inputSchema).length).toBeLessThanOrEqual(45_000);
    }
    expect(new Set(tools.map(({ definition }) => definition.name)).size).toBe(tools.length);
    // Tools are as large as they may be.
    expect(tools.length).toBeLessThanOrEqual(fields === 1 ? 13 : 40);
  });

  test('requires an id of a mutation of another of its tools', () => {
    const schema = familyOf(1);
    const argumentsOf = (operation: string) => {
      const { inputSchema } = toolFor(schema, operation).definition;
      return (inputSchema.properties as Record<string, unknown>)[operation];
    };
    expect(argumentsOf('change0')).toMatchObject({
      properties: { customerId: { description: 'Default: from signUp.' } },
    });
    expect(argumentsOf('change0')).toMatchObject({ required: ['input'] });
    expect(argumentsOf('change498')).toMatchObject({
      required: ['customerId', 'input'],
      properties: { customerId: { description: 'From signUp.' } },
    });
  });

  test('has the estimated number of tokens', () => {
    const tools = createTools(familyOf(40), 'chains');
    const counted = tokensOf(tools);
    expect(Math.abs(estimateTokens(tools) - counted) / counted).toBeLessThan(0.1);
  });
});

test.each([
  ['order', { readOnlyHint: true, openWorldHint: false }],
  ['addNote', { destructiveHint: false, openWorldHint: false }],
])('the hints of the tool of %s are those of its operations', (operation, hints) => {
  expect(toolFor(project(shop).schema, operation).definition.annotations).toEqual(hints);
});

test('a tool of a DELETE route is idempotent and destructive', () => {
  expect(toolFor(project(shop).schema, 'dropOrder', 'operations').definition.annotations).toEqual({
    idempotentHint: true,
    openWorldHint: false,
  });
});

test('the tools of operations are the queries and mutations, with the schemas of their results', () => {
  const { schema } = project(shop);
  expect(namesOf(schema, 'operations').sort()).toEqual(['addNote', 'dropOrder', 'order', 'placeOrder', 'signedUp']);
  expect(toolFor(schema, 'order', 'operations').definition.outputSchema).toMatchObject({
    properties: { order: {} },
    required: ['order'],
    $defs: { Order: {}, Customer: {} },
  });
});

test('on the parcel example, the tools of chains have at most a third of the tokens of one tool per endpoint', () => {
  const chains = tokensOf(createTools(parcel, 'chains'));
  const endpoints = tokensOf(createTools(parcel, 'operations'));
  expect(chains).toBeLessThanOrEqual(endpoints / 3);
  expect(chains).toBeLessThan(2_600);
});

test.each(['chains', 'operations', 'find'] as const)('docs/mcp.md has the numbers of the tools %s', (mode) => {
  const row = new RegExp(`^\\| \`${mode}\` \\| (\\d+) \\| about ([\\d,]+) \\|$`, 'm');
  const [, tools, tokens = ''] = row.exec(readFileSync('docs/mcp.md', 'utf8')) ?? [];
  const made = createTools(parcel, mode);
  expect([tools, tokens.replace(',', '')]).toEqual([
    String(made.length),
    String(Math.round(estimateTokens(made) / 10) * 10),
  ]);
});

test.each(['docs/examples/parcel/main.gg', 'docs/examples/service.gg', 'golden/GG3025-api-too-large/input.gg'])(
  'the estimate of the tokens of %s is within a tenth of what a tokenizer counts',
  (path) => {
    const { schema } = analyzeTopologies([path]) as Analysis;
    for (const mode of ['chains', 'operations'] as const) {
      const tools = createTools(schema, mode);
      const counted = tokensOf(tools);
      expect(Math.abs(estimateTokens(tools) - counted) / counted, mode).toBeLessThan(0.1);
    }
  },
);

test('on random topologies, each operation is in one tool, and its examples fit the input schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  fc.assert(
    fc.property(topologies({ maxNodes: 9, maxPipelines: 6 }), ({ text }) => {
      const { schema } = project(text);
      const all = [...schema.queries, ...schema.mutations].map(({ kind, name }) => `${kind} ${name}`).sort();
      for (const mode of ['chains', 'operations'] as const) {
        const tools = createTools(schema, mode);
        const names = tools.map(({ definition }) => definition.name);
        expect(new Set(names).size).toBe(names.length);
        expect(names.every((name) => /^[\w.-]{1,128}$/.test(name))).toBe(true);
        const steps = tools.flatMap((tool) => tool.steps.map((step) => ({ tool, step })));
        expect(steps.map(({ step: { operation } }) => `${operation.kind} ${operation.name}`).sort()).toEqual(all);
        expect(new Set(steps.map(({ step }) => step.name)).size).toBe(steps.length);
        for (const { tool, step } of steps) {
          const example = exampleArguments(schema, step.operation.arguments);
          const fits = ajv.compile(tool.definition.inputSchema);
          expect(fits(tool.isOneStep ? example : { [step.name]: example }), JSON.stringify(fits.errors)).toBe(true);
        }
      }
    }),
    { numRuns: runs(40) },
  );
});
