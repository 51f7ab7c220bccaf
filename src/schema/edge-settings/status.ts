import { diagnose } from '../../diagnostics/diagnostic.js';
import type { Setting } from '../../graph/graph-ir.js';
import type { EdgeSetting, SettingScope } from './edge-setting.js';

/** `status: 201`: the status of a successful REST response. */
export const statusSetting: EdgeSetting = {
  key: 'status',
  kinds: ['query', 'mutation'],
  detail: 'the HTTP status of a successful REST response',
  snippet: '',
  read: ([given], scope) => {
    const status = readStatus(given as Setting, 'status', 2, scope);
    return status === undefined ? undefined : { status };
  },
};

/** A literal HTTP status of one class: 2 for 2xx, 4 for 4xx. Anything else is an error (GG2018). */
export function readStatus(
  { value, span }: Setting,
  property: string,
  kind: number,
  { report }: SettingScope,
): number | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && Math.floor(value / 100) === kind) return value;
  const expected = `an HTTP status from ${kind}00 to ${kind}99`;
  report(diagnose('GG2018', { property, expected }, span));
  return undefined;
}
