import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import { GraphQLError, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { StreamCut } from '../../../../src/runtime/http/sse/stream-cut.js';
import type { GqlServer } from '../../../../src/runtime/server/gql-server.js';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import { EventReader } from '../../../conformance/event-reader.js';
import { type Answer, ask, post, serve } from '../../server/topology-server.js';

const source = `
  (root)-[:PROCESS]->(hello { text: 'Hello' })
  (root)-[:PROCESS { operation: 'count', returns: Int! }]->(hello)
  (root)-[:PROCESS]->(person: Record { id: ID!, friend: Person, mood: Mood })
  (root)-[:PROCESS]->(mood: Record { text: String! })
  (root)-[:PROCESS]->(broken: Record { value: String })
  (form: Input { text: String! })-[:FOLD { operation: 'say', returns: Said! }]->(said: Record { text: String! })
  (said)-[:FORK]->(heard: Event { text: String! })
`;

interface Counted {
  readonly server: GqlServer;
  /** How often resolvers have run. */
  calls(): number;
}

function start(plugins: readonly Plugin[], options: Partial<GqlServerOptions> = {}): Counted {
  let calls = 0;
  const server = serve(source, {
    resolvers: {
      Query: {
        count: () => ++calls,
        person: () => {
          calls++;
          return { id: '1', friend: { id: '2', mood: { text: 'well' } } };
        },
        broken: () => {
          throw new Error('password=hunter2');
        },
      },
      Mutation: { say: (_: unknown, { input }: { input?: unknown }) => input },
    },
    plugins: { yoga: plugins },
    ...options,
  });
  return { server, calls: () => calls };
}

afterEach(() => void vi.restoreAllMocks());

const hello = { data: { hello: { text: 'Hello' } } };
const json = { 'content-type': 'application/json' };

describe('persisted operations', () => {
  const documents: Record<string, string> = {
    hello: '{ hello { text } }',
    broken: '{ broken { value } }',
    wide: '{ a: hello { text } b: hello { text } c: hello { text } }',
    invalid: '{ nothing }',
    say: 'mutation ($text: String!) { say(input: { text: $text }) { text } }',
    heard: 'subscription { heard { text } }',
  };
  const persisted = (): Plugin => usePersistedOperations({ getPersistedOperation: (id) => documents[id] ?? null });
  const by = (sha256Hash: string, more: object = {}): object => ({
    extensions: { persistedQuery: { version: 1, sha256Hash } },
    ...more,
  });

  test('run by their id, by POST and by GET', async () => {
    const { server } = start([persisted()]);
    expect((await post(server, '/graphql', by('hello'))).body).toEqual(hello);
    const extensions = encodeURIComponent(JSON.stringify({ persistedQuery: { version: 1, sha256Hash: 'hello' } }));
    expect((await ask(server, `/graphql?extensions=${extensions}`)).body).toEqual(hello);
    const said = await post(server, '/graphql', by('say', { variables: { text: 'Hi' } }));
    expect(said.body).toEqual({ data: { say: { text: 'Hi' } } });
  });

  test('run as documents that were parsed before', async () => {
    const { parse } = await import('graphql');
    const parsed = usePersistedOperations({ getPersistedOperation: (id) => parse(documents[id] ?? '') });
    const { server } = start([parsed], { limits: { aliases: 2 } });
    expect((await post(server, '/graphql', by('hello'))).body).toEqual(hello);
    const wide = await post(server, '/graphql', by('wide'));
    expect(wide.body.errors[0].extensions.code).toBe('ALIASES_LIMIT_EXCEEDED');
  });

  test('are the only accepted ones: others get the error of the plugin', async () => {
    const { server } = start([persisted()]);
    const codeOf = ({ body }: Answer): string => body.errors[0].extensions.code;
    const text = await post(server, '/graphql', { query: documents.hello });
    expect([text.body.data, codeOf(text)]).toEqual([undefined, 'CANNOT_SEND_PQ_ID_AND_BODY']);
    expect(codeOf(await post(server, '/graphql', by('nothing')))).toBe('PERSISTED_QUERY_NOT_IN_LIST');
    expect(codeOf(await post(server, '/graphql', {}))).toBe('PERSISTED_QUERY_ID_REQUIRED');
    for (const accept of ['text/event-stream', 'application/json, text/event-stream']) {
      const answer = await ask(server, '/graphql', {
        method: 'POST',
        headers: { ...json, accept },
        body: JSON.stringify({ query: documents.hello }),
      });
      expect(answer.text).toContain('CANNOT_SEND_PQ_ID_AND_BODY');
    }
  });

  test('are subject to the limits, and their errors are masked', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { server } = start([persisted()], { limits: { aliases: 2, masking: true, body: 500 } });
    expect((await post(server, '/graphql', by('wide'))).body.errors[0].extensions.code).toBe('ALIASES_LIMIT_EXCEEDED');
    expect((await post(server, '/graphql', by('invalid'))).body.errors[0].message).toContain('nothing');
    const broken = await post(server, '/graphql', by('broken'));
    expect(broken.body.errors[0].message).toBe('Unexpected error.');
    expect(broken.text).not.toContain('hunter2');
    expect(log).toHaveBeenCalledTimes(1);
    const large = await post(server, '/graphql', by('say', { variables: { text: 'x'.repeat(500) } }));
    expect(large.status).toBe(413);
    const forged = { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' };
    const body = JSON.stringify(by('hello'));
    const refused = await ask(server, '/graphql', { method: 'POST', headers: forged, body });
    expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([400, 'CSRF_PREVENTED']);
  });

  test('may be subscriptions', async () => {
    const { server } = start([persisted()]);
    const response = await server.fetch(
      new Request('http://test.local/graphql', {
        method: 'POST',
        headers: { ...json, accept: 'text/event-stream' },
        body: JSON.stringify(by('heard')),
      }),
    );
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let text = '';
    const read = async (until: string): Promise<void> => {
      while (!text.includes(until)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`The stream ended: ${text}`);
        text += decoder.decode(value, { stream: true });
      }
    };
    await read('\n\n');
    await post(server, '/graphql', by('say', { variables: { text: 'Hi' } }));
    await read('{"data":{"heard":{"text":"Hi"}}}');
    server.drain();
    // The stream is cut: its client has to come back.
    await expect(read('event: complete')).rejects.toThrow(StreamCut);
  });
});

describe('a subscription', () => {
  const copying: Plugin = {
    onSubscribe: () => ({
      onSubscribeResult: () => ({
        onNext: ({ result, setResult }) => setResult({ ...result, extensions: { copied: true } }),
      }),
    }),
  };
  const untouched: Plugin = {};
  const query = 'subscription { heard { text } }';

  test.each([
    ['passes results on', untouched],
    ['copies results', copying],
  ])('has the ids of events with a plugin that %s, and resumes', async (_, plugin) => {
    const { server } = start([plugin]);
    const follow = async (lastEventId = '') => {
      const url = `http://test.local/graphql?query=${encodeURIComponent(query)}`;
      const headers = { accept: 'text/event-stream', 'last-event-id': lastEventId };
      return server.fetch(new Request(url, { headers }));
    };
    const cut = new EventReader(await follow());
    expect((await cut.block())?.has('data')).toBe(false);
    await cut.cancel();
    for (const text of ['one', 'two'])
      await post(server, '/graphql', { query: `mutation { say(input: { text: "${text}" }) { text } }` });
    const resumed = new EventReader(await follow(cut.lastId));
    const [first, second] = [await resumed.next(), await resumed.next()];
    expect([first?.data, second?.data]).toEqual([
      expect.stringContaining('"text":"one"'),
      expect.stringContaining('"text":"two"'),
    ]);
    expect([first?.id, second?.id]).toEqual([expect.stringMatching(/:1-\w+$/), expect.stringMatching(/:2-\w+$/)]);
    await resumed.cancel();
    const again = new EventReader(await follow(first?.id));
    expect((await again.next())?.data).toContain('"text":"two"');
    await again.cancel();
    expect((await follow('forged')).status).toBe(400);
  });
});

describe('the response cache', () => {
  const cached = (): Plugin => useResponseCache({ session: () => null });

  test('answers repeats without resolvers', async () => {
    const { server, calls } = start([cached()]);
    const query = '{ count person { id friend { id mood { text } } } }';
    const first = await post(server, '/graphql', { query });
    const second = await post(server, '/graphql', { query });
    expect(first.body.data).toEqual({
      count: 1,
      person: { id: '1', friend: { id: '2', mood: { text: 'well' } } },
    });
    expect(second.body).toEqual(first.body);
    expect(calls()).toBe(2);
    const etag = second.headers.get('etag') as string;
    const unchanged = await ask(server, '/graphql', {
      method: 'POST',
      headers: { ...json, 'if-none-match': etag },
      body: JSON.stringify({ query }),
    });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  });

  test('adds fields that do not count towards the limits', async () => {
    const { server } = start([cached()], { limits: { aliases: 1, cost: 8 } });
    const { body } = await post(server, '/graphql', { query: '{ a: person { friend { id } } }' });
    expect(body.data).toEqual({ a: { friend: { id: '2' } } });
    const { body: beyond } = await post(server, '/graphql', { query: '{ a: count b: count }' });
    expect(beyond.errors[0].extensions.code).toBe('ALIASES_LIMIT_EXCEEDED');
  });

  test('keeps no answer with errors', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { server, calls } = start([cached()]);
    const query = '{ count broken { value } }';
    await post(server, '/graphql', { query });
    expect((await post(server, '/graphql', { query })).body.data.count).toBe(2);
    expect(calls()).toBe(2);
  });
});

describe('plugins of Yoga', () => {
  test('get every GraphQL request, but no REST requests', async () => {
    const seen: string[] = [];
    const watch: Plugin = {
      onParams: ({ params }) => void seen.push(params.query ?? ''),
      onParse: () => void seen.push('parse'),
      onExecute: () => void seen.push('execute'),
    };
    const { server } = start([watch]);
    const query = '{ hello { text } }';
    for (let times = 0; times < 2; times++) await post(server, '/graphql', { query });
    expect(seen).toEqual([query, 'parse', 'execute', query, 'parse', 'execute']);
    await ask(server, '/api/hello');
    expect(seen).toHaveLength(6);
  });

  test('may add rules, which run after those of the server', async () => {
    const noFragments: ValidationRule = (context) => ({
      FragmentDefinition: () => context.reportError(new GraphQLError('No fragments.')),
    });
    const { server } = start([{ onValidate: ({ addValidationRule }) => addValidationRule(noFragments) }]);
    const query = '{ hello { ...F } } fragment F on Hello { text }';
    expect((await post(server, '/graphql', { query })).body.errors).toMatchObject([{ message: 'No fragments.' }]);
    const unknown = await post(server, '/graphql', { query: '{ nothing }' });
    expect(unknown.body.errors[0].message).toContain('nothing');
    expect((await post(server, '/graphql', { query: '{ hello { text } }' })).body).toEqual(hello);
  });

  test('get operations in batches', async () => {
    const seen: unknown[] = [];
    const { server } = start([{ onParams: ({ params }) => void seen.push(params.query) }], {
      limits: { batching: 2 },
    });
    const batch = [{ query: '{ hello { text } }' }, { query: '{ count }' }];
    expect((await post(server, '/graphql', batch)).body).toEqual([hello, { data: { count: 1 } }]);
    expect(seen).toHaveLength(2);
  });

  const fail = (): never => {
    throw new Error('password=hunter2');
  };
  const hooks: Record<string, Plugin> = {
    onPluginInit: { onPluginInit: fail },
    onYogaInit: { onYogaInit: fail },
    onRequest: { onRequest: fail },
    onRequestParse: { onRequestParse: fail },
    onParams: { onParams: fail },
    'onParams, later': { onParams: async () => fail() },
    onParse: { onParse: fail },
    onValidate: { onValidate: fail },
    onContextBuilding: { onContextBuilding: fail },
    onExecute: { onExecute: fail },
    onExecuteDone: { onExecute: () => ({ onExecuteDone: fail }) },
    onExecutionResult: { onExecutionResult: fail },
    onResponse: { onResponse: fail },
  };

  test.each(Object.entries(hooks))('%s: an error is masked, and the server keeps running', async (_, plugin) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { server } = start([plugin], { limits: { masking: true } });
    for (let times = 0; times < 2; times++) {
      const { text, body, status } = await post(server, '/graphql', { query: '{ hello { text } }' });
      expect(text).not.toContain('hunter2');
      expect([200, 500]).toContain(status);
      expect(body.errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR');
    }
    expect(String(log.mock.calls.flat())).toContain('hunter2');
    expect((await ask(server, '/api/hello')).status).toBe(200);
  });

  test('reject requests with errors for the client', async () => {
    const refuse = (): never => {
      throw new GraphQLError('Not today.', { extensions: { code: 'CLOSED' } });
    };
    const { server } = start([{ onParams: refuse }], { limits: { masking: true } });
    const { body } = await post(server, '/graphql', { query: '{ hello { text } }' });
    expect(body.errors).toEqual([{ message: 'Not today.', extensions: { code: 'CLOSED' } }]);
  });
});
