import { buildASTSchema, GraphQLInputObjectType, type GraphQLObjectType, parse, validateSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { generateSchema } from '../../src/compiler/analyze.js';
import { restRoutes } from '../../src/compiler/api/rest-routes.js';
import { compile } from '../../src/compiler/compile.js';
import { schemaToOpenAPI } from '../../src/compiler/emit/openapi.js';
import { printTypeRef } from '../../src/compiler/graph/type-ref.js';
import { createGqlServer } from '../../src/runtime/server/service.js';

const source = "(root)-[:PROCESS]->(hello { text: 'Hello' })";

/** Compiled in the test that needs it: mutation testing counts what each test runs. */
function compiled() {
  const result = compile(source, { federation: true });
  if (!result.ok) throw new Error('the topology has errors');
  return result;
}

const types = {
  FederationIngressEndpoint: 'transport: String! url: String! priority: Int! region: String!',
  FederationWitnessHead:
    'witnessId: String! head: String! epoch: Int! issuedAt: String! issuer: String! digest: String!',
  FederationRouteHop: 'index: Int! chainId: ID! endpoint: String! witnessDigest: String!',
  FederationPathProof: 'scheme: String! seed: String! hopDigests: [String]! terminalDigest: String!',
  FederationRoute:
    'epoch: Int! fromChainId: ID! toChainId: ID! digest: String! expiresAt: String! signatureIssuer: String! signatureDigest: String! hops: [FederationRouteHop]!',
  FederationChain:
    'id: ID! chainId: ID! index: Int! ingressEndpoints: [FederationIngressEndpoint]! witnessHead: FederationWitnessHead! capabilities: [String]! expiresAt: String! signatureIssuer: String! signatureDigest: String!',
  FederationLookup:
    'destination: FederationChain! witness: FederationWitnessHead! pathProof: FederationPathProof! route: FederationRoute! expiresAt: String!',
  FederationSnapshot:
    'epoch: Int! generatedAt: String! index: Int! digest: String! mirrorCount: Int! recordCount: Int! revocationCount: Int! signer: String!',
};

/** The inputs as the model has them: every field optional, and output types where something is nested. */
const inputs = Object.fromEntries(
  Object.entries(types).map(([name, fields]) => [
    `${name}Input`,
    fields.replace(/!/g, '').replace(name === 'FederationChain' ? /^id: ID / : /^$/, ''),
  ]),
);

describe('the federation layer in the model', () => {
  const fieldsOf = (fields: readonly { name: string; type: Parameters<typeof printTypeRef>[0] }[]) =>
    fields.map(({ name, type }) => `${name}: ${printTypeRef(type)}`).join(' ');

  test.each(Object.entries(types))('the type %s has its fields in their order', (name, fields) => {
    const found = compiled().schema.objects.find((type) => type.name === name);
    expect(fieldsOf(found?.fields ?? [])).toBe(fields);
  });

  test.each(Object.entries(inputs))('%s refers to the output types of nested fields', (name, fields) => {
    const found = compiled().schema.inputs.find((type) => type.name === name);
    expect(fieldsOf(found?.fields ?? [])).toBe(fields);
  });

  test('the lists contain only these definitions', () => {
    const ours = (list: readonly { name: string }[]) =>
      list.map(({ name }) => name).filter((name) => name.startsWith('Federation'));
    const { schema } = compiled();
    expect(ours(schema.objects)).toEqual(Object.keys(types));
    for (const { name, description } of [...schema.objects, ...schema.inputs]) {
      if (name.startsWith('Federation')) expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
    }
    expect(ours(schema.inputs)).toEqual(Object.keys(inputs));
  });

  test('has three nullable queries with optional arguments, described', () => {
    const queries = compiled().schema.queries.filter(({ name }) => name.startsWith('federation'));
    for (const { kind, edges } of queries) expect({ kind, edges }).toEqual({ kind: 'query', edges: [] });
    const shown = queries.map(({ name, arguments: args, type, description }) => [
      `${name}(${args.map((argument) => `${argument.name}: ${printTypeRef(argument.type)}`).join(', ')}): ${printTypeRef(type)}`,
      description,
    ]);
    expect(shown).toEqual([
      [
        'federationChain(id: ID): FederationChain',
        'Resolves a chain federation record by chain id; returns FederationChain',
      ],
      [
        'federationLookup(from: ID, to: ID): FederationLookup',
        'Two-step lookup: route, witness and admissible path proof; returns FederationLookup',
      ],
      [
        'federationSnapshot(epoch: Int): FederationSnapshot',
        'Fetches signed federation index snapshot metadata; returns FederationSnapshot',
      ],
    ]);
  });

  test('is not in the projection of a topology alone', () => {
    expect(generateSchema(compiled().ast).queries.map(({ name }) => name)).toEqual(['hello']);
    expect(compile(source).schema.queries.map(({ name }) => name)).toEqual(['hello']);
  });
});

describe('the federation layer in the SDL', () => {
  const schemaOfSdl = () => buildASTSchema(parse(compiled().artifacts['schema.graphql']));

  test('is valid, and its inputs contain only inputs', () => {
    const sdl = schemaOfSdl();
    expect(validateSchema(sdl)).toEqual([]);
    const nested = (name: string): string[] => {
      const type = sdl.getType(name);
      if (!(type instanceof GraphQLInputObjectType)) throw new Error(`${name} is no input`);
      return Object.values(type.getFields()).map((field) => `${field.name}: ${field.type}`);
    };
    expect(nested('FederationRouteInput')).toContain('hops: [FederationRouteHopInput]');
    expect(nested('FederationChainInput')).toEqual([
      'chainId: ID',
      'index: Int',
      'ingressEndpoints: [FederationIngressEndpointInput]',
      'witnessHead: FederationWitnessHeadInput',
      'capabilities: [String]',
      'expiresAt: String',
      'signatureIssuer: String',
      'signatureDigest: String',
    ]);
    expect(nested('FederationLookupInput')).toEqual([
      'destination: FederationChainInput',
      'witness: FederationWitnessHeadInput',
      'pathProof: FederationPathProofInput',
      'route: FederationRouteInput',
      'expiresAt: String',
    ]);
  });

  test.each(Object.entries(types))('%s has the same fields as in the model', (name, fields) => {
    const type = schemaOfSdl().getType(name) as GraphQLObjectType;
    const found = Object.values(type.getFields()).map((field) => `${field.name}: ${field.type}`);
    expect(found.join(' ')).toBe(fields);
  });
});

describe('the federation layer in OpenAPI', () => {
  test('has three routes with their descriptions and results', () => {
    const { schema } = compiled();
    const document = schemaToOpenAPI(schema, 'Federation');
    const routes = restRoutes(schema).filter(({ path }) => path.startsWith('/api/federation'));
    const shown = routes.map(({ method, path }) => {
      const operation = document.paths?.[path]?.get;
      const ok = operation?.responses?.['200'] as {
        content: Record<string, { schema: { oneOf: unknown[] } }>;
      };
      return [`${method} ${path}`, operation?.summary, ok.content['application/json']?.schema.oneOf[0]];
    });
    expect(shown).toEqual([
      [
        'GET /api/federationChain',
        'Resolves a chain federation record by chain id; returns FederationChain',
        { $ref: '#/components/schemas/FederationChain' },
      ],
      [
        'GET /api/federationLookup',
        'Two-step lookup: route, witness and admissible path proof; returns FederationLookup',
        { $ref: '#/components/schemas/FederationLookup' },
      ],
      [
        'GET /api/federationSnapshot',
        'Fetches signed federation index snapshot metadata; returns FederationSnapshot',
        { $ref: '#/components/schemas/FederationSnapshot' },
      ],
    ]);
  });

  test('has inputs that refer to output types', () => {
    const document = schemaToOpenAPI(compiled().schema, 'Federation');
    const text = JSON.stringify(document.components?.schemas?.FederationRouteInput);
    expect(text).toContain('#/components/schemas/FederationRouteHop"');
    const chain = document.components?.schemas?.FederationChainInput as { properties: object };
    expect(Object.keys(chain.properties)).not.toContain('id');
    expect(JSON.stringify(chain)).toContain('#/components/schemas/FederationIngressEndpoint"');
    expect(JSON.stringify(chain)).toContain('#/components/schemas/FederationWitnessHead"');
    const lookup = JSON.stringify(document.components?.schemas?.FederationLookupInput);
    for (const name of ['Chain', 'WitnessHead', 'PathProof', 'Route']) {
      expect(lookup).toContain(`#/components/schemas/Federation${name}"`);
    }
  });
});

describe('a server without a source', () => {
  const topologies = [{ name: 'hello.gg', source }];

  test('answers null to every federation query', async () => {
    const server = createGqlServer({ topologies });
    const query = `{
      federationChain(id: "a") { id } federationLookup(from: "a", to: "b") { expiresAt }
      federationSnapshot { epoch }
    }`;
    const { data, errors } = await server.executeOperation({ query });
    expect(errors).toBeUndefined();
    expect({ ...data }).toEqual({ federationChain: null, federationLookup: null, federationSnapshot: null });
    for (const name of ['federationChain', 'federationLookup', 'federationSnapshot']) {
      const response = await server.fetch(new Request(`http://test.local/api/${name}`));
      expect([response.status, await response.json()]).toEqual([200, null]);
    }
  });

  test('has the layer in its SDL, its OpenAPI document and its collection', () => {
    const server = createGqlServer({ topologies });
    expect(server.exportGraphQL()).toContain('federationLookup(from: ID, to: ID): FederationLookup');
    expect(Object.keys(server.exportOpenAPI().paths ?? {})).toContain('/api/federationSnapshot');
    expect(JSON.stringify(server.exportCollection())).toContain('federationChain');
  });

  test('can omit the layer', () => {
    const server = createGqlServer({ topologies, federation: false });
    expect(server.schema.queries.map(({ name }) => name)).toEqual(['hello']);
  });
});
