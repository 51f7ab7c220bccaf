import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GqlServer } from '../../../src/runtime/server/gql-server.js';
import type { GqlServerOptions } from '../../../src/runtime/server/options.js';
import { EventReader } from '../../conformance/event-reader.js';
import { FakeLog } from '../../runtime/brokers/fake-broker.js';
import { subscribe } from '../../runtime/server/subscriber.js';
import { run, serve } from '../../runtime/server/topology-server.js';
import { type Recorder, startRecorder } from './recorder.js';

const source = `
  (form { id: ID! })-[:FOLD]->(save_user { id: ID! })
  (save_user)-[:FORK]->(user_saved: Event { id: ID! })
`;
const saved = 'subscription { userSaved { id } }';
const save = 'mutation { saveUser(input: { id: "7" }) { id } }';

let recorder: Recorder;
const servers: GqlServer[] = [];
beforeEach(() => {
  recorder = startRecorder();
});
afterEach(async () => {
  recorder.stop();
  for (const server of servers.splice(0)) {
    server.drain();
    await server.close();
  }
});

function instance(events?: GqlServerOptions['events']): GqlServer {
  const server = serve(source, {
    resolvers: { Mutation: { saveUser: (_: unknown, { input }: { input?: unknown }) => input } },
    eventFormat: 'cloudevents',
    ...(events && { events }),
  });
  servers.push(server);
  return server;
}

const ways = [
  ['in one process', 'gg-svc', () => Array(2).fill(instance())],
  [
    'over a broker',
    'fake',
    () => {
      const log = new FakeLog();
      return [instance(log.broker()), instance(log.broker())];
    },
  ],
] as const;

test.each(ways)('records publishing and delivery of an event as spans of its mutation, %s', async (_, system, make) => {
  const [publisher, other] = make() as [GqlServer, GqlServer];
  const subscriber = await subscribe(other, saved);
  const opened = recorder.span('gg.operation');
  recorder.forget();
  await run(publisher, save);
  expect(await subscriber.next()).toEqual({ data: { userSaved: { id: '7' } } });
  expect(recorder.tree()).toBe(
    ['gg.operation', '  gg.resolve Mutation.saveUser', '  publish userSaved', '    deliver userSaved'].join('\n'),
  );
  const [publish, deliver] = [recorder.span('publish userSaved'), recorder.span('deliver userSaved')];
  const common = { 'messaging.system': system, 'messaging.destination.name': 'userSaved' };
  expect([publish.kind, publish.attributes]).toEqual([
    3,
    { ...common, 'messaging.operation.name': 'publish', 'messaging.operation.type': 'send' },
  ]);
  expect([deliver.kind, deliver.attributes]).toEqual([
    4,
    {
      ...common,
      'messaging.operation.name': 'deliver',
      'messaging.operation.type': 'process',
      'gg.subscribers': 1,
    },
  ]);
  expect(deliver.links.map(({ context }) => context.traceId)).toEqual([opened.spanContext().traceId]);
});

test.each(ways)('delivers to a resuming subscriber in the trace of the mutation, %s', async (...way) => {
  const [publisher, other] = way[2]() as [GqlServer, GqlServer];
  const open = async (id: string) => {
    const headers = { 'last-event-id': id };
    return new EventReader(await other.fetch(new Request('http://a/api/userSaved', { headers })));
  };
  const first = await open('');
  await run(publisher, save);
  const id = (await first.next())?.id ?? '';
  await run(publisher, save);
  const direct = await first.next();
  await first.cancel();
  const resumed = await open(id);
  const again = await resumed.next();
  await resumed.cancel();
  expect(again).toEqual(direct);
  const { traceparent } = JSON.parse(again?.data ?? '');
  const publishing = recorder
    .spans()
    .filter(({ name }) => name === 'publish userSaved')
    .at(-1);
  const { traceId, spanId } = publishing?.spanContext() ?? {};
  expect(traceparent).toBe(`00-${traceId}-${spanId}-01`);
  const delivered = recorder.spans().filter(({ name }) => name === 'deliver userSaved');
  expect(delivered.slice(-2).map(({ parentSpanContext: parent }) => parent?.spanId)).toEqual([spanId, spanId]);
});

test('marks the span of an event as failed if the event cannot be published', async () => {
  const log = new FakeLog();
  const server = instance(log.broker(1));
  const results = await subscribe(server, saved);
  log.stop();
  const { errors } = await run(server, save);
  expect(errors[0].extensions.code).toBe('EVENT_NOT_PUBLISHED');
  expect(recorder.span('publish userSaved').status.code).toBe(2);
  await results.stop();
});

test('ignores a malformed trace context as a parent', async () => {
  const log = new FakeLog();
  const server = instance(log.broker());
  const subscriber = await subscribe(server, saved);
  recorder.forget();
  log.store({ id: '1', subscription: 'userSaved', payload: '{"id":"1"}', traceparent: 'nonsense' });
  await subscriber.next();
  expect(recorder.span('deliver userSaved').spanContext().traceId).toMatch(/^[\da-f]{32}$/);
});
