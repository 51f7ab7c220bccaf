import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EventBroker } from '../../../src/runtime/brokers/broker.js';
import { until } from '../server/http-server.js';
import { FakeLog, Heard } from './fake-broker.js';

const brokers: EventBroker[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
});

async function listening(log: FakeLog, timeout?: number) {
  const broker = log.broker(timeout);
  brokers.push(broker);
  const heard = new Heard();
  await broker.listen(heard);
  return { broker, heard };
}

let published = 0;
function event(payload: string, id?: string) {
  published += 1;
  return { id: id ?? `id-${published}`, subscription: 'saved', payload };
}

describe('events of a broker', () => {
  test('reach every process in the order of the log, including its own events', async () => {
    const log = new FakeLog();
    const [one, other] = [await listening(log), await listening(log)];
    await Promise.all(['1', '2'].map((payload) => one.broker.publish(event(payload))));
    await other.broker.publish(event('3'));
    await until(() => one.heard.payloads.length === 3 && other.heard.payloads.length === 3);
    expect([one.heard.payloads, other.heard.payloads]).toEqual([
      ['1', '2', '3'],
      ['1', '2', '3'],
    ]);
  });

  test('that are published together are sent in one batch', async () => {
    const log = new FakeLog();
    const { broker } = await listening(log);
    await Promise.all(Array.from({ length: 100 }, (_, at) => broker.publish(event(String(at)))));
    expect(log.sent).toBe(1);
  });

  test('begin when listening begins', async () => {
    const log = new FakeLog();
    log.store(event('before'));
    const { broker, heard } = await listening(log);
    await broker.publish(event('after'));
    await until(() => heard.payloads.length > 0);
    expect(heard.payloads).toEqual(['after']);
  });

  test('are delivered once, even if their acknowledgement is lost and they are stored twice', async () => {
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    log.knowsIds = false;
    log.lostAcknowledgements = 2;
    await broker.publish(event('1'));
    await broker.publish(event('2'));
    await until(() => heard.payloads.includes('2'));
    expect(log.events).toHaveLength(4);
    expect(heard.payloads).toEqual(['1', '2']);
    expect(heard.gaps).toEqual([]);
  });

  test('wait for the listener', async () => {
    const log = new FakeLog();
    const broker = log.broker();
    brokers.push(broker);
    const taken: string[] = [];
    let goOn: () => void = () => undefined;
    await broker.listen({
      event({ payload }) {
        taken.push(payload);
        return new Promise((resolve) => {
          goOn = resolve;
        });
      },
      gap: () => undefined,
      log: () => undefined,
    });
    await Promise.all(['1', '2'].map((payload) => broker.publish(event(payload))));
    await until(() => taken.length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toEqual(['1']);
    goOn();
    await until(() => taken.length === 2);
  });
});

describe('an outage', () => {
  test('that is short delays published events, and loses none', async () => {
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    log.stop();
    const publishing = [broker.publish(event('1')), broker.publish(event('2'))];
    log.start();
    await Promise.all(publishing);
    await until(() => heard.payloads.length === 2);
    expect(heard.payloads).toEqual(['1', '2']);
    expect(heard.lines).toEqual([
      'The event broker fake has lost its connection: gone.',
      'The event broker fake is connected.',
    ]);
  });

  test('that is long fails published events with an error', async () => {
    const log = new FakeLog();
    const { broker, heard } = await listening(log, 100);
    log.stop();
    await expect(broker.publish(event('1'))).rejects.toMatchObject({
      code: 'EVENT_NOT_PUBLISHED',
      message:
        'The change was made, but its event was not published: it was not acknowledged by the event broker within 0.1 seconds.',
    });
    log.start();
    await until(() => broker.state.status === 'connected');
    await broker.publish(event('2'));
    await until(() => heard.payloads.length === 1);
    expect(heard.payloads).toEqual(['2']);
  });

  test('does not lose the position: events from other processes are delivered afterwards', async () => {
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    await broker.publish(event('1'));
    await until(() => heard.payloads.length === 1);
    log.stop();
    for (const payload of ['2', '3']) log.store(event(payload));
    log.start();
    await until(() => heard.payloads.length === 3);
    expect(heard.payloads).toEqual(['1', '2', '3']);
    expect(heard.gaps).toEqual([]);
  });

  test('with lost events is reported at their place, with their number', async () => {
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    await broker.publish(event('1'));
    await until(() => heard.payloads.length === 1);
    log.stop();
    for (const payload of ['2', '3', '4']) log.store(event(payload));
    log.trim(1);
    log.start();
    await until(() => heard.payloads.length === 3);
    expect(heard.payloads).toEqual(['1', 'gap of 2', '4']);
    expect(heard.lines).toContain('The event broker fake no longer has 2 events: they are missing.');
  });

  test('reports no gap if only the last event itself is gone', async () => {
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    await broker.publish(event('1'));
    await until(() => heard.payloads.length === 1);
    log.stop();
    log.events = [];
    log.start();
    await broker.publish(event('2'));
    await until(() => heard.payloads.length === 2);
    expect(heard.payloads).toEqual(['1', '2']);
  });

  test('after which the log is another one is reported, and its existing events are not delivered', async () => {
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    await broker.publish(event('1'));
    await until(() => heard.payloads.length === 1);
    log.stop();
    log.forget();
    log.store(event('2'));
    log.start();
    await until(() => heard.payloads.length === 2);
    await broker.publish(event('3'));
    await until(() => heard.payloads.length === 3);
    expect(heard.payloads).toEqual(['1', 'gap of undefined', '3']);
  });

  test('before the first connection delays listening and publishing', async () => {
    const log = new FakeLog();
    log.stop();
    const broker = log.broker();
    brokers.push(broker);
    const heard = new Heard();
    const opening = broker.listen(heard);
    const publishing = broker.publish(event('1'));
    await until(() => heard.lines.length > 0);
    expect(broker.state.status).toBe('connecting');
    log.start();
    await Promise.all([opening, publishing]);
    expect(broker.state.status).toBe('connected');
    await until(() => heard.payloads.length === 1);
    expect(heard.lines).toEqual([
      'The event broker fake cannot be reached: refused.',
      'The event broker fake is connected.',
    ]);
  });

  test('in which the connection hangs ends with a new connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const log = new FakeLog();
    const { broker, heard } = await listening(log, 400);
    log.isMute = true;
    const publishing = broker.publish(event('1'));
    await vi.advanceTimersByTimeAsync(200);
    expect(broker.state.status).toBe('reconnecting');
    log.isMute = false;
    // The first pause before it connects.
    await vi.advanceTimersByTimeAsync(50);
    await publishing;
    expect(heard.payloads).toEqual(['1']);
  });
});

describe('a connection that delivers nothing more without a word', () => {
  /** Two looks at the log, each of which ends before the next one. */
  async function lookTwice(log: FakeLog) {
    for (let look = 0; look < 2; look++) {
      const { reads } = log;
      await vi.advanceTimersByTimeAsync(5_000);
      await until(() => log.reads > reads);
      await new Promise(setImmediate);
    }
  }

  test.each([0, 3])('is replaced, and nothing is lost (%i events before)', async (before) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    for (let at = 0; at < before; at++) await broker.publish(event('before'));
    await until(() => heard.payloads.length === before);
    log.fallSilent();
    for (let at = 0; at < 5; at++) await broker.publish(event(`after ${at}`));
    await lookTwice(log);
    await until(() => heard.payloads.length === before + 5);
    expect([heard.payloads.slice(before), heard.gaps]).toEqual([[0, 1, 2, 3, 4].map((at) => `after ${at}`), []]);
  });

  test('is replaced once if the log has dropped the events', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const log = new FakeLog();
    const { broker } = await listening(log);
    log.fallSilent();
    await broker.publish(event('dropped'));
    log.trim(0);
    for (let look = 0; look < 3; look++) await lookTwice(log);
    expect(log.connections).toBe(2);
  });

  test('is not one whose listener takes long', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const log = new FakeLog();
    const broker = log.broker();
    brokers.push(broker);
    let take = (): void => undefined;
    const heard: string[] = [];
    await broker.listen({
      event: ({ payload }) => {
        heard.push(payload);
        return new Promise<void>((resolve) => {
          take = resolve;
        });
      },
      gap: () => undefined,
      log: () => undefined,
    });
    for (const payload of ['1', '2']) await broker.publish(event(payload));
    for (let look = 0; look < 3; look++) await lookTwice(log);
    const { connections } = log;
    take();
    await until(() => heard.length === 2);
    take();
    expect([connections, heard]).toEqual([1, ['1', '2']]);
  });
});

describe('an event', () => {
  test('that is too large for the broker is rejected at once, and does not delay others', async () => {
    const { broker, heard } = await listening(new FakeLog());
    await expect(broker.publish(event('x'.repeat(1_001)))).rejects.toThrow(
      'it has more than the 1000 bytes that the event broker takes',
    );
    await broker.publish(event('small'));
    await until(() => heard.payloads.length === 1);
  });

  test('is rejected if too many wait, so that memory does not grow', async () => {
    const log = new FakeLog();
    log.stop();
    const broker = log.broker(100);
    brokers.push(broker);
    const refused = Array.from({ length: 10_001 }, (_, at) => broker.publish(event(String(at))));
    const [last] = await Promise.allSettled(refused.slice(-1));
    expect(last).toMatchObject({ status: 'rejected', reason: { code: 'EVENT_NOT_PUBLISHED' } });
    expect((await Promise.allSettled(refused)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(log.sent).toBe(0);
  });
});

describe('close', () => {
  test('waits for events in flight, and rejects later ones', async () => {
    const log = new FakeLog();
    const { broker } = await listening(log);
    log.stop();
    const publishing = broker.publish(event('1'));
    const closing = broker.close();
    log.start();
    await Promise.all([publishing, closing]);
    expect(log.events.map(({ event: { payload } }) => payload)).toEqual(['1']);
    await expect(broker.publish(event('2'))).rejects.toMatchObject({ code: 'EVENT_NOT_PUBLISHED' });
  });

  test('ends the attempts to connect, and rejects callers that wait for the first connection', async () => {
    const log = new FakeLog();
    log.stop();
    const broker = log.broker();
    const opening = broker.listen(new Heard());
    const refused = expect(opening).rejects.toThrow('The event broker was closed.');
    await broker.close();
    await refused;
  });

  test('delivers nothing afterwards', async () => {
    const log = new FakeLog();
    const { broker, heard } = await listening(log);
    await broker.close();
    log.store(event('late'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard.payloads).toEqual([]);
  });
});

test('a broker belongs to one server', async () => {
  const { broker } = await listening(new FakeLog());
  await expect(broker.listen(new Heard())).rejects.toThrow('An event broker belongs to one server');
});
