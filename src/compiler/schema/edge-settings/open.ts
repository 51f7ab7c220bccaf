import type { JsonValue } from '../../graph/json-value.js';
import type { EdgeSetting } from './edge-setting.js';

/** `open: 'reason'`: callers may reach more through the operation than they may ask for. On a RACE edge, see `projectUnions`. */
export const openSetting = {
  key: 'open',
  kinds: ['query', 'mutation', 'subscription'],
  detail: 'why callers may reach what is protected elsewhere',
  snippet: "'",
  expected: 'the reason in quotes',
  read: ({ value: open }) => (isReason(open) ? { open } : undefined),
} satisfies EdgeSetting;

/** Whether a value gives a reason. */
export function isReason(value: JsonValue): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
