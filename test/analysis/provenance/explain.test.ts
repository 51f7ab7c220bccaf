import { describe, expect, test } from 'vitest';
import { schemaToApiMap } from '../../../src/analysis/provenance/api-map.js';
import { explain } from '../../../src/analysis/provenance/explain.js';
import { findSubject } from '../../../src/analysis/provenance/find-subject.js';
import { originsOf, placesOf } from '../../../src/analysis/provenance/origins.js';
import { enclosingPointers, follow, pointerStep } from '../../../src/base/source/json-pointer.js';
import { analyze } from '../../../src/compiler/analyze.js';
import { signatureOf } from '../../../src/compiler/api/signature.js';
import { schemaToCollection } from '../../../src/compiler/emit/collection.js';
import { schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import { mergeSchemas } from '../../../src/compiler/schema/merge-schemas.js';

const main = `(status: Enum { values: [ACTIVE, OFF] })
(when: Scalar)
(user: Record { id: ID!, status: Status = ACTIVE, since: When })
(root)-[:PROCESS { id: ID!, limit: Int = 5 }]->(user)
(by_mail { mail: String })-[:PROCESS]->(user)
(form { name: String })-[:FOLD]->(user)
(user)-[:FORK { kind: Status }]->(user_changed)
(cache { a: Int } | store { b: Int })-[:RACE]->(quick)
(root)-[:PROCESS { at: When }]->(quick)
(status)-[:FOLD]->(status_set { id: ID! })`;

const { schema, sources } = analyze({ name: 'main.gg', source: main });
const documents = {
  openapi: schemaToOpenAPI(schema, 'Users'),
  collection: schemaToCollection(schema, 'Users', 'http://localhost:4000'),
};

function textOf({ start, end }: { start: number; end: number }): string {
  return (sources[0]?.text ?? '').slice(start, end);
}

/** What is told of a coordinate. */
function explained(coordinate: string) {
  const [explanation] = explain(schema, documents, [coordinate]);
  if (explanation === undefined) throw new Error('there is none');
  return explanation;
}

describe('the origin of a part', () => {
  test.each([
    ['User', 'object', 'user'],
    ['User.since', 'field', 'since: When'],
    ['UserChanged.id', 'ownId', 'user_changed'],
    ['UserInput', 'input', 'user'],
    ['UserInput.since', 'inputField', 'since: When'],
    ['UserChangedInput.id', 'ownId', 'user_changed'],
    ['Status', 'enum', 'status'],
    ['Status.OFF', 'enumValue', 'OFF'],
    ['When', 'scalar', 'when'],
    ['QuickRace', 'union', '(cache { a: Int } | store { b: Int })-[:RACE]->(quick)'],
    ['Query.quick', 'query', '(root)-[:PROCESS { at: When }]->(quick)'],
    ['Query.quick(at:)', 'ownArgument', 'at: When'],
    ['Query.user(limit:)', 'ownArgument', 'limit: Int = 5'],
    ['Query.user(mail:)', 'sourceArgument', 'mail: String'],
    ['Mutation.user', 'mutation', '(form { name: String })-[:FOLD]->(user)'],
    ['Mutation.user(input:)', 'wholeArgument', 'form'],
    ['Mutation.statusSet(input:)', 'wholeArgument', 'status'],
    ['Subscription.userChanged', 'subscription', '(user)-[:FORK { kind: Status }]->(user_changed)'],
    ['Subscription.userChanged(kind:)', 'ownArgument', 'kind: Status'],
  ])('%s is the rule %s at “%s”', (coordinate, rule, text) => {
    const origin = originsOf(schema).get(coordinate);
    expect(origin?.rule).toBe(rule);
    expect(origin?.spans.map(textOf)).toEqual([text]);
  });

  test('has all edges of an operation', () => {
    const places = explained('Query.user').places;
    expect(places.map(({ what }) => what)).toEqual(['PROCESS edge root → user', 'PROCESS edge by_mail → user']);
    expect(places.map(({ span }) => textOf(span).slice(0, 6))).toEqual(['(root)', '(by_ma']);
  });

  test('has the edge of a fallback', () => {
    const { schema: used } = analyze(
      `(root)-[:PROCESS { returns: Price }]->(price { cents: Int! } | cached)
(price)-[:VENT { fallback: true }]->(cached)`,
    );
    const origin = originsOf(used).get('Query.price');
    expect(origin && placesOf(used, origin).map(({ what }) => what)).toEqual([
      'PROCESS edge root → price',
      'VENT edge price → cached',
    ]);
  });

  test('is missing for a standard scalar', () => {
    const { schema: used } = analyze({ name: 'a.gg', source: '(a)-[:PROCESS]->(b { at: DateTime })' });
    const reason = 'DateTime is a standard scalar, which the topology uses without declaring it.';
    expect(findSubject(used, 'DateTime')).toEqual({ found: false, reason, suggestion: undefined });
    expect(originsOf(used).has('DateTime')).toBe(false);
  });

  test('is missing for parts of a layer', () => {
    const field = {
      name: 'id',
      description: undefined,
      type: { kind: 'named', name: 'ID' },
      fallback: undefined,
      span: undefined,
    } as const;
    const { value } = mergeSchemas(schema, {
      objects: [{ name: 'Extra', description: undefined, fields: [field], node: undefined }],
      inputs: [{ name: 'ExtraInput', description: undefined, of: 'Extra', fields: [field] }],
      enums: [{ name: 'Colour', description: undefined, values: ['RED'], node: undefined }],
      scalars: [{ name: 'Blob', description: undefined, specifiedBy: undefined, node: undefined }],
      unions: [{ name: 'Both', description: undefined, members: ['Extra'], target: 'Extra', edges: [] }],
      queries: [
        {
          kind: 'query',
          name: 'extra',
          description: undefined,
          arguments: [field],
          type: field.type,
          edges: [],
        },
      ],
      mutations: [
        {
          kind: 'mutation',
          name: 'extra',
          description: undefined,
          arguments: [],
          type: field.type,
          edges: [],
        },
      ],
    });
    expect([...originsOf(value).keys()]).toEqual([...originsOf(schema).keys()]);
    const map = schemaToApiMap(value, {
      openapi: schemaToOpenAPI(value, 'Users'),
      collection: schemaToCollection(value, 'Users', 'http://localhost:4000'),
    });
    expect(JSON.stringify(map)).not.toMatch(/extra|Colour|Blob|Both/i);
    for (const wanted of ['Query.extra', 'extra', 'Extra', 'Extra.id', 'ExtraInput', 'Colour.RED', 'Both']) {
      const reason = `${wanted} comes from a layer of the server, not from the topology.`;
      expect(findSubject(value, wanted)).toEqual({ found: false, reason, suggestion: undefined });
    }
    const reason = '/api/extra comes from a layer of the server, not from the topology.';
    expect(findSubject(value, 'GET /api/extra')).toEqual({ found: false, reason, suggestion: undefined });
  });
});

describe('a map', () => {
  test('maps a path to both of its methods, and each method to itself', () => {
    const places = schemaToApiMap(schema, documents)['openapi.json'];
    expect(places['/paths/~1api~1user']).toEqual(['main.gg:4:1', 'main.gg:5:1', 'main.gg:6:1']);
    expect(places['/paths/~1api~1user/get']).toEqual(['main.gg:4:1', 'main.gg:5:1']);
    expect(places['/paths/~1api~1user/post/requestBody/content/application~1json/schema/properties/input']).toEqual([
      'main.gg:6:2',
    ]);
    expect(places['/components/schemas/Cache.Variant']).toEqual(['main.gg:8:2']);
    expect(places['/components/parameters/Fields']).toBeUndefined();
    expect(places['/components/schemas/Problem']).toBeUndefined();
  });

  test('maps the query pairs of a flat input', () => {
    const source = '(point { x: Int, y: Int })\n(root)-[:PROCESS { near: Point, tags: [ID!] }]->(depot)';
    const flat = analyze({ name: 'p.gg', source }).schema;
    const collection = schemaToCollection(flat, 'P', 'http://localhost');
    const places = schemaToApiMap(flat, { openapi: schemaToOpenAPI(flat, 'P'), collection })['collection.json'];
    const pairs = follow(collection, ['item', 0, 'item', 0, 'request', 'url', 'query']) as { key: string }[];
    expect(pairs.map(({ key }) => key)).toEqual(['near[x]', 'near[y]', 'tags']);
    for (const at of pairs.keys()) {
      const pointer = `/item/0/item/0/request/url/query/${at}`;
      expect(places[pointer]).toEqual([pairs[at]?.key === 'tags' ? 'p.gg:2:33' : 'p.gg:2:20']);
    }
  });

  test('ignores documents of another shape', () => {
    const none = schemaToApiMap(schema, {
      openapi: {},
      collection: { item: [{ request: {} }, { request: { url: { path: ['api', 'other'] } } }] },
    });
    expect([none['openapi.json'], none['collection.json']]).toEqual([{}, {}]);
  });

  test('throws for a schema with unknown sources', () => {
    expect(() => schemaToApiMap({ ...schema, sources: [] }, documents)).toThrow(
      'invariant: main.gg is not a source of the schema',
    );
  });
});

describe('a subject', () => {
  test.each([
    ['User.since', ['User.since']],
    [' Query.user(limit:) ', ['Query.user(limit:)']],
    ['Query.user(limit)', ['Query.user(limit:)']],
    ['GET /api/user', ['Query.user']],
    ['get   /api/user', ['Query.user']],
    ['HEAD /api/user', ['Query.user']],
    ['GET /api/user?id=1', ['Query.user']],
    ['POST /api/user', ['Mutation.user']],
    ['/api/user', ['Query.user', 'Mutation.user']],
    ['user', ['Query.user', 'Mutation.user', 'User']],
    ['user_changed', ['UserChanged']],
    ['when', ['When']],
  ])('is found by “%s”: %j', (wanted, coordinates) => {
    expect(findSubject(schema, wanted)).toEqual({ found: true, coordinates });
  });

  test.each([
    ['Query.usr', 'The topology does not define Query.usr.', 'Query.user'],
    ['Person.since', 'The topology does not define Person.since.', 'User.since'],
    ['User.sinnc', 'The topology does not define User.sinnc.', 'User.since'],
    ['User.completely', 'The topology does not define User.completely.', 'User'],
    ['elephant', 'The topology does not define elephant.', undefined],
    ['Zoo.elephant', 'The topology does not define Zoo.elephant.', undefined],
    ['GET /api/usr', 'No operation has the route /api/usr.', 'GET /api/user'],
    ['/api/usr', 'No operation has the route /api/usr.', '/api/user'],
    ['/elephant', 'No operation has the route /elephant.', undefined],
    ['POST /api/quick', '/api/quick does not support POST.', 'GET /api/quick'],
    ['Query', 'Query is a GraphQL root type: its fields are the operations of the PROCESS edges.', 'Query.user'],
  ])('is unknown: “%s”', (wanted, reason, suggestion) => {
    expect(findSubject(schema, wanted)).toEqual({ found: false, reason, suggestion });
  });

  test('has no example for an empty root type', () => {
    const silent = analyze('(root)-[:PROCESS]->(a)').schema;
    expect(findSubject(silent, 'Subscription')).toMatchObject({ suggestion: undefined });
  });
});

describe('an explanation', () => {
  test.each([
    ['Query.user', 'query user(id: ID!, limit: Int = 5, mail: String): User'],
    ['Query.user(limit:)', 'argument limit: Int = 5'],
    ['Subscription.userChanged', 'subscription userChanged(kind: Status): UserChanged'],
    ['User', 'type User'],
    ['User.status', 'field status: Status'],
    ['UserInput', 'input UserInput'],
    ['UserInput.status', 'input field status: Status'],
    ['Status', 'enum Status'],
    ['Status.OFF', 'value OFF'],
    ['When', 'scalar When'],
    ['QuickRace', 'union QuickRace = Cache | Store'],
  ])('has the signature of %s: “%s”', (coordinate, signature) => {
    expect(explained(coordinate).signature).toBe(signature);
  });

  test.each([
    ['User.status', 'property status of node user'],
    ['UserInput.status', 'property status of node user'],
    ['UserChanged.id', 'node user_changed'],
    ['Query.user(mail:)', 'property mail of node by_mail'],
    ['Query.user(limit:)', 'property limit of the edge'],
    ['Mutation.user(input:)', 'node form'],
    ['Status.OFF', 'value OFF of node status'],
    ['QuickRace', 'RACE edge cache | store → quick'],
    ['Subscription.userChanged', 'FORK edge user → user_changed'],
  ])('names the place of %s: “%s”', (coordinate, what) => {
    expect(explained(coordinate).places.map((place) => place.what)).toEqual([what]);
  });

  test('is the same for a schema parsed from JSON', () => {
    const copy = JSON.parse(JSON.stringify(schema)) as typeof schema;
    expect([...originsOf(copy)]).toEqual([...originsOf(schema)]);
  });

  test('lists the route, the OpenAPI operation and the requests of an operation', () => {
    expect(explained('Mutation.user').parts).toEqual([
      { artifact: 'REST', at: 'POST /api/user' },
      { artifact: 'schema.graphql', at: 'Mutation.user' },
      { artifact: 'openapi.json', at: '/paths/~1api~1user/post' },
      {
        artifact: 'collection.json',
        at: expect.stringMatching(/^\/item\/\d+\/item\/\d+$/),
        name: 'REST / user',
      },
      {
        artifact: 'collection.json',
        at: expect.stringMatching(/^\/item\/\d+\/item\/\d+$/),
        name: 'GraphQL / user',
      },
    ]);
  });

  test('lists all parts that a property became', () => {
    const parts = explained('ByMail.mail').parts.map(({ artifact, at }) => `${artifact} ${at}`);
    expect(parts).toEqual(
      expect.arrayContaining([
        'schema.graphql ByMail.mail',
        'schema.graphql ByMailInput.mail',
        'schema.graphql Query.user(mail:)',
        'openapi.json /components/schemas/ByMail/properties/mail',
        'openapi.json /paths/~1api~1user/get/parameters/2',
      ]),
    );
    expect(parts.some((part) => /^collection\.json .*\/request\/url\/query\/2$/.test(part))).toBe(true);
  });

  test('lists the other operations of an edge to several targets, but only its own parts', () => {
    const two = analyze({ name: 't.gg', source: '(root)-[:PROCESS]->(a | b)' }).schema;
    const made = {
      openapi: schemaToOpenAPI(two, 'T'),
      collection: schemaToCollection(two, 'T', 'http://localhost'),
    };
    const parts = explain(two, made, ['Query.a'])[0]?.parts.map(({ at }) => at) ?? [];
    expect(parts).toContain('Query.b');
    expect(parts.filter((at) => at.startsWith('/paths'))).toEqual(['/paths/~1api~1a/get']);
  });

  test.each(['Nope', 'String', 'Status.NOPE', 'User.nope', 'UserInput.nope', 'Query.user(nope:)', 'When.x'])(
    'has no signature for %s, which does not exist',
    (coordinate) => {
      expect(() => signatureOf(schema, coordinate)).toThrow(`invariant: the schema has no ${coordinate}`);
    },
  );

  test('throws for a part without an origin', () => {
    expect(() => explain(schema, documents, ['Query._empty'])).toThrow('invariant: Query._empty');
  });
});

describe('a JSON pointer', () => {
  test('escapes only ~ and /', () => {
    expect(pointerStep('/api/a~b%20"')).toBe('/~1api~1a~0b%20"');
  });

  test('has the pointers around it as prefixes', () => {
    expect(enclosingPointers('/a/b~1c/0')).toEqual(['/a/b~1c/0', '/a/b~1c', '/a', '']);
    expect(enclosingPointers('')).toEqual(['']);
  });

  test('does not follow inherited properties', () => {
    expect(follow({}, ['constructor'])).toBeUndefined();
    expect(follow([1], ['0'])).toBe(1);
    expect(follow('text', ['length'])).toBeUndefined();
  });
});

test('explains the access of operations and fields', () => {
  const source = `(user {\n/// @scopes a b\nmail: String, id: ID! })
(root)-[:PROCESS { auth: 'optional' }]->(user)`;
  const { schema: secured } = analyze({ name: 'main.gg', source });
  const accessOf = (coordinate: string) => explain(secured, documents, [coordinate])[0]?.access;
  expect(accessOf('Query.user')).toBe('Authentication is optional.');
  expect(accessOf('User.mail')).toBe('Requires authentication with the scopes `a`, `b`.');
  expect(explain(secured, documents, ['User.id'])[0]).not.toHaveProperty('access');
  expect(explain(secured, documents, ['User'])[0]).not.toHaveProperty('access');
});
