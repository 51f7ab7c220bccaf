import { describe, expect, test } from 'vitest';
import { describePlace } from '../../../../../src/base/source/span.js';
import { compile } from '../../../../../src/compiler/compile.js';
import { lowerGraph } from '../../../../../src/compiler/graph/lower/lower.js';
import type { GqlOperation } from '../../../../../src/compiler/schema/gql-schema.js';
import { buildSchema } from '../../../../../src/compiler/schema/projection/build-schema.js';
import { bindChannels } from '../../../../../src/runtime/server/channels/binding/bind-channels.js';
import type { RuntimeIoChannel } from '../../../../../src/runtime/server/channels/binding/channel.js';
import { eventRecord, isMany, matchOf, recordOf } from '../../../../../src/runtime/server/channels/binding/records.js';

function graphOf(source: string) {
  const { ast } = compile({ name: 'test.gg', source });
  const ir = lowerGraph(ast).value;
  return { ir, schema: buildSchema(ir).value };
}

const nothing = () => undefined;
const noRecords = async function* () {};

/** A channel that can all that its direction allows, unless something else is said. */
function channel(node: string, direction: 'in' | 'out' | 'inout', more: object = {}): RuntimeIoChannel {
  const incoming = direction === 'out' ? {} : { read: nothing, subscribe: noRecords };
  const outgoing = direction === 'in' ? {} : { write: nothing };
  return { node, direction, transport: 'test', ...incoming, ...outgoing, ...more };
}

function bind(source: string, ...channels: readonly RuntimeIoChannel[]) {
  const { ir, schema } = graphOf(source);
  const { bindings, diagnostics } = bindChannels(ir, schema, channels);
  return {
    table: bindings.map(({ node, operations }) =>
      [node, ...operations.map(({ access, kind, name }) => `${access} ${kind} ${name}`)].join(' | '),
    ),
    found: diagnostics.map(({ code, message, hint, span }) => ({
      code,
      message,
      hint,
      place: describePlace(ir.sources, span),
    })),
  };
}

const shop = `
  (prices)-[:PROCESS { sku: ID! }]->(price { sku: ID!, cents: Int! })
  (prices)-[:FORK]->(price_moved: Event { cents: Int! })
  (form { sku: ID! })-[:FOLD]->(saved { sku: ID! })
  (saved)-[:FORK]->(told: Event { sku: ID! } | audit: Event { sku: ID! })
`;

describe('a channel serves', () => {
  test('the queries and subscriptions that end in its node', () => {
    expect(bind(shop, channel('price', 'in'), channel('price_moved', 'in'))).toEqual({
      table: ['price | read query price', 'price_moved | subscribe subscription priceMoved'],
      found: [],
    });
  });

  test('those that begin at its node, if that is a root', () => {
    expect(bind(shop, channel('prices', 'in'))).toEqual({
      table: ['prices | read query price | subscribe subscription priceMoved'],
      found: [],
    });
    expect(bind(`(up)-[:MEASURE]->(prices) ${shop}`, channel('prices', 'in')).found).toMatchObject([
      { code: 'GG5007' },
    ]);
  });

  test('at a root only operations without a channel at the other end', () => {
    expect(bind(shop, channel('prices', 'in'), channel('price', 'in'))).toEqual({
      table: ['prices | subscribe subscription priceMoved', 'price | read query price'],
      found: [],
    });
  });

  test('the mutation that ends in its node, but not its FORK edges', () => {
    const source = `${shop} (saved)-[:FORK { operation: 'again' }]->(saved)`;
    expect(bind(source, channel('saved', 'out')).table).toEqual(['saved | write mutation saved']);
  });

  test('the events of the FORK edges to its node, if no mutation ends there', () => {
    expect(bind(shop, channel('audit', 'out'))).toEqual({
      table: ['audit | write subscription audit'],
      found: [],
    });
  });

  test('records in both directions, with a channel for each or one for both', () => {
    const source = `(root)-[:PROCESS { operation: 'list', returns: [Saved!]! }]->(saved) ${shop}`;
    const table = ['saved | read query list', 'saved | write mutation saved'];
    expect(bind(source, channel('saved', 'in'), channel('saved', 'out'))).toEqual({ table, found: [] });
    expect(bind(source, channel('saved', 'inout'))).toEqual({
      table: ['saved | read query list | write mutation saved'],
      found: [],
    });
  });

  test('members of a race, each separately', () => {
    const source = `
      (root)-[:PROCESS]->(near { a: Int } | far { a: Int })
      (near | far)-[:RACE]->(best)
      (root)-[:PROCESS]->(best)
    `;
    expect(bind(source, channel('near', 'in'), channel('far', 'in'))).toEqual({
      table: ['near | read query near', 'far | read query far'],
      found: [],
    });
  });
});

describe('a mistake is a finding', () => {
  test('an unknown node, with a suggestion', () => {
    expect(bind(shop, channel('prise', 'in'), channel('elsewhere', 'in'))).toEqual({
      table: [],
      found: [
        {
          code: 'GG5006',
          message: 'A channel names the unknown node prise.',
          hint: 'Did you mean price?',
          place: 'channels',
        },
        expect.objectContaining({ code: 'GG5006', hint: undefined }),
      ],
    });
  });

  test.each([
    ['price', 'out', {}, 'no mutation or subscription ends there'],
    ['form', 'in', {}, 'no query or subscription ends there, or begins there if it is a root'],
    ['price_moved', 'in', { subscribe: undefined }, 'no query ends there, or begins there if it is a root'],
    ['price', 'in', { read: undefined }, 'no subscription ends there, or begins there if it is a root'],
    ['price', 'inout', {}, 'no mutation or subscription ends there'],
    ['saved', 'inout', {}, 'no query or subscription ends there, or begins there if it is a root'],
  ] as const)('a node without an operation for its channel: %s, %s', (node, direction, more, missing) => {
    const { found } = bind(shop, channel(node, direction, more));
    expect(found).toEqual([
      {
        code: 'GG5007',
        message: `The node ${node} has a channel with the direction '${direction}', but ${missing}.`,
        hint: 'Bind the node at the other end of the edge, or give the channel another direction.',
        place: expect.stringMatching(/^test\.gg:\d:\d+$/),
      },
    ]);
  });

  test.each([
    ['in', 'in', 'in'],
    ['out', 'out', 'out'],
    ['inout', 'in', 'in'],
    ['out', 'inout', 'out'],
  ] as const)('two channels of a node with the same direction: %s and %s', (one, other, way) => {
    const source = `(root)-[:PROCESS { operation: 'list' }]->(saved) ${shop}`;
    const { table, found } = bind(source, channel('saved', one), channel('saved', other));
    expect(table.length).toBe(1);
    expect(found).toEqual([
      {
        code: 'GG5008',
        message: `The node saved has two channels for the direction '${way}'.`,
        hint: 'A node has at most one channel for each direction. Remove one of them.',
        place: 'test.gg:4:33',
      },
    ]);
  });

  test('two roots with channels for one operation', () => {
    const source = '(north | south | west)-[:PROCESS]->(stock { count: Int! })';
    const channels = ['north', 'south'].map((node) => channel(node, 'in'));
    const { ir, schema } = graphOf(source);
    const { diagnostics } = bindChannels(ir, schema, channels);
    expect(diagnostics.map(({ code, message, labels }) => ({ code, message, labels: labels.length }))).toEqual([
      {
        code: 'GG5009',
        message: 'The query stock has several channels: at north and south.',
        labels: 1,
      },
    ]);
    expect(bind(source, ...channels, channel('stock', 'in')).found.map(({ code }) => code)).toEqual([
      'GG5007',
      'GG5007',
    ]);
  });

  test.each([
    [null, 'undefined', 'it must be an object'],
    [7, 'undefined', 'it must be an object'],
    [{ ...channel('saved', 'out'), node: 5 }, '5', 'node must be the id of a node'],
    [channel('saved', 'out', { direction: 'up' }), 'saved', 'direction must be in, out or inout, not up'],
    [channel('saved', 'out', { direction: 'toString' }), 'saved', 'direction must be in, out or inout, not toString'],
    [channel('saved', 'out', { transport: '' }), 'saved', 'transport must be a non-empty string'],
    [channel('saved', 'out', { transport: undefined }), 'saved', 'transport must be a non-empty string'],
    [channel('saved', 'out', { timeout: 0 }), 'saved', 'timeout must be a positive number of milliseconds'],
    [channel('saved', 'out', { timeout: '5s' }), 'saved', 'timeout must be a positive number of milliseconds'],
    [channel('saved', 'out', { write: 'file' }), 'saved', 'write must be a function'],
    [channel('saved', 'out', { read: nothing }), 'saved', "the direction 'out' does not allow read"],
    [channel('saved', 'in', { write: nothing }), 'saved', "the direction 'in' does not allow write"],
    [channel('saved', 'out', { write: undefined }), 'saved', "the direction 'out' needs write"],
    [
      channel('saved', 'inout', { read: undefined, subscribe: undefined }),
      'saved',
      "the direction 'inout' needs read or subscribe",
    ],
    [channel('saved', 'inout', { write: undefined }), 'saved', "the direction 'inout' needs write"],
  ])('an invalid channel: %#', (given, node, problem) => {
    expect(bind(shop, given as RuntimeIoChannel).found).toEqual([
      {
        code: 'GG5010',
        message: `The channel of the node ${node} is invalid: ${problem}.`,
        hint: undefined,
        place: 'channels',
      },
    ]);
  });

  test('an instance of a class, except for one with the methods of a channel', () => {
    class Source {
      readonly node = 'price';
      readonly direction = 'in';
      readonly transport = 'class';
      readonly timeout = 5;
      read() {
        return null;
      }
    }
    expect(bind(shop, new Source())).toEqual({ table: ['price | read query price'], found: [] });
  });
});

describe('records', () => {
  const { schema } = graphOf(`
    (colour: Enum { values: [RED] })
    (when: Scalar)
    (part { name: String!, secret: String, constructor: String })
    (thing { id: ID!, colour: Colour = RED, parts: [Part!], main: Part, kind: 'thing', stamp: When })
    (other { id: ID! })
    (thing | other)-[:RACE]->(either)
    (root)-[:PROCESS { id: ID, colour: Colour, unknown: Int, name: String }]->(thing)
    (root)-[:PROCESS { operation: 'things', returns: [Thing]! }]->(thing)
    (root)-[:PROCESS { operation: 'maybe', returns: [Thing] }]->(thing)
    (root)-[:PROCESS { operation: 'count', returns: Int! }]->(thing)
    (root)-[:PROCESS]->(either)
    (form { id: ID!, name: String })-[:FOLD]->(saved { id: ID! })
    (form)-[:FOLD { operation: 'own', thing: Thing }]->(saved)
    (form)-[:FOLD { operation: 'list', things: [Thing!] }]->(saved)
    (form)-[:FOLD { operation: 'plain', id: ID }]->(saved)
    (form)-[:FOLD { operation: 'stamped', stamp: When }]->(saved)
    (form | part)-[:FOLD { operation: 'two' }]->(saved)
    (form)-[:FOLD { operation: 'none', returns: Saved }]->(saved)
    (saved)-[:FORK]->(thing)
    (saved)-[:FORK { operation: 'eithers' }]->(either)
  `);
  const all = [...schema.queries, ...schema.mutations, ...schema.subscriptions];
  const operation = (name: string, kind?: string): GqlOperation => {
    const found = all.find((one) => one.name === name && (kind === undefined || one.kind === kind));
    if (found === undefined) throw new Error(`There is no ${name}.`);
    return found;
  };

  test('of a mutation are its input, or its arguments if it has several', () => {
    const record = (name: string, args: object) => recordOf(schema, operation(name), { ...args }).record;
    expect(record('saved', { input: { id: 1 } })).toEqual({ id: 1 });
    expect(record('saved', { input: null })).toEqual({});
    expect(record('saved', {})).toEqual({});
    expect(record('own', { thing: { id: 1 } })).toEqual({ id: 1 });
    expect(record('list', { things: [{ id: 1 }] })).toEqual({ things: [{ id: 1 }] });
    expect(record('plain', { id: '1' })).toEqual({ id: '1' });
    const stamp = new Date(0);
    expect(record('stamped', { stamp })).toEqual({ stamp });
    expect(record('two', { form: { id: 1 }, part: { name: 'x' } })).toEqual({
      form: { id: 1 },
      part: { name: 'x' },
    });
  });

  test('are selected by the arguments with the names of their fields', () => {
    const args = { id: '1', colour: null, unknown: 5, name: undefined };
    expect(matchOf(schema, operation('thing', 'query'), args)).toEqual({ id: '1' });
    expect(matchOf(schema, operation('count'), args)).toEqual({});
  });

  test('are lists if the operation returns a list', () => {
    expect(['thing', 'things', 'maybe', 'count'].map((name) => isMany(operation(name)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('of an event have the fields that its type declares, and their constants', () => {
    const record = (event: unknown, name = 'thing') => eventRecord(schema, operation(name, 'subscription'), event);
    class Saved {
      readonly id = 1;
      readonly password = 'secret';
      get main() {
        return { name: 'm', hash: 'secret' };
      }
      parts() {
        return [];
      }
    }
    expect(record(new Saved())).toEqual({ id: 1, colour: 'RED', main: { name: 'm' }, kind: 'thing' });
    expect(record({ id: 2, parts: [{ name: 'p', secret: null, more: 1 }, null], colour: null, main: null })).toEqual({
      id: 2,
      colour: null,
      parts: [{ name: 'p', secret: null }, null],
      main: null,
      kind: 'thing',
    });
    expect(record({ id: 3, main: { name: 'm', constructor: 'Ada' } })).toMatchObject({
      main: { name: 'm', constructor: 'Ada' },
    });
    expect(record({ id: 3, parts: 'none', main: 'none' })).toMatchObject({ parts: 'none', main: 'none' });
    expect(record('text')).toBe('text');
    expect(record({ __typename: 'Other', id: 4 }, 'eithers')).toEqual({ __typename: 'Other', id: 4 });
  });
});
