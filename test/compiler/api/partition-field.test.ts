import { describe, expect, test } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import { partitionField } from '../../../src/compiler/api/partition-field.js';

const orders = (setting: string, event = 'id: ID!, kind: String, tags: [String!]', more = '') => `
  (form: Input { id: ID! })-[:FOLD]->(order { id: ID!, kind: String, tags: [String!] })
  (root)-[:PROCESS { id: ID! }]->(order)
  (order)-[:FORK { ${setting} }]->(placed: Event { ${event} }) ${more}`;
const codes = (text: string) => analyze(text).diagnostics.map(({ code }) => code);
const field = (...order: Parameters<typeof orders>) => {
  const { schema } = analyze(orders(...order));
  return schema.subscriptions.map((operation) => partitionField(schema, operation));
};

describe('the setting partition', () => {
  test('names the field, which by default is the first filter that is an ID, else id', () => {
    expect(codes(orders("partition: 'kind'"))).toEqual([]);
    expect(field("partition: 'kind', id: ID")).toEqual(['kind']);
    expect(field('kind: String, order: ID')).toEqual(['order']);
    expect(field('kind: String')).toEqual(['id']);
  });

  test.each(["'kinds'", "'tags'"])('rejects %s, which is no scalar field of the event', (name) => {
    const { diagnostics } = analyze(orders(`partition: ${name}`));
    expect(diagnostics.map(({ code }) => code)).toEqual(['GG3123']);
    expect(diagnostics[0]?.hint).toBe(
      name === "'kinds'"
        ? 'Did you mean kind?'
        : 'Name a field of the event that is one scalar or enum, such as its id.',
    );
  });

  test.each(['true', "['kind']", "''"])('rejects the value %s', (value) => {
    expect(codes(orders(`partition: ${value}`))).toEqual(['GG2018']);
  });

  test('has no effect on a FOLD edge, and must be the same on all edges of a subscription', () => {
    const other = "(order)-[:FOLD { partition: 'kind', operation: 'again' }]->(order)";
    expect(codes(orders('', undefined, other))).toContain('GG3012');
    const second = "(order)-[:PROCESS { id: ID! }]->(other { id: ID! })(other)-[:FORK { partition: 'id' }]->(placed)";
    expect(codes(orders("partition: 'kind'", undefined, second))).toContain('GG3037');
  });

  test('needs the field in each type of a union', () => {
    const race = (more: string) => `
      (root)-[:PROCESS { id: ID! }]->(win { id: ID! } | lose { id: ID!${more} })
      (win | lose)-[:RACE]->(placed)`;
    expect(codes(orders("partition: 'kind'", undefined, race('')))).toContain('GG3123');
    expect(codes(orders("partition: 'id'", undefined, race('')))).not.toContain('GG3123');
  });

  test('warns of a field that not all subscribers may read', () => {
    const guarded = 'id: ID!,\n/// @scopes kinds:read\nkind: String';
    expect(codes(orders("partition: 'kind', auth: 'required'", guarded))).toContain('GG3124');
    expect(codes(orders("partition: 'kind', scopes: ['kinds:read']", guarded))).not.toContain('GG3124');
  });

  test.each([
    ['', '/// @scopes ids:read\nid: ID!'],
    ['kind: ID', 'id: ID!,\n/// @scopes ids:read\nkind: ID'],
  ])('is by default no field that not all subscribers may read: %j', (filter, guarded) => {
    expect(field(`auth: 'required', ${filter}`, guarded)).toEqual([undefined]);
    expect(field(`scopes: ['ids:read'], ${filter}`, guarded)).toEqual([filter === '' ? 'id' : 'kind']);
  });
});
