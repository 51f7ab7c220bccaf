import { agrees } from '../../../../base/values/agrees.js';
import { readProperty } from '../../../../base/values/read-property.js';
import { type ChannelCall, ChannelError } from '../binding/channel.js';

export const defaultMaxRecords = 10_000;

/** Selects the records that match the arguments named like fields; for a query of one, the last, the newest. */
export function selectRecords(call: ChannelCall, maxRecords: number) {
  const { match, many } = call;
  const wanted = Object.entries(JSON.parse(JSON.stringify(match)) as Record<string, unknown>);
  const found: unknown[] = [];
  return {
    /** @throws {ChannelError} If more records match than an answer may have. */
    take(record: unknown, place: string): void {
      if (!wanted.every(([name, value]) => agrees(value, readProperty(record, name) ?? null))) return;
      if (!call.accepts(record, place)) return;
      if (!many) {
        found[0] = record;
      } else if (found.push(record) > maxRecords) {
        throw new ChannelError('overrun', `more than ${maxRecords} records match the arguments`);
      }
    },
    /** All matches, or the last one, or null. */
    result: (): unknown => (many ? found : (found[0] ?? null)),
  };
}
