import { agrees } from '../../execute/values/agrees.js';
import { readProperty } from '../../execute/values/read-property.js';
import type { ChannelCall } from './binding/channel.js';
import { ChannelError } from './channel-error.js';

/** Takes records one by one and keeps those that a query asks for. */
export interface RecordSelection {
  /** @throws {ChannelError} When more agree than an answer may hold. */
  take(record: unknown): void;
  /** All that agree, or the last one, or null. */
  result(): unknown;
}

/** How many records an answer holds at most unless something else is said. */
export const defaultMaxRecords = 10_000;

/**
 * Makes the selection of a query: the records that agree in every field that an argument is called like. Who
 * asks for one gets the last: a file grows at its end, so that is the newest.
 */
export function selectRecords({ match, many }: ChannelCall, maxRecords: number): RecordSelection {
  const wanted = Object.entries(JSON.parse(JSON.stringify(match)) as Record<string, unknown>);
  const found: unknown[] = [];
  return {
    take(record) {
      if (!wanted.every(([name, value]) => agrees(value, readProperty(record, name) ?? null))) return;
      if (!many) {
        found[0] = record;
      } else if (found.push(record) > maxRecords) {
        throw new ChannelError('overrun', `more than ${maxRecords} records agree with the arguments`);
      }
    },
    result: () => (many ? found : (found[0] ?? null)),
  };
}
