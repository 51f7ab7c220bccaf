import { expect, test } from 'vitest';
import { describeActivity, healthOf } from '../../web/graph/live-graph.js';

const statistics = { coordinate: 'Query.user', calls: 24, errors: 0, p95: 12.345 };
const subscription = { name: 'news', subscribers: 1, waiting: 0, lag: 0 };

test.each([
  [{}, []],
  [{ statistics }, ['24/min · p95 12 ms']],
  [{ statistics: { ...statistics, errors: 1, p95: 0.25 } }, ['24/min · p95 0.3 ms', '1 error']],
  [{ statistics: { ...statistics, errors: 2, p95: 1500 } }, ['24/min · p95 1.5 s', '2 errors']],
  [{ subscription }, ['1 subscriber']],
  [{ subscription: { ...subscription, subscribers: 0 } }, []],
  [
    { subscription: { ...subscription, subscribers: 3, waiting: 2, lag: 40 } },
    ['3 subscribers', '2 waiting · lag 40 ms'],
  ],
  [{ race: { winner: 'cached', cancelled: ['fresh', 'slow'] } }, ['won by cached', 'cancelled: fresh, slow']],
  [{ race: { winner: undefined, cancelled: [] } }, ['no winner']],
  [{ step: { place: 2, state: 'retrying' as const }, statistics }, ['step 2 ↻ retrying', '24/min · p95 12 ms']],
])('the activity %o is described as %o', (activity, lines) => {
  expect(describeActivity(activity)).toEqual(lines);
});

test.each([
  [{}, undefined],
  [{ statistics: { ...statistics, calls: 0 } }, undefined],
  [{ statistics }, 'fine'],
  [{ statistics: { ...statistics, p95: 1000 } }, 'slow'],
  [{ subscription: { ...subscription, lag: 2000 } }, 'slow'],
  [{ statistics: { ...statistics, p95: 1000, errors: 1 } }, 'failing'],
  [{ subscription: { ...subscription, subscribers: 0 } }, undefined],
])('the health of %o is %s', (activity, health) => {
  expect(healthOf(activity)).toBe(health);
});
