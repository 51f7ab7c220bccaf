import { PostmanValidator } from '@har-sdk/validator';
import { buildSchema, printSchema, validateSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type AnalyzeOptions, analyze, joinLayers } from '../../../src/compiler/analyze.js';
import { schemaToCollection } from '../../../src/compiler/emit/collection.js';
import { schemaToGraphQL } from '../../../src/compiler/emit/graphql.js';
import { schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import { schemaToTypeScript } from '../../../src/compiler/emit/typescript/typescript.js';
import { federationFragment } from '../../../src/compiler/federation-fragment.js';
import type { GqlSecurityScheme } from '../../../src/compiler/schema/gql-schema.js';
import { type LintFinding, lintOpenAPI } from './redocly.js';

const text = `
(user: Record { id: ID!,
  /// @scopes users:mail
  mail: String,
  /// @auth required
  friend: User
})
(pet: Record { id: ID! })
(denied: Problem { status: 403, reason: String! })
(lost: Problem { status: 401 })
(root)-[:PROCESS { operation: 'open' }]->(pet)
(root)-[:PROCESS { operation: 'maybe', auth: 'optional' }]->(pet)
(root)-[:PROCESS { operation: 'known', auth: 'required' }]->(pet)
(root)-[:PROCESS { operation: 'byFields', auth: 'optional' }]->(user)
(root)-[:PROCESS { operation: 'scoped', scopes: ['b'] }]->(pet)
(root)-[:PROCESS { operation: 'union' }]->(raced)
(user | pet)-[:RACE]->(raced)
(root)-[:FOLD { operation: 'change', scopes: ['b', 'a'], throws: [Denied, Lost] }]->(kept: Record { id: ID! })
(kept)-[:FORK { operation: 'watch', scopes: ['c'] }]->(kept)
`;
const both: readonly GqlSecurityScheme[] = [
  { type: 'bearer' },
  { type: 'apiKey', header: 'X-Key' },
  { type: 'bearer', format: 'opaque' },
];

function schemaOf(source: string, options: AnalyzeOptions = {}) {
  const { schema, diagnostics } = analyze(source, options);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return schema;
}

const open = '(root)-[:PROCESS { id: ID! }]->(user { id: ID! })';

describe('the SDL', () => {
  it('has the directive on operations and fields', () => {
    const sdl = schemaToGraphQL(schemaOf(text));
    for (const line of [
      'maybe: Pet @auth(optional: true) @topology',
      'known: Pet @auth @topology',
      '): Kept @auth(scopes: ["b", "a"]) @topology',
      'watch(after: String): Kept @auth(scopes: ["c"]) @topology',
      'mail: String @auth(scopes: ["users:mail"])\n',
      'friend: User @auth\n',
    ]) {
      expect(sdl).toContain(line);
    }
    expect(validateSchema(buildSchema(sdl))).toEqual([]);
    expect(printSchema(buildSchema(sdl))).toContain(
      'directive @auth(optional: Boolean! = false, scopes: [String!]! = [], anyScope: [String!], roles: [String!], owner: String) repeatable on FIELD_DEFINITION | OBJECT | INTERFACE',
    );
  });

  it('lacks the directive without access', () => {
    expect(schemaToGraphQL(schemaOf(open))).not.toContain('@auth');
  });
});

describe('the OpenAPI document', () => {
  const document = schemaToOpenAPI(schemaOf(text), 'Secured');
  const operations = new Map(
    Object.values(document.paths ?? {}).flatMap((item) =>
      [item?.get, item?.post].flatMap((one) => (one ? [[one.operationId, one] as const] : [])),
    ),
  );
  const securityOf = (name: string) => operations.get(name)?.security;
  const statusesOf = (name: string) =>
    Object.keys(operations.get(name)?.responses ?? {}).filter((status) => /^40[13]/.test(status));

  it('lists the requirements of each operation', () => {
    expect(securityOf('open')).toBeUndefined();
    expect(securityOf('maybe')).toEqual([{ bearer: [] }, {}]);
    expect(securityOf('known')).toEqual([{ bearer: [] }]);
    expect(securityOf('byFields')).toEqual([{ bearer: [] }, {}]);
    expect(securityOf('change')).toEqual([{ bearer: ['b', 'a'] }]);
    expect(document.security).toEqual([]);
  });

  it('has 401 for operations that read credentials, and 403 for those that require scopes', () => {
    expect(statusesOf('open')).toEqual([]);
    expect(statusesOf('maybe')).toEqual(['401']);
    expect(statusesOf('known')).toEqual(['401']);
    expect(statusesOf('change')).toEqual(['401', '403']);
    for (const name of ['Unauthorized', 'Forbidden']) {
      expect(document.components?.responses?.[name]).toMatchObject({ headers: { 'WWW-Authenticate': {} } });
    }
  });

  it('merges these responses with declared errors of the same status', () => {
    const forbidden = operations.get('change')?.responses[403];
    expect(forbidden).toMatchObject({
      headers: { 'WWW-Authenticate': {} },
      content: {
        'application/problem+json': {
          schema: {
            anyOf: [{ $ref: '#/components/schemas/Denied' }, { $ref: '#/components/schemas/Problem' }],
          },
        },
      },
    });
  });

  it('describes the access of fields', () => {
    expect(document.components?.schemas?.User).toMatchObject({
      properties: {
        mail: { description: 'Requires authentication with the scope `users:mail`.' },
        friend: { description: 'Requires authentication.' },
      },
    });
  });

  it('does not require fields that the default selection lacks, and describes them', () => {
    const source = (field: string) => `(root)-[:PROCESS { auth: 'optional' }]->(user: Record { id: ID!, ${field} })`;
    const schemaOfUser = (field: string) => schemaToOpenAPI(schemaOf(source(field)), '').components?.schemas?.User;
    const one = schemaOfUser('\n/// @auth required\nmail: String!');
    expect(one).toMatchObject({
      required: ['id'],
      description: '`mail` requires authentication, so REST returns it only if `fields` names it.',
    });
    const two = schemaOfUser('\n/// @scopes a\nmail: String!,\n/// @scopes a\nb: Int, c(x: Int!): Int');
    expect(two?.description).toBe(
      '`c` needs arguments, so only GraphQL returns it.\n\n' +
        '`mail`, `b` require authentication, so REST returns them only if `fields` names them.',
    );
    expect(schemaOfUser('\n/// @auth optional\nmail: String!')).toMatchObject({ required: ['id', 'mail'] });
  });

  it('has __typename for a type whose response would only have objects', () => {
    const source = `(root)-[:PROCESS { auth: 'optional' }]->(a: Record {
      /// @auth required
      secret: String, other: A })`;
    expect(schemaToOpenAPI(schemaOf(source), '').components?.schemas?.A).toMatchObject({
      properties: { __typename: { const: 'A' } },
    });
    expect(schemaToTypeScript(schemaOf(source))).toContain("readonly __typename?: 'A'");
  });

  it('describes optional access of a field', () => {
    const schema = schemaOf("(root)-[:PROCESS { auth: 'required' }]->(a {\n/// Text.\n/// @auth optional\nx: Int })");
    expect(schemaToOpenAPI(schema, '').components?.schemas?.A).toMatchObject({
      properties: { x: { description: 'Text.\n\nAuthentication is optional.' } },
    });
  });

  it('offers all schemes of the project as alternatives', () => {
    const made = schemaToOpenAPI(schemaOf(text, { security: both }), 'Secured');
    expect(made.components?.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
      bearer2: { type: 'http', scheme: 'bearer', bearerFormat: 'opaque' },
    });
    expect(made.paths?.['/api/change']?.post?.security).toEqual([
      { bearer: ['b', 'a'] },
      { apiKey: ['b', 'a'] },
      { bearer2: ['b', 'a'] },
    ]);
  });

  it('is valid for a linter, with any schemes, and if no route uses them', () => {
    const onlyEvents = `${open} (user)-[:FORK { auth: 'required' }]->(user)`;
    const findings = lintOpenAPI({
      secured: document,
      both: schemaToOpenAPI(schemaOf(text, { security: both }), 'Both'),
      events: schemaToOpenAPI(schemaOf(onlyEvents), 'Events'),
    });
    // Every type has its component, and no license is ours to state.
    const isOurs = ({ rule, pointer }: LintFinding) =>
      rule !== 'info-license' && !(rule === 'no-unused-components' && pointer.startsWith('#/components/schemas/'));
    expect(Object.values(findings).flatMap((list) => list.filter(isOurs))).toEqual([]);
  });

  it('has no security without access', () => {
    expect(JSON.stringify(schemaToOpenAPI(schemaOf(open), ''))).not.toMatch(/securitySchemes|Unauthorized|Forbidden/);
  });
});

describe('the collection', () => {
  const collectionOf = (options?: AnalyzeOptions, source = text) =>
    schemaToCollection(schemaOf(source, options), 'Secured', 'http://localhost:4000');

  it('sends the token, except with public requests', async () => {
    const collection = collectionOf();
    expect(collection.auth).toEqual({
      type: 'bearer',
      bearer: [{ key: 'token', value: '{{token}}', type: 'string' }],
    });
    expect(collection.variable).toContainEqual(expect.objectContaining({ key: 'token', value: '' }));
    const open = collection.item.map(({ name, item }) => [
      name,
      item.flatMap(({ name, request }) => (request.auth?.type === 'noauth' ? [name] : [])).toSorted(),
    ]);
    expect(Object.fromEntries(open)).toEqual({
      REST: ['byFields', 'maybe', 'open', 'union'],
      GraphQL: ['byFields', 'maybe', 'open', 'union'],
      // The only stream requires a scope.
      Events: [],
    });
    expect(await new PostmanValidator().verify(collection as never)).toEqual([]);
  });

  it('describes the requirements of a request', () => {
    const [rest] = collectionOf().item;
    const of = (name: string) => rest?.item.find((item) => item.name === name)?.request.description;
    expect(of('change')).toMatch(/\n\nRequires authentication with the scopes `b`, `a`\.$/);
    expect(of('open')).not.toContain('uthentication');
  });

  it('sends an API key in its header, if that is the first scheme', async () => {
    const collection = collectionOf({ security: both.slice(1) });
    expect(collection.auth).toEqual({
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-Key', type: 'string' },
        { key: 'value', value: '{{token}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    });
    expect(await new PostmanValidator().verify(collection as never)).toEqual([]);
  });

  it('distinguishes the token from an id of that name', () => {
    const source = `(a)-[:FOLD { auth: 'required' }]->(session { id: ID!, token: ID! })
      (session)-[:PROCESS { token: ID!, auth: 'required' }]->(seen { id: ID! })`;
    const keys = (of: string) => collectionOf({}, of).variable.map(({ key }) => key);
    expect(keys(source)).toEqual(['base_url', 'token', 'token_', 'answers']);
    expect(keys(source.replaceAll(", auth: 'required'", '').replaceAll("auth: 'required'", ''))).toEqual([
      'base_url',
      'token',
      'answers',
    ]);
  });

  it('sends nothing to a layer without access', () => {
    const { schema } = joinLayers(analyze(text), [federationFragment]);
    const collection = schemaToCollection(schema, 'Secured', 'http://localhost:4000');
    const names = new Set(federationFragment.queries?.map(({ name }) => name));
    const layered = collection.item.flatMap(({ item }) => item.filter(({ name }) => names.has(name)));
    expect(layered.length).toBeGreaterThan(0);
    for (const { request } of layered) expect(request.auth).toEqual({ type: 'noauth' });
  });

  it('has no authentication without access', () => {
    expect(JSON.stringify(collectionOf({}, open))).not.toMatch(/"auth"|noauth|"token"/);
  });
});
