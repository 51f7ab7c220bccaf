import { readdirSync, readFileSync } from 'node:fs';

import { Parser } from '@asyncapi/parser';
import { documentStructure } from '@asyncapi/parser/cjs/ruleset/functions/documentStructure.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, joinLayers } from '../../../src/compiler/analyze.js';
import { schemaToAsyncAPI } from '../../../src/compiler/emit/asyncapi.js';
import { emitAll } from '../../../src/compiler/emit/emitters.js';
import { federationFragment } from '../../../src/compiler/federation-fragment.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { runs } from '../../arbitraries/runs.js';
import { topologies } from '../../arbitraries/topology.js';
import { parcelExample } from './examples.js';
import { argument, object, schemaOf, type } from './fixtures.js';
import { asyncApiValidator } from './validator.js';

const options = { title: 'Events', collectionName: 'Events', baseUrl: 'http://localhost:4000' };

// Spectral keeps compiled schemas for a document. With one inventory for all documents, it compiles AsyncAPI's schema
// once instead of twice a document.
const inventory = {};
type Checked = Parameters<typeof documentStructure>;
const hasStructure = (value: Checked[0], settings: Checked[1], context: Checked[2]) =>
  documentStructure(value, settings, { ...context, documentInventory: inventory as never });
const structureRule = (resolved: boolean) => ({
  message: '{{error}}',
  severity: 'error' as const,
  resolved,
  given: '$',
  // biome-ignore lint/suspicious/noThenProperty: the name is Spectral's.
  then: { function: hasStructure, functionOptions: { resolved } },
});
const parser = new Parser({
  ruleset: {
    rules: {
      'asyncapi-document-resolved': structureRule(true),
      'asyncapi-document-unresolved': structureRule(false),
    },
  },
});

const golden = new URL('../../../golden/', import.meta.url);
const goldens = readdirSync(golden).flatMap((name): [string, string][] => {
  const files = readdirSync(new URL(name, golden));
  return files.includes('asyncapi.json')
    ? [[name, readFileSync(new URL(`${name}/asyncapi.json`, golden), 'utf8')]]
    : [];
});

function schemaFrom(text: string): GqlSchema {
  const { schema, diagnostics } = analyze({ name: 'events.gg', source: text });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return schema;
}

// biome-ignore lint/suspicious/noExplicitAny: the parts of a document are read at many depths.
type Part = any;

function documentOf(schema: GqlSchema, more: object = {}): Part {
  const document = schemaToAsyncAPI(schema, { ...options, ...more });
  return document === undefined ? undefined : JSON.parse(JSON.stringify(document));
}

/** All findings of the official parser, those of the least severity included. */
async function findingsOf(text: string): Promise<string[]> {
  const found = await parser.validate(text);
  return found.map(({ code, path, message }) => `${code} ${path.join('/')} ${message}`);
}

/** The examples of messages and query strings that do not fit their schemas. */
function misfits(document: object): string[] {
  const validate = asyncApiValidator(document);
  const found: string[] = [];
  const check = (pointer: string, value: unknown) => {
    const fits = validate(pointer);
    if (!fits(value)) found.push(`${pointer}: ${JSON.stringify(value)} ${JSON.stringify(fits.errors)}`);
  };
  const { channels, operations } = document as Part;
  for (const [key, { messages }] of Object.entries<Part>(channels)) {
    for (const [name, { examples = [] }] of Object.entries<Part>(messages))
      for (const { payload } of examples) check(`/channels/${key}/messages/${name}/payload`, payload);
  }
  for (const [key, { bindings }] of Object.entries<Part>(operations)) {
    for (const [name, { examples }] of Object.entries<Part>(bindings?.http?.query?.properties ?? {}))
      for (const value of examples ?? []) check(`/operations/${key}/bindings/http/query/properties/${name}`, value);
  }
  return found;
}

describe('the AsyncAPI document', () => {
  it('is absent without subscriptions and channels', () => {
    const schema = schemaFrom('(root)-[:PROCESS]->(hello { text: "Hello" })');
    expect(schemaToAsyncAPI(schema, options)).toBeUndefined();
    expect(emitAll(schema, options, ['asyncapi.json'])).toEqual({});
  });

  it('exists for each golden case with events, and for the examples', () => {
    const names = goldens.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['example-parcel', 'example-service', 'language-types']));
  });

  it.each([
    ['a wrong place', { operations: { spoken: { action: 'shout' } } }],
    ['a reference where there may be none', { info: { $ref: '#/components' } }],
  ])('has findings of the official parser for %s', async (_, wrong) => {
    const text = JSON.stringify({ ...documentOf(schemaFrom(secured)), ...wrong });
    expect((await findingsOf(text)).join('\n')).toMatch(/asyncapi-document-(?:un)?resolved/);
  });

  it.each(goldens)('of %s has no findings of the official parser', async (_, text) => {
    expect(await findingsOf(text)).toEqual([]);
  });

  it.each(goldens)('of %s has examples that fit their schemas', (_, text) => {
    expect(misfits(JSON.parse(text))).toEqual([]);
  });

  it.each(['bookstore/shop.gg', 'orders/orders.gg'])('of the example %s is valid', async (file) => {
    const source = readFileSync(new URL(`../../../docs/examples/${file}`, import.meta.url), 'utf8');
    const document = documentOf(schemaFrom(source));
    expect(Object.keys(document.channels).length).toBeGreaterThan(2);
    expect(misfits(document)).toEqual([]);
    expect(await findingsOf(JSON.stringify(document))).toEqual([]);
  });

  it('of random topologies has examples that fit their schemas, and only valid references', async () => {
    await fc.assert(
      fc.property(topologies({ maxNodes: 9, maxPipelines: 6 }), ({ text }) => {
        const document = documentOf(schemaFrom(text));
        if (document === undefined) return;
        expect(misfits(document)).toEqual([]);
        expect(danglingReferences(document)).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });

  it('of random topologies has no findings of the official parser', async () => {
    const texts = fc
      .sample(topologies({ maxNodes: 9, maxPipelines: 6 }), 25)
      .flatMap(({ text }) => emitAll(schemaFrom(text), options, ['asyncapi.json'])['asyncapi.json'] ?? []);
    for (const text of texts.slice(0, 5)) expect(await findingsOf(text)).toEqual([]);
  });

  it('has the same bytes in every run, with and without the federation layer', () => {
    const text = emitAll(parcelExample(), options, ['asyncapi.json']);
    expect(emitAll(parcelExample(), options, ['asyncapi.json'])).toEqual(text);
    const topology = analyze({ name: 'events.gg', source: secured });
    const joined = joinLayers(topology, [federationFragment]).schema;
    expect(joined.queries.length).toBeGreaterThan(topology.schema.queries.length);
    expect(documentOf(joined)).toEqual(documentOf(topology.schema));
  });

  it('has a channel for the stream of a subscription, and the operation that sends its events', () => {
    const { channels, operations } = documentOf(schemaFrom(secured));
    expect(channels.petSaved).toMatchObject({
      address: '/api/petSaved',
      servers: [{ $ref: '#/servers/server' }],
      messages: {
        event: { name: 'petSaved', title: 'PetSaved', payload: orNull('PetSaved') },
        error: { $ref: '#/components/messages/error' },
        complete: { $ref: '#/components/messages/complete' },
      },
    });
    expect(operations.petSaved).toMatchObject({
      action: 'send',
      channel: { $ref: '#/channels/petSaved' },
      bindings: { http: { method: 'GET', query: { properties: { kind: { examples: ['CAT'] } } } } },
    });
  });

  it('names the mutations that publish an event, with the file and the line of each edge', () => {
    const { description, 'x-topology': edges } = documentOf(schemaFrom(secured)).operations.petSaved;
    expect(description).toContain('Published by the mutations `savePet`, `renamePet`.');
    expect(edges).toEqual([
      { edge: 'FORK', from: ['pet'], to: 'pet_saved', file: 'events.gg', line: 5 },
      { edge: 'FOLD', from: ['root'], to: 'pet', file: 'events.gg', line: 3, mutation: 'savePet' },
      { edge: 'FOLD', from: ['root'], to: 'pet', file: 'events.gg', line: 4, mutation: 'renamePet' },
    ]);
  });

  it('names one mutation in the singular, and none without a mutation', () => {
    const text = (source: string) => documentOf(schemaFrom(source)).operations.b.description;
    expect(text('(root)-[:FOLD]->(a { id: ID })-[:FORK]->(b { id: ID })')).toContain('Published by the mutation `a`.');
    expect(text('(a { id: ID })-[:FORK]->(b { id: ID })')).not.toContain('Published');
  });

  it('has descriptions, deprecations, tags, constraints and examples', () => {
    const { channels, operations, components } = documentOf(schemaFrom(noted));
    expect(operations.petSaved.description).toMatch(/^A pet was saved\.\n\nDeprecated: use petKept/);
    expect(channels.petSaved.messages.event.deprecated).toBe(true);
    expect(channels.petSaved.messages.event.examples).toEqual([{ payload: { name: 'Tom', size: 10 } }]);
    const { name, size } = components.schemas.PetSaved.properties;
    expect(name).toMatchObject({ description: 'How it is called.', maxLength: 20, examples: ['Tom'] });
    expect(size).toMatchObject({ minimum: 7, deprecated: true });
    const filter = operations.petSaved.bindings.http.query.properties.name;
    expect(filter).toMatchObject({
      description: 'Only this pet.\n\nDeprecated: filter by id',
      deprecated: true,
    });
  });

  it('has the description of a tag if the metadata has one', () => {
    const info = {
      title: 'Pets',
      description: 'All about pets.',
      license: { name: 'MIT', identifier: 'MIT' },
      tags: [{ name: 'pets', description: 'What pets do.' }],
    };
    const schema = schemaFrom(noted);
    const subscriptions = schema.subscriptions.map((one) => ({ ...one, tags: ['pets', 'other'] }));
    const document = documentOf({ ...schema, subscriptions, info });
    expect(document.operations.petSaved.tags).toEqual([...info.tags, { name: 'other' }]);
    // A license of AsyncAPI has no identifier.
    expect(document.info).toMatchObject({
      description: 'All about pets.',
      license: { name: 'MIT' },
      tags: info.tags,
    });
    expect(document.info.license).toEqual({ name: 'MIT' });
  });

  it('requires credentials if the subscription does', async () => {
    const schema = {
      ...schemaFrom(secured),
      security: [{ type: 'bearer' }, { type: 'apiKey', header: 'X-Key' }],
    } as GqlSchema;
    const document = documentOf(schema);
    const { operations, components } = document;
    expect(components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'httpApiKey', in: 'header', name: 'X-Key' },
    });
    expect(operations.petSecret.security).toEqual([
      { $ref: '#/components/securitySchemes/bearer' },
      { $ref: '#/components/securitySchemes/apiKey' },
    ]);
    expect(operations.petSecret.description).toContain('with the scope `pets:read`');
    expect(operations.petMaybe.security).toBeUndefined();
    expect(operations.petMaybe.description).toContain('Authentication is optional.');
    expect(operations.petSaved.security).toBeUndefined();
    expect(await findingsOf(JSON.stringify(document))).toEqual([]);
  });

  it('does not require fields that an event at the maximum depth lacks', () => {
    const document = documentOf(schemaFrom('(a { id: ID!, next: [A!]! })-[:FORK]->(a)'));
    expect(misfits(document)).toEqual([]);
    expect(document.components.schemas.A.required).toEqual(['id']);
  });

  it('wraps a reference with sibling keywords, which draft-07 would ignore', () => {
    const { schemas } = documentOf(schemaFrom(secured)).components;
    expect(schemas.PetSaved.properties.kind).toEqual({
      description: 'What it is.',
      examples: ['DOG'],
      allOf: [{ $ref: '#/components/schemas/Kind' }],
    });
  });

  it('distinguishes union members by __typename, without a discriminator', () => {
    const { channels, components } = documentOf(schemaFrom(union));
    expect(channels.news.messages.event.payload).toEqual(orNull('Story'));
    expect(components.schemas.Story.discriminator).toBeUndefined();
    expect(components.schemas['Cat.Variant'].properties.__typename.const).toBe('Cat');
  });

  it('has no unused components', () => {
    const { components } = documentOf(parcelExample());
    const text = JSON.stringify(documentOf(parcelExample()));
    const unused = Object.keys(components.schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    expect(unused).toEqual([]);
  });

  it('describes filters in the form of the query string', () => {
    const { operations } = documentOf(schemaFrom(filters));
    const { query } = operations.b.bindings.http;
    expect(query.required).toEqual(['id']);
    expect(query.properties).toMatchObject({
      id: { type: 'string' },
      kinds: { type: 'array', description: expect.stringContaining('`kinds=`') },
      near: { description: 'The value is JSON text.' },
    });
  });

  it('has the parameter that resumes a stream, unless a filter has its name', () => {
    const queryOf = (source: string) => documentOf(schemaFrom(source)).operations.b.bindings.http.query;
    expect(queryOf('(a { id: ID })-[:FORK]->(b { id: ID })').properties.after.description).toContain('The id');
    const filter = queryOf('(a { id: ID })-[:FORK { after: ID }]->(b { after: ID })').properties.after;
    expect(filter).toEqual({ type: 'string', examples: ['1'] });
  });

  it('has the GraphQL endpoint as a stream and as a WebSocket', () => {
    const { channels, servers, operations } = documentOf(schemaFrom(secured));
    expect(servers).toEqual({
      server: { host: 'localhost:4000', protocol: 'http' },
      'server-ws': { host: 'localhost:4000', protocol: 'ws' },
    });
    expect(channels['graphql-sse']).toMatchObject({
      address: '/graphql',
      servers: [{ $ref: '#/servers/server' }],
    });
    expect(channels['graphql-ws']).toMatchObject({
      address: '/graphql',
      servers: [{ $ref: '#/servers/server-ws' }],
    });
    expect(operations['graphql-ws-events'].action).toBe('send');
  });

  it.each([
    ['http://localhost:4000', '/graphql', { host: 'localhost:4000', protocol: 'http' }],
    ['https://pets.example/', '/graphql', { host: 'pets.example', protocol: 'https' }],
    ['https://pets.example/v1/gql/', '/gql', { host: 'pets.example', protocol: 'https', pathname: '/v1' }],
    ['pets.example:81/gql', '/gql', { host: 'pets.example:81', protocol: 'http' }],
    ['{{server}}/graphql', '/graphql', undefined],
    ['ftp://pets.example', '/graphql', undefined],
  ])('has the server of the base URL %s', (baseUrl, address, server) => {
    const document = documentOf(schemaFrom(secured), { baseUrl });
    expect(document.servers.server).toEqual(server);
    expect(document.channels['graphql-ws'].address).toBe(address);
    expect(document.channels.petSaved.servers).toEqual(server && [{ $ref: '#/servers/server' }]);
  });

  it('is valid without a known server', async () => {
    const document = documentOf(schemaFrom(secured), { baseUrl: '{{server}}/graphql' });
    expect(await findingsOf(JSON.stringify(document))).toEqual([]);
  });

  it('has the servers of the metadata, relative ones below the base URL', () => {
    const info = {
      servers: [{ url: 'https://a.example/v1/' }, { url: '/v2', description: 'Next.' }, { url: 'https://' }],
    };
    const { servers, channels } = documentOf({ ...schemaFrom(secured), info });
    expect(servers).toEqual({
      server: { host: 'a.example', protocol: 'https', pathname: '/v1' },
      'server-ws': { host: 'a.example', protocol: 'wss', pathname: '/v1' },
      'server-2': { host: 'localhost:4000', protocol: 'http', pathname: '/v2', description: 'Next.' },
      'server-2-ws': { host: 'localhost:4000', protocol: 'ws', pathname: '/v2', description: 'Next.' },
    });
    expect(channels.petSaved.servers).toHaveLength(2);
  });

  it('has parameters for the arguments in the path of a route', async () => {
    const schema = schemaFrom(filters);
    const route = { method: 'GET', path: '/things/{id}/events' } as const;
    const [subscription] = schema.subscriptions;
    const document = documentOf({ ...schema, subscriptions: [{ ...subscription, route }] } as GqlSchema);
    expect(document.channels.b).toMatchObject({
      address: '/things/{id}/events',
      parameters: { id: { description: 'Which.', examples: ['1'] } },
    });
    expect(Object.keys(document.operations.b.bindings.http.query.properties)).toEqual(['kinds', 'near', 'after']);
    expect(await findingsOf(JSON.stringify(document))).toEqual([]);
  });

  it('describes an operation of a layer, which has no edges and no description', async () => {
    const document = documentOf(
      schemaOf({
        objects: [object('Tick', { at: 'String!' })],
        subscriptions: [
          {
            kind: 'subscription',
            name: 'tick',
            description: undefined,
            arguments: [argument('from', 'String')],
            type: type('Tick'),
            edges: [],
          },
        ],
      }),
    );
    expect(document.operations.tick.description).toBeUndefined();
    expect(document.operations.tick['x-topology']).toBeUndefined();
    expect(await findingsOf(JSON.stringify(document))).toEqual([]);
  });

  it('omits the file and the line of an edge whose file is unknown', () => {
    const document = documentOf({ ...schemaFrom(filters), sources: [] });
    expect(document.operations.b['x-topology']).toEqual([{ edge: 'FORK', from: ['a'], to: 'b' }]);
  });

  it('describes the envelope of CloudEvents', async () => {
    const document = documentOf(schemaFrom(secured), { eventFormat: 'cloudevents' });
    const { event } = document.channels.petSaved.messages;
    expect(event.payload.properties).toMatchObject({
      source: { const: '/api/petSaved' },
      type: { const: 'petSaved' },
      data: orNull('PetSaved'),
    });
    expect(event.examples[0].payload).toMatchObject({ specversion: '1.0', subject: '1', data: { id: '1' } });
    expect(document.components.messageTraits.event.contentType).toBe('application/cloudevents+json');
    expect(misfits(document)).toEqual([]);
    expect(await findingsOf(JSON.stringify(document))).toEqual([]);
  });

  it('equals the example on its page', () => {
    const page = readFileSync(new URL('../../../docs/asyncapi.md', import.meta.url), 'utf8');
    const [source] = /(?<=const source = `)[^`]*/.exec(page) ?? [];
    const [shown] = /(?<=```json\n).*?(?=```)/s.exec(page) ?? [];
    const { schema } = analyze({ name: 'parcels.gg', source: source ?? '' });
    expect(documentOf(schema).operations.parcelMoved).toEqual(JSON.parse(shown ?? ''));
  });

  it('has the channels to external systems, with or without subscriptions', async () => {
    const io = [
      {
        node: 'pet',
        direction: 'inout',
        transport: 'json-lines',
        operations: [
          { kind: 'mutation', name: 'savePet', access: 'write' },
          { kind: 'query', name: 'pets', access: 'read' },
        ],
      },
      {
        node: 'clock',
        direction: 'in',
        transport: 'timer',
        operations: [{ kind: 'query', name: 'gone', access: 'read' }],
      },
    ] as const;
    const schema = { ...schemaFrom(secured), io };
    const document = documentOf(schema);
    expect(document.channels['pet-inout']).toMatchObject({
      address: null,
      summary: 'The channel of the node pet (json-lines).',
      messages: { Pet: { payload: { $ref: '#/components/schemas/Pet' } } },
      'x-io': io[0],
    });
    expect(document.operations['pet-inout-receive']).toEqual({
      action: 'receive',
      channel: { $ref: '#/channels/pet-inout' },
      messages: [{ $ref: '#/channels/pet-inout/messages/Pet' }],
    });
    expect(document.operations['pet-inout-send'].action).toBe('send');
    expect(document.channels['clock-in'].messages).toEqual({});
    expect(misfits(document)).toEqual([]);
    expect(await findingsOf(JSON.stringify(document))).toEqual([]);
    const quiet = documentOf({ ...schema, subscriptions: [] });
    expect(Object.keys(quiet.channels)).toEqual(['pet-inout', 'clock-in']);
    expect(quiet.servers).toBeUndefined();
    expect(await findingsOf(JSON.stringify(quiet))).toEqual([]);
  });
});

function orNull(name: string): object {
  return { oneOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }] };
}

/** The references of a document that point nowhere. */
function danglingReferences(document: object): string[] {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === '$ref' && typeof value === 'string') {
        const steps = value.slice('#/'.length).split('/');
        const there = steps.reduce((at: Part, step) => at?.[step], document);
        if (there === undefined) found.push(value);
      } else visit(value);
    }
  };
  visit(document);
  return found;
}

const secured = `(root)-[:PROCESS { operation: 'pets' }]->(pet { id: ID! })
(kind: Enum { values: [CAT, DOG] })
(root)-[:FOLD { operation: 'savePet' }]->(pet)
(root)-[:FOLD { operation: 'renamePet' }]->(pet)
(pet)-[:FORK { kind: Kind }]->(pet_saved { id: ID!,
  /// What it is.
  ///
  /// @example DOG
  kind: Kind! })
(pet)-[:FORK { operation: 'petSecret', scopes: ['pets:read'] }]->(pet)
(pet)-[:FORK { operation: 'petMaybe', auth: 'optional' }]->(pet)
`;

const noted = `(root)-[:FOLD]->(pet { id: ID! })
/// A pet was saved.
///
/// @deprecated use petKept
(pet)-[:FORK {
  /// Only this pet.
  ///
  /// @deprecated filter by id
  name: String }]->(pet_saved {
  /// How it is called.
  ///
  /// @maxLength 20
  /// @example Tom
  name: String!,
  /// @minimum 7
  /// @deprecated too small
  size: Int })
`;

const union = `(root)-[:FOLD]->(pet { id: ID! })
(pet)-[:FORK]->(news { id: ID! })
(cat: Record { lives: Int } | dog: Record { legs: Int })-[:RACE { union: 'Story' }]->(news)
`;

const filters = `(near: Input { at: At! })
(at: Input { x: Int })
(a { id: ID! })-[:FORK {
  /// Which.
  id: ID!, kinds: [String!], near: Near }]->(b { id: ID!, kinds: [String!], near: JSON })
`;
