import type { EdgeSetting } from './edge-setting.js';

/** `idempotent: 'required'`: callers must send an idempotency key, so that a repeat never runs twice. */
export const idempotentSetting: EdgeSetting = {
  key: 'idempotent',
  kinds: ['mutation'],
  detail: 'whether callers must send an idempotency key',
  snippet: "'required'",
  expected: "'required'",
  read: ({ value }) => (value === 'required' ? { idempotent: value } : undefined),
};
