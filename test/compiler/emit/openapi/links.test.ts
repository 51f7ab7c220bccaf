import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { follow, parsePointer } from '../../../../src/base/source/json-pointer.js';
import { compile } from '../../../../src/compiler/compile.js';
import { withoutUnusedSchemas } from '../../../../src/compiler/emit/openapi/used-schemas.js';
import { openApiMembers } from '../../../../src/compiler/emit/openapi.js';
import { unportableNames } from '../../../../src/compiler/emit/portable-names.js';
import type { GqlSchema } from '../../../../src/compiler/schema/gql-schema.js';
import { runs } from '../../../arbitraries/runs.js';
import { topologies } from '../../../arbitraries/topology.js';
import { ask, post, serve } from '../../../runtime/server/topology-server.js';
import { parcelExample } from '../examples.js';
import { lintOpenAPI } from '../redocly.js';

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to find.
type Json = any;

function documentOf(schema: GqlSchema, options = {}): Json {
  return JSON.parse(JSON.stringify(openApiMembers(schema, { title: 'A', ...options }).toObject()));
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Json[];
  readonly responses: Json;
}

function operationsOf({ paths }: Json): readonly Operation[] {
  return Object.values(paths as Json).flatMap((item) => Object.values(item as Json)) as Operation[];
}

/** The links of a document, with what each refers to. */
function linksOf(document: Json) {
  const operations = operationsOf(document);
  const byId = new Map(operations.map((one) => [one.operationId, one]));
  return operations.flatMap(({ responses }) =>
    Object.values(responses as Json).flatMap((response: Json) =>
      Object.entries((response.links ?? {}) as Json).map(([name, link]: [string, Json]) => ({
        name,
        parameters: link.parameters as Record<string, string>,
        target: byId.get(link.operationId),
        example: response.content?.['application/json']?.example,
      })),
    ),
  );
}

const pets = `(pet { id: ID!, name: String! })
(pet)-[:FOLD { operation: 'savePet' }]->(pet)
(root)-[:PROCESS { operation: 'pets', returns: [Pet!]! }]->(pet)
(root)-[:PROCESS { operation: 'pet', route: 'GET /pets/{id}', id: ID! }]->(pet)
(root)-[:PROCESS { operation: 'vaccines', petId: ID! }]->(vaccine { id: ID!, of: ID! })
(pet)-[:FORK]->(pet_saved { id: ID! })
`;

describe('the links of a response', () => {
  it('lead to the operations that take an id of it in a path or a query string', () => {
    const { paths } = documentOf(compile(pets).schema);
    expect(paths['/api/savePet'].post.responses[200].links).toEqual({
      pet: { operationId: 'pet', parameters: { id: '$response.body#/id' } },
      vaccines: { operationId: 'vaccines', parameters: { petId: '$response.body#/id' } },
    });
  });

  it('can be followed: the expressions are ids of the operations that they lead to', async () => {
    const server = serve(pets, {
      resolvers: {
        Query: {
          pet: (_root: unknown, { id }: { id: string }) => ({ id, name: `pet ${id}` }),
          vaccines: (_root: unknown, { petId }: { petId: string }) => ({ id: '1', of: petId }),
        },
        Mutation: { savePet: () => ({ id: '7', name: 'Rex' }) },
      },
    });
    const { links } = (await ask(server, '/openapi.json')).body.paths['/api/savePet'].post.responses[200];
    const { body } = await post(server, '/api/savePet', { input: { name: 'Rex' } });
    const idAt = (expression: string) => follow(body, parsePointer(expression.slice('$response.body#'.length)) ?? []);
    const id = idAt(links.pet.parameters.id);
    expect((await ask(server, `/pets/${id}`)).body.id).toBe('7');
    const petId = idAt(links.vaccines.parameters.petId);
    expect((await ask(server, `/api/vaccines?petId=${petId}`)).body.of).toBe('7');
  });

  it('name parameters of existing operations, and values of the examples of their responses', () => {
    const check = (schema: GqlSchema) => {
      for (const { target, parameters, example, name } of linksOf(documentOf(schema))) {
        expect(target?.operationId).toBe(name);
        for (const [parameter, expression] of Object.entries(parameters)) {
          expect(target?.parameters?.map((one) => one.name)).toContain(parameter);
          const pointer = parsePointer(expression.replace('$response.body#', '')) ?? [];
          expect(follow(example, pointer), expression).toBeDefined();
        }
      }
    };
    check(parcelExample());
    expect(linksOf(documentOf(parcelExample())).length).toBeGreaterThan(0);
    fc.assert(
      fc.property(topologies({ maxNodes: 7, maxPipelines: 6 }), ({ text }) => check(compile(text).schema)),
      { numRuns: runs(60) },
    );
  });
});

describe('an OpenAPI document', () => {
  it('without streams has no event streams, and their routes', () => {
    const { schema } = compile(pets);
    const document = documentOf(schema, { streams: false });
    expect(JSON.stringify(document)).not.toContain('event');
    expect(operationsOf(document).map(({ operationId }) => operationId)).toEqual([
      'pets',
      'pet',
      'vaccines',
      'savePet',
    ]);
  });

  it('without unused schemas has all that its paths refer to, and no other', () => {
    const check = (schema: GqlSchema) => {
      const document = documentOf(schema, { unusedSchemas: false });
      const text = JSON.stringify(document);
      const names = Object.keys(document.components.schemas);
      const referred = [...text.matchAll(/"#\/components\/schemas\/([\w.]+)"/g)].map(([, name]) => name as string);
      expect([...new Set(referred)].sort()).toEqual(names.toSorted());
      expect(withoutUnusedSchemas(document)).toEqual(document);
    };
    check(parcelExample());
    fc.assert(
      fc.property(topologies({ maxNodes: 7, maxPipelines: 6 }), ({ text }) => check(compile(text).schema)),
      { numRuns: runs(60) },
    );
    const all = Object.keys(documentOf(compile(pets).schema).components.schemas);
    expect(all).toContain('VaccineInput');
    const used = Object.keys(documentOf(compile(pets).schema, { unusedSchemas: false }).components.schemas);
    expect(used).not.toContain('VaccineInput');
  });

  it('passes Redocly with links, without streams and without unused schemas', () => {
    const { schema } = compile(pets);
    const findings = lintOpenAPI({
      pets: documentOf(schema),
      small: documentOf(schema, { streams: false, unusedSchemas: false }),
      parcel: documentOf(parcelExample(), { unusedSchemas: false }),
    });
    const errors = Object.values(findings).flatMap((list) => list.filter(({ severity }) => severity === 'error'));
    expect(errors).toEqual([]);
  });
});

describe('names that code generators cannot use', () => {
  const warnings = (text: string) => unportableNames(compile(text).schema).map(({ message }) => message);

  it.each([
    [
      '(file { id: ID! })(root)-[:PROCESS]->(file)',
      'hey-api cannot use the name File: its code uses a type of that name.',
    ],
    [
      '(url { id: ID! })(u_r_l { id: ID! })(root)-[:PROCESS]->(url)',
      'openapi-generator and openapi-python-client cannot use the name URL: it names the file of Url, too.',
    ],
    [
      '(sort: Enum { values: [NAME_ASC, name_asc] })(root)-[:PROCESS { by: Sort }]->(a { id: ID! })',
      'GraphQL Code Generator cannot use the name Sort.name_asc: it becomes the same member as NAME_ASC.',
    ],
  ])('are reported by generator: %s', (text, message) => {
    expect(warnings(text)).toContain(message);
  });

  it('do not exist in a usual topology', () => {
    expect(warnings(pets)).toEqual([]);
    expect(unportableNames(parcelExample())).toEqual([]);
  });
});
