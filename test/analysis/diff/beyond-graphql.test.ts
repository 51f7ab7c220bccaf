import { diff } from '@graphql-inspector/core';
import { findBreakingChanges, findDangerousChanges } from 'graphql';
import { describe, expect, it } from 'vitest';
import { diffSchemas } from '../../../src/analysis/diff/diff-schemas.js';
import { generateSchema } from '../../../src/compiler/analyze.js';
import { projected } from './other-tools.js';
import { briefly, schemaFrom } from './schemas.js';

/** The worst of what other tools say of a pair of topologies. */
async function others(before: string, after: string) {
  const [old, now] = [projected(schemaFrom(before)), projected(schemaFrom(after))];
  const inspected = (await diff(old, now)).map(({ criticality }) => criticality.level);
  return {
    breaking: findBreakingChanges(old, now).length > 0 || inspected.some((level) => level === 'BREAKING'),
    dangerous: findDangerousChanges(old, now).length > 0 || inspected.some((level) => level === 'DANGEROUS'),
  };
}

function ours(before: string, after: string): readonly string[] {
  return briefly(diffSchemas(schemaFrom(before), schemaFrom(after)));
}

const user = '(user { id: ID!, name: String })\n';

describe('breaking changes that GraphQL comparison tools do not report as breaking', () => {
  it.each<[string, string, string, string]>([
    [
      'a default that goes from a non-null argument',
      `${user}(root)-[:PROCESS { limit: Int! = 20 }]->(user)`,
      `${user}(root)-[:PROCESS { limit: Int! }]->(user)`,
      'breaking argument-became-required Query.user(limit:)',
    ],
    [
      'an argument called fields, which takes the name of the parameter that narrows answers',
      `${user}(root)-[:PROCESS]->(user)`,
      `${user}(root)-[:PROCESS { fields: Int }]->(user)`,
      'breaking fields-parameter-taken GET /api/user?fields',
    ],
    [
      'an optional field of an input that makes its query parameter travel as JSON',
      `${user}(root)-[:PROCESS { like: User }]->(user)`,
      `${user}(user { tags: [String] })(root)-[:PROCESS { like: User }]->(user)`,
      'breaking parameter-style-changed GET /api/user?like',
    ],
    [
      'fields that push others out of the answer of a route',
      `${wide(5)}(root)-[:PROCESS]->(top { left: Left, right: Right })`,
      `${wide(150)}(root)-[:PROCESS]->(top { left: Left, right: Right })`,
      'breaking answer-narrowed GET /api/top',
    ],
  ])('%s', async (_, before, after, change) => {
    expect((await others(before, after)).breaking).toBe(false);
    expect(ours(before, after)).toContain(change);
  });
});

describe('dangerous changes that GraphQL comparison tools do not find', () => {
  it.each<[string, string, string, string]>([
    [
      'a constant that is another one',
      `(root)-[:PROCESS]->(hello { text: 'Hello' })`,
      `(root)-[:PROCESS]->(hello { text: 'Good day' })`,
      'dangerous constant-changed Hello.text',
    ],
    [
      'a query that has lost its fallback',
      `(root)-[:PROCESS { returns: A }]->(a { x: Int } | b)(a)-[:VENT { fallback: true }]->(b)`,
      `(root)-[:PROCESS { returns: A }]->(a { x: Int } | b)`,
      'dangerous fallback-changed Query.a',
    ],
  ])('%s', async (_, before, after, change) => {
    expect(await others(before, after)).toEqual({ breaking: false, dangerous: false });
    expect(ours(before, after)).toEqual([change]);
  });

  it('reports another policy of a race, and none for the default', () => {
    const race = (policy: string) =>
      `(a { x: Int } | b { y: Int })-[:RACE${policy}]->(c { z: Int })(root)-[:PROCESS]->(c)`;
    expect(ours(race(''), race(" { failure: 'vent' }"))).toEqual([]);
    expect(ours(race(" { failure: 'vent' }"), race(" { failure: 'cancel' }"))).toEqual([
      'dangerous race-policy-changed CRace',
    ]);
  });

  it.each<[string, string, string, boolean]>([
    ['a first filter that is an ID', '', ' { author: ID }', true],
    ['another first filter', ' { author: ID, id: ID }', ' { id: ID, author: ID }', true],
    ['a filter behind the first one', ' { author: ID }', ' { author: ID, id: ID }', false],
    ['a filter that is no ID', '', ' { kind: String }', false],
    ['a filter beside the setting', " { partition: 'id' }", " { partition: 'id', author: ID }", false],
    ['the default as the setting', '', " { partition: 'id' }", false],
  ])('reports that events keep their order for another field: %s', (_, before, after, isMoved) => {
    const text = (settings: string) => `(a)-[:FORK${settings}]->(b { id: ID!, author: ID!, kind: String! })`;
    const moved = ours(text(before), text(after)).filter((change) => change.includes('partition'));
    expect(moved).toEqual(isMoved ? ['dangerous partition-changed Subscription.b'] : []);
    // Only subscriptions have events.
    const other = ours(text(before).replace('FORK', 'PROCESS'), text(after).replace('FORK', 'PROCESS'));
    expect(other.filter((change) => change.includes('partition'))).toEqual([]);
  });

  it('reports the new default of an argument, which graphql-js ignores', () => {
    const [before, after] = [
      `${user}(root)-[:PROCESS { n: Int }]->(user)`,
      `${user}(root)-[:PROCESS { n: Int = 3 }]->(user)`,
    ];
    const [old, now] = [projected(schemaFrom(before)), projected(schemaFrom(after))];
    expect([...findBreakingChanges(old, now), ...findDangerousChanges(old, now)]).toEqual([]);
    expect(ours(before, after)).toEqual(['dangerous argument-default-added Query.user(n:)']);
  });

  it('compares defaults of an input type without regard to the order of members', () => {
    const text = (value: string) => `${user}(root)-[:PROCESS { n: [Int] = ${value} }]->(user)`;
    expect(ours(text('[1, 2]'), text('[1, 2]'))).toEqual([]);
    expect(ours(text('[1, 2]'), text('[2, 1]'))).toEqual(['dangerous argument-default-changed Query.user(n:)']);
  });
});

describe('REST', () => {
  it('reports a changed method when a query becomes a mutation', () => {
    const before = '(user { id: ID! })-[:PROCESS]->(saved { id: ID! })';
    expect(ours(before, before.replace('PROCESS', 'FOLD'))).toContain('breaking route-method-changed GET /api/saved');
  });

  it('does not report the encoding of an argument whose type changed', () => {
    const text = (type: string) => `${user}(root)-[:PROCESS { a: ${type} }]->(user)`;
    expect(ours(text('ID'), text('[ID]'))).toEqual(['breaking argument-type-changed Query.user(a:)']);
  });

  it('accepts an argument called fields where responses cannot be narrowed', () => {
    const text = (args: string) => `(root)-[:PROCESS {${args} returns: Int }]->(total)`;
    expect(ours(text(''), text('fields: Int,'))).toEqual(['dangerous argument-added Query.total(fields:)']);
  });

  it.each([
    ['status: 202', 'dangerous', 'with a result changed from 200 to 202'],
    ['status: 204', 'breaking', 'with a result changed from 200 to 204'],
    ['null: 404', 'breaking', 'without a result changed from 200 to 404'],
    [
      'status: 202, null: 404',
      'breaking',
      'with a result changed from 200 to 202, and without a result changed from 200 to 404',
    ],
  ])('reports both statuses of a route in one change: %s', (settings, level, change) => {
    const text = (given: string) => `${user}(root)-[:PROCESS {${given}}]->(user)`;
    const found = diffSchemas(schemaFrom(text('')), schemaFrom(text(settings)));
    expect(found.map(({ level, message }) => [level, message])).toEqual([
      [level, `The status of GET /api/user ${change}.`],
    ]);
  });

  it('does not repeat the changes of a type for each response', () => {
    const before = `${user}(root)-[:PROCESS { like: User }]->(user)`;
    expect(ours(before, before.replace(', name: String', ''))).toEqual([
      'breaking field-removed User.name',
      'breaking input-field-removed UserInput.name',
    ]);
  });

  it('reports the lost members of each branch of a union', () => {
    const race = '(root)-[:PROCESS]->(top { x: Int }) (left | right)-[:RACE]->(top)';
    const found = diffSchemas(schemaFrom(wide(5) + race), schemaFrom(wide(150) + race));
    expect(found.find(({ kind }) => kind === 'answer-narrowed')?.message).toContain('Left:deep');
  });
});

describe('a removed part beside an added one of the same type', () => {
  const text = (field: string, argument: string) =>
    `(user { id: ID!, ${field} })(root)-[:PROCESS { ${argument} }]->(user)`;
  const messages = (before: string, after: string) =>
    diffSchemas(schemaFrom(before), schemaFrom(after)).map(({ message }) => message);

  it('is reported as perhaps renamed, with the place of the new one', () => {
    const [before, after] = [text('mail: String', 'key: ID'), text('email: String', 'id: ID')];
    expect(messages(before, after)).toEqual(
      expect.arrayContaining([
        'The field User.mail was removed; perhaps it was renamed to User.email.',
        'The input field UserInput.mail was removed; perhaps it was renamed to UserInput.email.',
        'The argument Query.user(key:) was removed; perhaps it was renamed to Query.user(id:).',
      ]),
    );
    const changes = diffSchemas(schemaFrom(before), schemaFrom(after));
    const removed = changes.find(({ kind }) => kind === 'field-removed');
    expect(removed?.after).toMatchObject({ note: 'perhaps this', exact: false });
    expect(after.slice(removed?.after?.span.start, removed?.after?.span.end)).toBe('email: String');
  });

  it('is not reported as renamed if types differ or there are several', () => {
    const before = text('mail: String', 'key: ID');
    expect(messages(before, text('email: Int', 'key: ID'))).toContain('The field User.mail was removed.');
    expect(messages(before, text('a: String, b: String', 'key: ID'))).toContain('The field User.mail was removed.');
  });
});

describe('a subscription', () => {
  it('is reported as safe if other edges with the same sources make it', () => {
    const nodes = '(a { x: Int })(b { y: Int })(heard { id: ID! })';
    const before = `${nodes}(a | b)-[:FORK]->(heard)`;
    const after = `${nodes}(b)-[:FORK]->(heard)(a)-[:FORK]->(heard)`;
    expect(ours(before, after).filter((line) => !line.includes('description'))).toEqual([
      'safe origin-changed Subscription.heard',
    ]);
  });
});

describe('the route of a stream', () => {
  const nodes = `${user}(user)-[:FOLD]->(saved { id: ID! })\n`;
  const stream = '(saved)-[:FORK { id: ID }]->(heard { id: ID! })\n';
  const query = '(root)-[:PROCESS { operation: "heard", returns: String }]->(user)\n';

  it('is added and removed with its subscription, beside a query with its path', () => {
    expect(ours(nodes, nodes + stream)).toContain('safe route-added SSE /api/heard');
    expect(ours(nodes + stream, nodes)).toContain('breaking route-removed SSE /api/heard');
    const routes = (before: string, after: string) => ours(before, after).filter((line) => line.includes('route'));
    expect(routes(nodes + query, nodes + stream + query)).toEqual(['safe route-added SSE /api/heard']);
    expect(routes(nodes + stream + query, nodes + query)).toEqual(['breaking route-removed SSE /api/heard']);
    expect(routes(nodes + query, nodes + stream)).toEqual([
      'breaking route-removed GET /api/heard',
      'safe route-added SSE /api/heard',
    ]);
  });

  it('reports a filter that takes the name of the parameter that narrows events', () => {
    const taken = stream.replace('id: ID }', 'id: ID, fields: ID }').replace('id: ID! }', 'id: ID!, fields: ID }');
    expect(ours(nodes + stream, nodes + taken)).toContain('breaking fields-parameter-taken SSE /api/heard?fields');
  });
});

/** Two nodes with the same wide one below them. */
function wide(fields: number): string {
  const list = Array.from({ length: fields }, (_, at) => `f${at}: Int`).join(', ');
  return `(deep { ${list} })(left { deep: Deep })(right { deep: Deep })`;
}

describe('a new API', () => {
  const nothing = generateSchema({ kind: 'GraphAST', documents: [] });

  it('is a safe change; a removed API is not', () => {
    const schema = schemaFrom(`${user}(root)-[:PROCESS]->(user)`);
    expect(new Set(diffSchemas(nothing, schema).map(({ level }) => level))).toEqual(new Set(['safe']));
    expect(briefly(diffSchemas(schema, nothing))).toContain('breaking operation-removed Query.user');
    expect(briefly(diffSchemas(schema, nothing))).not.toContain('safe placeholder-added Query._empty');
  });
});

describe('the fields of a declared error', () => {
  const gone = (fields: string) => `(gone: Problem { status: 410${fields} })
    ${user}(root)-[:PROCESS { throws: [Gone] }]->(user)`;

  it.each([
    [', since: Int', '', 'breaking field-removed Gone.since'],
    ['', ', since: Int', 'safe field-added Gone.since'],
    [', since: Int!', ', since: Int', 'breaking field-type-changed Gone.since'],
    [', since: Int', ', since: Int!', 'safe field-type-changed Gone.since'],
  ])('from “%s” to “%s”', (before, after, change) => {
    expect(ours(gone(before), gone(after))).toEqual([change]);
  });
});
