import { describe, expect, test } from 'vitest';
import { ask, post, run, serve } from '../../server/topology-server.js';

const echo = (_: unknown, args: object) => JSON.stringify(args);

const server = serve(
  `(book: Input { title: String!, pages: Int! = 1, author: Author!, tags: [String!]! = [] })
   (author: Input { name: String!, by: Contact })
   (contact: Input:OneOf { email: String, phone: String, at: Place })
   (place: Input { city: String! })
   (mail: Input:OneOf { to: String, copy: String })
   (book)-[:FOLD { returns: String }]->(saved)
   (root)-[:FOLD { returns: String, operation: 'reach', by: Contact! }]->(saved)
   (root)-[:PROCESS { returns: String, mail: Mail! }]->(sent)`,
  { resolvers: { Query: { sent: echo }, Mutation: { saved: echo, reach: echo } } },
);

const whole = { title: 'Emma', author: { name: 'Jane' } };

/** The arguments that the resolver got, over REST and GraphQL; the message of an error instead. */
async function both(operation: string, type: string, name: string, value: unknown) {
  const rest = await post(server, `/api/${operation}`, { [name]: value });
  const query = `mutation ($value: ${type}) { ${operation}(${name}: $value) }`;
  const answer = await run(server, query, { value });
  const data = answer.data?.[operation];
  return {
    rest: rest.status === 200 ? JSON.parse(JSON.parse(rest.text)) : `${rest.status} ${rest.body.detail}`,
    graphql: typeof data === 'string' ? JSON.parse(data) : answer.errors?.[0]?.message,
  };
}

describe('a declared input', () => {
  test('gets its defaults over REST and GraphQL', async () => {
    const input = { title: 'Emma', pages: 1, author: { name: 'Jane' }, tags: [] };
    expect(await both('saved', 'Book!', 'input', whole)).toEqual({ rest: { input }, graphql: { input } });
  });

  test.each([
    [{}, 'input.title', 'is missing'],
    [{ ...whole, author: {} }, 'input.author.name', 'is missing'],
    [{ ...whole, title: null }, 'input.title', 'must not be null'],
    [{ ...whole, pages: null }, 'input.pages', 'must not be null'],
    [{ ...whole, year: 1815 }, 'input.year', 'There is no parameter'],
  ])('is rejected with the path of the error: %j', async (value, path, fault) => {
    const { rest, graphql } = await both('saved', 'Book!', 'input', value);
    expect(rest).toMatch(/^400 /);
    expect(rest).toContain(path);
    expect(rest).toContain(fault);
    expect(graphql).toMatch(/^Variable "\$value" got invalid value/);
  });

  test('is required', async () => {
    const { status, body } = await post(server, '/api/saved', {});
    expect([status, body.detail]).toEqual([400, '“input” is missing.']);
  });
});

describe('an input of exactly one field', () => {
  test.each([{ email: 'a@b' }, { at: { city: 'Bath' } }])('accepts one field: %j', async (by) => {
    expect(await both('reach', 'Contact!', 'by', by)).toEqual({ rest: { by }, graphql: { by } });
  });

  test.each([{}, { email: 'a@b', phone: '1' }, { email: null }, { email: 'a@b', phone: null }])(
    'rejects anything else: %j',
    async (by) => {
      const { rest, graphql } = await both('reach', 'Contact!', 'by', by);
      expect(rest).toBe('400 “by” must have exactly one field, and not null.');
      expect(graphql).toMatch(/^Variable "\$value" got invalid value/);
    },
  );

  test('is also checked inside other inputs', async () => {
    const { rest } = await both('saved', 'Book!', 'input', { ...whole, author: { name: 'J', by: {} } });
    expect(rest).toBe('400 “input.author.by” must have exactly one field, and not null.');
  });

  test.each([
    ['?mail[to]=a', 200],
    ['?mail[to]=a&mail[copy]=b', 400],
    ['', 400],
  ])('is also checked in a query string: %s', async (query, status) => {
    expect((await ask(server, `/api/sent${query}`)).status).toBe(status);
  });
});
