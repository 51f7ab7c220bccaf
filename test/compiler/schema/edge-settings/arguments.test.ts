import { describe, expect, it } from 'vitest';
import { edgeSettings } from '../../../../src/compiler/schema/edge-settings/edge-settings.js';
import { check, project } from '../check.js';

/** A literal that each setting takes. */
const literals: Readonly<Record<string, string>> = {
  route: "'POST /own'",
  status: '201',
  null: '404',
  page: '20',
  idempotent: "'required'",
  etag: 'true',
  writes: "'update'",
  chain: 'true',
  durable: 'true',
  undo: "'cancel'",
  retries: '5',
  awaits: "'orderPacked'",
  within: "'2d'",
  pause: "'1h'",
  auth: "'required'",
  scopes: "['orders:write']",
  anyScope: "['orders:read']",
  roles: "['admin']",
  owner: "'id'",
  open: "'for a reason'",
  operation: "'placeOrder'",
  union: "'Other'",
  after: "'5ms'",
  internal: 'false',
  fields: "['id']",
  partition: "'id'",
};

/** The settings that take types. */
const typed = ['returns', 'throws'];

describe('an argument with the name of a setting', () => {
  it.each(Object.entries(literals))('stands beside the setting %s', (word, literal) => {
    const type = word === 'page' ? 'PROCESS' : 'FOLD';
    const source = (...properties: string[]) =>
      `(root)-[:${type} { id: ID!, ${properties.join(', ')} }]->(order { id: ID! })`;
    const only = project(source(`${word}: ${literal}`));
    const both = project(source(`${word}: ${literal}`, `${word}: [Int!]`));
    const [operation, plain] = [both, only].map(({ schema }) => schema.mutations[0] ?? schema.queries[0]);
    if (operation === undefined) throw new Error('there is no operation');
    const { arguments: args, edges: _, ...settings } = operation;
    const { arguments: plainArgs, edges: __, ...plainSettings } = plain ?? operation;
    expect(args.map(({ name }) => name)).toEqual(expect.arrayContaining(['id', word]));
    expect(args).toHaveLength(plainArgs.length + 1);
    expect(settings).toEqual(plainSettings);
    expect(both.diagnostics.map(({ code }) => code)).toEqual(only.diagnostics.map(({ code }) => code));
  });

  it('is tested for every setting', () => {
    const keys = edgeSettings.map(({ key }) => key).filter((key) => !typed.includes(key));
    expect(Object.keys(literals)).toEqual(expect.arrayContaining(keys));
  });

  it('clashes with an argument, and a setting with a setting', () => {
    check('(root)-[:PROCESS { status: Int, status: 201, status: String, status: 202 }]->(n { id: ID! })', {
      has: ['query n(status: Int): N'],
      findings: ['GG2006 «status: String» + «status: Int»', 'GG2006 «status: 202» + «status: 201»'],
    });
  });

  it('cannot be called returns, or throws with the form of a list of errors', () => {
    check('(root)-[:PROCESS { returns: [N!]!, throws: [String!] }]->(n { id: ID! })', {
      has: ['query n(throws: [String!]): [N!]!'],
    });
  });
});
