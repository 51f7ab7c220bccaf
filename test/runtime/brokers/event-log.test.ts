import { describe, expect, test } from 'vitest';
import { beforeFirst, type EventPosition } from '../../../src/runtime/brokers/broker.js';
import { EventLog } from '../../../src/runtime/brokers/event-log.js';

/** A log that does not exist before its first event, as a stream of Redis does not. */
function logOfStream() {
  const stream = { log: beforeFirst.log, events: [] as string[] };
  const log = new EventLog({
    name: 'stream',
    read: (after) => ({
      log: stream.log,
      last: stream.events.length,
      reached: stream.events.length,
      events: stream.events.slice(after).map((payload, at) => {
        const position: EventPosition = { log: stream.log, sequence: after + at + 1 };
        return { id: payload, subscription: 'seen', payload, position };
      }),
    }),
    valueOf: ({ payload }) => payload,
    latest: () => ({ log: stream.log, sequence: stream.events.length }),
  });
  const store = (name: string, ...events: readonly string[]) => {
    stream.log = name;
    stream.events = [...events];
  };
  const read = async (backlog: Awaited<ReturnType<EventLog['readAfter']>>) =>
    (await backlog.read()).steps.map((step) => ('missing' in step ? step : step.payload));
  return { log, store, read };
}

describe('a subscriber that resumes before the first event of a log', () => {
  test('gets all events, whenever the log begins', async () => {
    const { log, store, read } = logOfStream();
    const id = String(log.latestId);
    const [early, late] = [await log.readAfter(id, 'seen'), await log.readAfter(id, 'seen')];
    expect(await read(early)).toEqual([]);
    store('one', 'a', 'b');
    for (const backlog of [early, late, await log.readAfter(id, 'seen')]) {
      expect(await read(backlog)).toEqual(['a', 'b']);
      expect(backlog.isPast({ log: 'one', sequence: 2 })).toBe(true);
    }
  });

  test('is told that events are lost if another log begins after it', async () => {
    const { log, store, read } = logOfStream();
    const backlog = await log.readAfter(String(log.latestId), 'seen');
    store('one', 'a');
    expect(await read(backlog)).toEqual(['a']);
    store('two', 'b');
    expect(await read(backlog)).toEqual([{ missing: undefined }]);
  });
});
