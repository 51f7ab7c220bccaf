import { describe, expect, test } from 'vitest';
import { compare, type Heard, isFine, type Published, stillPossible } from '../../../src/tools/drill/tally.js';

const idOf = (number: number) => `n-l:${number}-e${number}`;

function published(count: number, { possible = 0, hasReceipts = true } = {}): Published {
  return {
    acknowledged: count,
    unanswered: possible,
    events: new Map([['saved', count]]),
    possible: new Map([['saved', possible]]),
    receipts: hasReceipts
      ? Array.from({ length: count }, (_, at) => ({ id: idOf(at + 1), subscriptions: ['saved'] }))
      : [],
  };
}

function heard(ids: readonly (number | undefined)[], told: Heard['told'] = {}): Heard {
  return {
    name: 'saved over SSE',
    subscription: 'saved',
    ids: ids.map((id) => (id === undefined ? undefined : idOf(id))),
    told,
  };
}

const fine = { lost: 0, lostSilently: 0, doneTwice: 0, repeated: 0, outOfOrder: 0 };
const kept = { keepsEvents: true };
const unkept = { keepsEvents: false };

describe('what clients got', () => {
  test('is fine if it is what was published', () => {
    const verdict = compare(published(3), [heard([1, 2, 3]), heard([1, 2, 3])], kept);
    expect([verdict, isFine(verdict)]).toEqual([fine, true]);
  });

  test('may include the events of calls without an answer', () => {
    expect(compare(published(2, { possible: 1 }), [heard([1, 2, 3])], kept)).toEqual(fine);
  });

  test('lacks the receipt of a lost event, even if another event came in its place', () => {
    const verdict = compare(published(2, { possible: 1 }), [heard([1, 3])], kept);
    expect([verdict, isFine(verdict)]).toEqual([{ ...fine, lostSilently: 1 }, false]);
  });

  test('counts as told after EVENTS_LOST', () => {
    const verdict = compare(published(3), [heard([1], { EVENTS_LOST: 1 })], kept);
    expect([verdict, isFine(verdict)]).toEqual([{ ...fine, lost: 2 }, true]);
  });

  test('counts the end of a stream as told only if the broker keeps nothing', () => {
    const client = heard([undefined], { 'close 1006': 1 });
    const two = published(2, { hasReceipts: false });
    expect(compare(two, [client], unkept)).toEqual({ ...fine, lost: 1 });
    expect(compare(two, [client], kept)).toEqual({ ...fine, lostSilently: 1 });
    expect(compare(two, [heard([undefined])], unkept)).toEqual({ ...fine, lostSilently: 1 });
  });

  test('has more events than calls if a change was made twice', () => {
    const client = heard([1, 2, 3, 4]);
    const verdict = compare(published(2, { possible: 1 }), [client], kept);
    expect([verdict, isFine(verdict)]).toEqual([{ ...fine, doneTwice: 1 }, false]);
    const extra = new Map([['saved', 1]]);
    expect(compare(published(2, { possible: 1 }), [client], { ...kept, extra })).toEqual(fine);
  });

  test('is judged by its ids: delivered twice, and out of order', () => {
    expect(compare(published(2), [heard([1, 2, 2])], kept)).toEqual({ ...fine, repeated: 1 });
    expect(compare(published(2), [heard([2, 1])], kept)).toEqual({ ...fine, outOfOrder: 1 });
  });

  describe('in partitions', () => {
    const places = (at: number) => `~l0:${at}-e~l2:${at}-e`;
    const inPartition = (number: number, partition: number) => `${idOf(number)}.${partition}`;
    const two: Published = {
      ...published(2),
      receipts: [0, 1].map((at) => ({ id: inPartition(1, at) + places(0), subscriptions: ['saved'] })),
    };
    const hears = (...events: readonly string[]): Heard => ({
      ...heard([]),
      ids: events.map((event, at) => event + places(at + 1)),
    });

    test('is the same events, whatever places of other partitions their ids have', () => {
      expect(compare(two, [hears(inPartition(1, 1), inPartition(1, 0))], kept)).toEqual(fine);
      expect(compare(two, [hears(inPartition(1, 1))], kept)).toEqual({ ...fine, lostSilently: 1 });
      const again = hears(inPartition(1, 1), inPartition(1, 0), inPartition(1, 1));
      expect(compare(two, [again], kept)).toEqual({ ...fine, repeated: 1 });
      expect(stillPossible({ ...two, possible: new Map([['saved', 1]]) }, [again])).toEqual(new Map([['saved', 1]]));
    });

    test('is in order if each partition is', () => {
      const late = { ...published(3), receipts: [] };
      expect(compare(late, [hears(inPartition(7, 0), inPartition(3, 1), inPartition(8, 0))], kept)).toEqual(fine);
      const falls = hears(inPartition(7, 0), inPartition(3, 1), inPartition(6, 0));
      expect(compare(late, [falls], kept)).toEqual({ ...fine, outOfOrder: 1 });
    });
  });

  test('counts the worst client, and receipts of several subscriptions for none of them', () => {
    const several: Published = {
      ...published(1),
      receipts: [{ id: idOf(2), subscriptions: ['saved', 'logged'] }],
    };
    expect(compare(several, [heard([1]), heard([])], kept)).toEqual({ ...fine, lostSilently: 1 });
    expect(compare(several, [heard([1])], kept)).toEqual(fine);
  });
});

test('events of calls without an answer may come later, unless all clients got them', () => {
  const two = published(2, { possible: 2 });
  expect(stillPossible(two, [heard([1, 2]), heard([1, 2, 3])])).toEqual(new Map([['saved', 2]]));
  expect(stillPossible(two, [heard([1, 2, 3])])).toEqual(new Map([['saved', 1]]));
  expect(stillPossible(two, [heard([1])])).toEqual(new Map([['saved', 2]]));
});
