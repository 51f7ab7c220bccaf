import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrokerEvent, type EventBroker, isBroker } from '../../../src/runtime/brokers/broker.js';
import { brokerOf, type EventsConfig } from '../../../src/runtime/brokers/brokers.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import { EventReader } from '../../conformance/event-reader.js';
import { bundlePrograms, programFolder } from '../../programs/bundle.mjs';
import { until } from '../server/http-server.js';
import { type BrokerServer, brokerCases, startProxy } from './broker-servers.js';
import { Heard } from './fake-broker.js';

const folder = programFolder('brokers');
const processes: ChildProcess[] = [];
const brokers: EventBroker[] = [];
const ends: (() => void)[] = [];

beforeAll(() => bundlePrograms(['test/runtime/brokers/instance.ts'], folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
  for (const end of ends.splice(0)) end();
});

function make(config: EventsConfig): EventBroker {
  const broker = brokerOf(config, {});
  if (!isBroker(broker)) throw new Error('The configuration names no broker.');
  brokers.push(broker);
  return broker;
}

async function listening(config: EventsConfig) {
  const broker = make(config);
  const heard = new Heard();
  await broker.listen(heard);
  return { broker, heard };
}

function event(payload: unknown): BrokerEvent {
  return { id: randomUUID(), subscription: 'userSaved', payload: JSON.stringify(payload) };
}

/** A server whose events come from a broker, and which is closed with it. */
function serveEvents(events: EventBroker) {
  const source = `
    (form { id: ID! })-[:FOLD]->(save_user { id: ID! })
    (save_user)-[:FORK]->(user_saved: Event { id: ID! })
  `;
  const resolvers = { Mutation: { saveUser: (_: unknown, { input }: { input?: unknown }) => input } };
  const server = createGqlServer({
    topologies: [{ name: 'a.gg', source }],
    resolvers,
    events,
    eventFormat: 'cloudevents',
  });
  const open = async (lastEventId = '') => {
    const headers = { 'last-event-id': lastEventId };
    return new EventReader(await server.fetch(new Request('http://a/api/userSaved', { headers })));
  };
  const publish = async (id: string) => {
    const query = 'mutation ($id: ID!) { saveUser(input: { id: $id }) { id } }';
    expect((await server.executeOperation({ query, variables: { id } })).errors).toBeUndefined();
  };
  return { open, publish };
}

describe.each(brokerCases)('$name', ({ name, keeps, start, url }) => {
  let server: BrokerServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());

  /** A log of its own for each test. */
  const fresh = (settings: Partial<EventsConfig> = {}): EventsConfig => {
    const own = `t${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    const key = { redis: 'channel', 'redis-streams': 'stream', nats: 'stream', postgres: 'table' }[name];
    // A busy machine must not reach the limit.
    return { broker: name, url: url(server.port), [key]: own, timeout: 120_000, ...settings };
  };

  test('delivers the events of each process to both, once and in the same order', async () => {
    const config = fresh();
    const [one, other] = [await listening(config), await listening(config)];
    await Promise.all(Array.from({ length: 500 }, (_, at) => (at % 2 === 0 ? one : other).broker.publish(event(at))));
    await until(() => one.heard.payloads.length === 500 && other.heard.payloads.length === 500);
    expect(one.heard.payloads).toEqual(other.heard.payloads);
    expect(new Set(one.heard.payloads).size).toBe(500);
    const own = one.heard.payloads.map(Number).filter((at) => at % 2 === 0);
    expect(own).toEqual([...own].sort((a, b) => a - b));
  });

  test('begins with events that are published after listening began', async () => {
    const config = fresh();
    const early = make(config);
    await early.publish(event('before'));
    const { broker, heard } = await listening(config);
    await broker.publish(event('after'));
    await until(() => heard.payloads.length > 0);
    expect(heard.payloads).toEqual(['"after"']);
  });

  test('carries large events, and all characters', async () => {
    const { broker, heard } = await listening(fresh());
    const values = ['x'.repeat(300_000), '\u0000 \u2028 \ud800 "\'\\ 日本 \r\n', { a: [null] }];
    for (const value of values) await broker.publish(event(value));
    await until(() => heard.payloads.length === 3);
    expect(heard.payloads).toEqual(values.map((value) => JSON.stringify(value)));
  });

  test('carries the events of subscriptions with any name, such as those of the fields of a log', async () => {
    const { broker, heard } = await listening(fresh());
    const names = ['id', 'subscription', 'name', 'payload', 'at', 'traceparent', 'previous', 'constructor'];
    for (const name of names) await broker.publish({ ...event(name), subscription: name });
    await until(() => heard.payloads.length === names.length);
    expect(heard.payloads).toEqual(names.map((name) => JSON.stringify(name)));
    expect(heard.names).toEqual(names);
  });

  test('waits for a slow process, and keeps the order', async () => {
    const config = fresh();
    const { broker } = await listening(config);
    const slow = make(config);
    const taken: number[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await slow.listen({
      event({ payload }) {
        taken.push(Number(payload));
        return held;
      },
      gap: () => taken.push(-1),
      log: () => undefined,
    });
    await broker.publish(event(0));
    await until(() => taken.length > 0);
    for (let at = 1; at < 2_000; at += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, add) => broker.publish(event(at + add))));
    }
    expect(taken).toEqual([0]);
    release();
    await until(() => taken.length === 2_001);
    expect(taken).toEqual(Array.from({ length: 2_001 }, (_, at) => at));
  });

  test('loses nothing under load while it is killed and restarted', async () => {
    const config = fresh();
    const [one, other] = await Promise.all([startInstance(config), startInstance(config)]);
    const [here, there] = await Promise.all([follow(one), follow(other)]);
    const acknowledged: string[] = [];
    const failed: string[] = [];
    let next = 0;
    const worker = async (port: number, count: number): Promise<void> => {
      for (let done = 0; done < count; done++) {
        const id = String(next++);
        ((await save(port, id)) ? acknowledged : failed).push(id);
      }
    };
    const load = (count: number) =>
      Promise.all([one, other, one, other, one, other].map((port) => worker(port, count)));
    await load(30);
    const during = load(60);
    await until(() => acknowledged.length > 200);
    await server.kill();
    await server.start();
    await during;
    await load(30);

    expect(failed).toEqual([]);
    expect(acknowledged).toHaveLength(720);
    const last = `last-${name}`;
    expect(await save(one, last)).toBe(true);
    await until(() => here.includes(last) && there.includes(last));
    for (const received of [here, there]) {
      expect(received).toHaveLength(new Set(received).size);
      // What happened while both were connected has arrived in any case.
      expect(received.slice(0, 180).sort()).toEqual(Array.from({ length: 180 }, (_, at) => String(at)).sort());
      if (keeps) expect([...received].sort()).toEqual([...acknowledged, last].sort());
    }
    if (keeps) expect(here).toEqual(there);
  });

  test('resumes delivery after a disconnect of one process', async () => {
    const proxy = await startProxy(server.port);
    ends.push(() => proxy.close());
    const config = fresh();
    const near = await listening(config);
    const far = await listening({ ...config, url: url(proxy.port) });
    await near.broker.publish(event(1));
    await until(() => far.heard.payloads.length === 1);
    proxy.cut();
    await until(() => far.broker.state.status === 'reconnecting');
    await near.broker.publish(event(2));
    proxy.mend();
    await until(() => far.broker.state.status === 'connected');
    await near.broker.publish(event(3));
    const expected = keeps ? ['1', '2', '3'] : ['1', '3'];
    await until(() => far.heard.payloads.length === expected.length);
    expect(far.heard.payloads).toEqual(expected);
    expect(far.heard.gaps).toEqual([]);
  });

  test.runIf(keeps)('reports the events that it no longer has after a disconnect', async () => {
    const proxy = await startProxy(server.port);
    ends.push(() => proxy.close());
    const config = fresh({ maxLength: 100 });
    const near = await listening(config);
    const far = await listening({ ...config, url: url(proxy.port) });
    await near.broker.publish(event(-1));
    await until(() => far.heard.payloads.length === 1);
    proxy.cut();
    await until(() => far.broker.state.status === 'reconnecting');
    const total = 3_000;
    for (let at = 0; at < total; at += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, add) => near.broker.publish(event(at + add))));
      await until(() => near.heard.payloads.length > at + 50);
    }
    proxy.mend();
    await until(() => far.heard.payloads.includes(String(total - 1)));
    expect(far.heard.gaps).toHaveLength(1);
    const [missing = 0] = far.heard.gaps;
    expect(far.heard.payloads.length - 2 + missing).toBe(total);
    expect(missing).toBeGreaterThan(0);
    // The gap stands where the events are missing.
    expect(far.heard.payloads[1]).toBe(`gap of ${missing}`);
    expect(near.heard.gaps).toEqual([]);
  });

  test.runIf(keeps)('reads its log back from a position, and stores an event once', async () => {
    const { broker } = await listening(fresh());
    const events = Array.from({ length: 250 }, (_, at) => event(at));
    for (const one of events) await broker.publish(one);
    await broker.publish(events.at(-1) as BrokerEvent);
    const read = async (after: number) => {
      const page = await broker.log?.read(after, 100);
      const found = page?.events.map(({ payload, position }) => [position?.sequence, payload]);
      return { last: page?.last, reached: page?.reached, found };
    };
    const found = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => [from + at + 1, String(from + at)]);
    expect(await read(0)).toEqual({ last: 250, reached: 100, found: found(0, 100) });
    expect(await read(200)).toEqual({ last: 250, reached: 250, found: found(200, 250) });
    expect(await read(250)).toEqual({ last: 250, reached: 250, found: [] });
  });

  test('keeps the position with which a stream begins, and when events were stored', async () => {
    const config = fresh();
    const one = serveEvents(make(config));
    const other = serveEvents(make(config));
    /** The position before the first event of all, and one after an event. */
    for (const id of ['1', '2']) {
      const cut = await one.open();
      await cut.block();
      await cut.cancel();
      expect(cut.lastId === undefined).toBe(!keeps);
      const live = await other.open();
      await live.block();
      const before = Date.now();
      await one.publish(id);
      const event = await live.next();
      await live.cancel();
      const { time, data } = JSON.parse(event?.data ?? '');
      expect(data).toEqual({ id });
      if (!keeps) {
        expect(time).toBeUndefined();
        continue;
      }
      // The clock of a broker in a container is that of this machine.
      expect(Math.abs(Date.parse(time) - before)).toBeLessThan(60_000);
      const resumed = await other.open(cut.lastId);
      expect(await resumed.next()).toEqual(event);
      await resumed.cancel();
    }
  });

  test('logs a rejected password, and publishing fails', async () => {
    const broker = make({ ...fresh(), url: url(server.port, 'wrong'), timeout: 1_500 });
    const heard = new Heard();
    broker.listen(heard).catch(() => undefined);
    await expect(broker.publish(event(1))).rejects.toMatchObject({ code: 'EVENT_NOT_PUBLISHED' });
    await until(() => heard.lines.length > 0);
    expect(broker.state.status).toBe('connecting');
    expect(heard.lines.join('\n')).toContain(`The event broker ${name} cannot be reached: `);
    expect(heard.lines.join('\n')).not.toContain('wrong');
    await broker.close();
  });

  test('that is unavailable at startup is used once it is available', async () => {
    const proxy = await startProxy(server.port);
    ends.push(() => proxy.close());
    proxy.cut();
    const broker = make({ ...fresh(), url: url(proxy.port) });
    const heard = new Heard();
    const opening = broker.listen(heard);
    const publishing = broker.publish(event(1));
    await until(() => heard.lines.length > 0);
    proxy.mend();
    await Promise.all([opening, publishing]);
    await broker.publish(event(2));
    await until(() => heard.payloads.includes('2'));
  });

  test('lets the process end by itself when it is closed', async () => {
    const port = await startInstance(fresh());
    const received = await follow(port);
    await save(port, '1');
    await until(() => received.length === 1);
    const child = processes.at(-1) as ChildProcess;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

/** Starts a process over a broker. Returns its port. */
async function startInstance(config: EventsConfig): Promise<number> {
  const child = spawn(process.execPath, [join(folder, 'instance.mjs'), JSON.stringify(config)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  for await (const line of createInterface(child.stdout)) return Number(line);
  throw new Error('The process ended.');
}

/** Whether a mutation was acknowledged. */
async function save(port: number, id: string): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/api/saveUser`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { id } }),
  });
  await response.arrayBuffer();
  return response.ok;
}

/** Subscribes over Server-Sent Events. The ids arrive in the list. */
async function follow(port: number): Promise<string[]> {
  const received: string[] = [];
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { userSaved { id } }' }),
  });
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data: {')) continue;
        const { data, errors } = JSON.parse(line.slice('data: '.length));
        received.push(errors === undefined ? data.userSaved.id : `error ${errors[0].message}`);
      }
    }
  };
  // The stream ends with the process.
  read().catch(() => undefined);
  return received;
}
