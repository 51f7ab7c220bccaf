import type { EdgeSetting } from './edge-setting.js';

/** `status: 201`: the status of a successful REST response. */
export const statusSetting: EdgeSetting = {
  key: 'status',
  ...statusOf('status', 2),
  detail: 'the HTTP status of a successful REST response',
};

/** `null: 404`: the status of a REST response whose result is null. */
export const nullStatusSetting: EdgeSetting = {
  key: 'null',
  ...statusOf('nullStatus', 4),
  detail: 'the HTTP status of a REST response without a result',
};

/** A literal HTTP status of one class: 2 for 2xx, 4 for 4xx. Anything else is an error (GG2018). */
function statusOf(part: 'status' | 'nullStatus', digit: number): Omit<EdgeSetting, 'key' | 'detail'> {
  return {
    kinds: ['query', 'mutation'],
    snippet: '',
    expected: `an HTTP status from ${digit}00 to ${digit}99`,
    read: ({ value }) =>
      Number.isInteger(value) && Math.floor((value as number) / 100) === digit
        ? { [part]: value }
        : undefined,
  };
}
