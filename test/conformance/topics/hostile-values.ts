import { GraphQLError, GraphQLScalarType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GqlServerOptions } from '../../../src/index.js';
import { get, post } from '../client.js';
import type { RunningHost } from '../hosts.js';
import type { Topic } from '../topics.js';
import type { ConformanceContext } from '../topology.js';

const secret = 'hunter2';

const cyclic: Record<string, unknown> = { secret };
cyclic.self = cyclic;

/** Values of a custom scalar that JSON has no text for, or whose text cannot be made. */
const values: Readonly<Record<string, () => unknown>> = {
  'a function': () => () => secret,
  'a symbol': () => Symbol(secret),
  'a toJSON that returns undefined': () => ({ toJSON: () => undefined }),
  'a toJSON that throws': () => ({
    toJSON() {
      throw new Error(secret);
    },
  }),
  'a bigint': () => 1n,
  'a circle': () => cyclic,
  'a getter that throws': () =>
    Object.defineProperty({}, 'x', {
      enumerable: true,
      get() {
        throw new Error(secret);
      },
    }),
};

/** Errors that cannot be written as JSON. */
const errors: Readonly<Record<string, () => unknown>> = {
  'an error with a circle': () => new GraphQLError('No.', { extensions: { cyclic } }),
  'an error with a bigint': () => new GraphQLError('No.', { extensions: { at: 1n } }),
  'an error with a toJSON that throws': () =>
    new GraphQLError('No.', { extensions: { at: values['a toJSON that throws']?.() } }),
  'an error that is an object without a prototype': () => Object.assign(Object.create(null), { secret }),
};

const source = `
(anything: Scalar)
(thing: Record { id: ID })
(root)-[:PROCESS { name: String!, operation: 'value', returns: Anything }]->(thing)
(root)-[:PROCESS { name: String!, operation: 'failure', returns: Anything }]->(thing)
`;

const options: GqlServerOptions<ConformanceContext> = {
  topologies: [{ name: 'values.gg', source }],
  limits: { masking: true },
  context: (request: Request) => {
    const failure = errors[request.headers.get('x-fail') ?? ''];
    if (failure !== undefined) throw failure();
    return { name: null };
  },
  resolvers: {
    Anything: new GraphQLScalarType({ name: 'Anything', serialize: (value) => value }),
    Query: {
      value: (_: unknown, { name }: { name: string }) => values[name]?.(),
      failure: async (_: unknown, { name }: { name: string }) => {
        throw errors[name]?.();
      },
    },
  },
};

/** Values and errors that cannot be written: an answered, masked error, and the process lives. */
export const hostileValues: Topic = {
  name: 'values that cannot be written',
  define(host) {
    let server: RunningHost;
    const unhandled: unknown[] = [];
    const note = (reason: unknown): number => unhandled.push(reason);
    beforeAll(async () => {
      process.on('unhandledRejection', note);
      server = await host.start(options);
    });
    afterAll(() => {
      process.off('unhandledRejection', note);
      expect(unhandled).toEqual([]);
    });

    const accepts = ['application/json', 'application/graphql-response+json'];

    /** Asks in every form, three times: the server comes to know the operation. */
    async function askAll(field: string, name: string, headers: Record<string, string> = {}): Promise<void> {
      const query = `{ ${field}(name: ${JSON.stringify(name)}) }`;
      for (let time = 0; time < 3; time++) {
        const overRest = await get(server, `/api/${field}?name=${encodeURIComponent(name)}`, { headers });
        expect([overRest.status, overRest.body]).toMatchObject([500, { status: 500 }]);
        expect(overRest.text).not.toContain(secret);
        for (const accept of accepts) {
          const posted = await post(server, '/graphql', { query }, { accept, ...headers });
          const got = await get(server, `/graphql?query=${encodeURIComponent(query)}`, {
            headers: { accept, ...headers },
          });
          for (const { status, body, text } of [posted, got]) {
            expect([200, 500]).toContain(status);
            expect(body.errors[0].message).toBe('Unexpected error.');
            expect(text).not.toContain(secret);
          }
        }
      }
    }

    test.each(Object.keys(values))('%s', (name) => askAll('value', name));
    test.each(Object.keys(errors))('%s', (name) => askAll('failure', name));
    test.each(Object.keys(errors))('%s that the context throws', (name) =>
      askAll('value', 'a function', { 'x-fail': name }),
    );
  },
};
