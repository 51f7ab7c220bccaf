import { describe, expect, test } from 'vitest';
import { memoryEvents, natsEvents } from '../../../src/index.js';
import { isBroker } from '../../../src/runtime/brokers/broker.js';
import { brokerOf, type EventsConfig } from '../../../src/runtime/brokers/brokers.js';
import { ConfigError, loadConfig } from '../../../src/runtime/server/load-config.js';
import { directoryWith, runCli } from '../../tools/cli/stand-in-io.js';

const source = `
  (form { id: ID! })-[:FOLD]->(save_user { id: ID! })
  (save_user)-[:FORK]->(user_saved: Event { id: ID! })
`;
const project = (events: object): string =>
  directoryWith({
    'main.gg': source,
    'package.json': '{}',
    'gg-svc.config.json': JSON.stringify({ sources: ['main.gg'], server: { port: 0, events } }),
  });

describe('the events of the project file', () => {
  test.each(['redis', 'redis-streams', 'nats', 'postgres'] as const)(
    'create the broker %s from a URL or a variable with one',
    (broker) => {
      const made = brokerOf({ broker, url: 'redis://localhost' }, {});
      expect(isBroker(made) && made.name).toBe(broker);
      expect(isBroker(brokerOf({ broker, urlFrom: 'PLACE' }, { PLACE: 'redis://localhost' }))).toBe(true);
    },
  );

  test('connect to nothing before a server uses them', async () => {
    const { serverOptions } = await withConfig({ broker: 'redis', url: 'redis://localhost:1' });
    expect(serverOptions.events).toMatchObject({ name: 'redis', state: { status: 'connecting' } });
  });

  test('keep them in memory without a URL', async () => {
    const { serverOptions } = await withConfig({ broker: 'memory', maxLength: 5, maxAge: 1_000 });
    expect(serverOptions.events).toEqual(memoryEvents({ maxLength: 5, maxAge: 1_000 }));
  });

  const mistakes: readonly (readonly [EventsConfig, string])[] = [
    [{ broker: 'redis' }, '“server.events.url” must be given, or “urlFrom”'],
    [{ broker: 'redis', url: 'redis://a', urlFrom: 'B' }, '“server.events.url” must be given, or “urlFrom”'],
    [
      { broker: 'nats', urlFrom: 'NOT_SET_ANYWHERE' },
      '“server.events.urlFrom” must name an environment variable that is set; NOT_SET_ANYWHERE is not',
    ],
    [
      { broker: 'redis', url: 'redis://a', maxLength: 5 },
      '“server.events.maxLength” must be absent: the broker redis does not use it',
    ],
    [
      { broker: 'nats', url: 'nats://a', stream: 'a.b' },
      '“server.events.stream” must have letters, digits, - and _ alone',
    ],
    [{ broker: 'nats', url: 'nats://a', partitions: 3 }, '“server.events.partitions” must be a power of two'],
    [
      { broker: 'postgres', url: 'postgres://a', table: 'a'.repeat(55), partitions: 2 },
      '“server.events.table” must have at most 54 bytes',
    ],
    [{ broker: 'memory', url: 'redis://a' }, '“server.events.url” must be absent: the broker memory does not use it'],
    [
      { broker: 'kafka' as 'nats', url: 'a' },
      '“server.events.broker” must be one of memory, redis, redis-streams, nats',
    ],
  ];
  test.each(mistakes)('that are wrong are GG5042 for programs and commands: %j', async (events, message) => {
    const error = await withConfig(events).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toContain(message);
    const { code, stderr } = await runCli(['serve'], { directory: project(events) });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[GG5042]')]);
    expect(stderr).toContain(message);
  });
});

test('a stream of NATS has a name that fits into subjects', () => {
  expect(() => natsEvents({ servers: 'nats://localhost', stream: 'a.b' })).toThrow(TypeError);
});

async function withConfig(events: object) {
  const loaded = await loadConfig({ directory: project(events) });
  if (loaded === undefined) throw new Error('There is no project file.');
  return loaded;
}
