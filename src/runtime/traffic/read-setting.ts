import { OptionError } from '../../base/diagnostics/option-error.js';
import { assertPeers } from '../load/load-peer.js';

/** Reads a duration in seconds: a whole number, or a text such as `30s`, `5m`, `1h`, `1d`. */
export function readSeconds(key: string, value: unknown, maximum: number): number {
  const [, amount, unit = 's'] = /^(\d{1,6})([smhd])$/.exec(String(value)) ?? [];
  const factor = { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'];
  const seconds = typeof value === 'number' ? value : Number(amount) * factor;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= maximum) return seconds;
  const longest = `${maximum / 86_400} d`;
  throw new OptionError(key, `be a number of seconds, or a time such as 60s, 5m, 1h or 1d, of at most ${longest}`);
}

/**
 * Checks the store of counts or answers.
 *
 * @throws {PeerMissingError} If ioredis is needed and not installed.
 */
export function checkStore(key: string, store: unknown): void {
  const isUrl = typeof store === 'string' && /^rediss?:\/\/./.test(store);
  const isClient = typeof store === 'object' && store !== null && 'eval' in store;
  if (store !== 'memory' && !isUrl && !isClient)
    throw new OptionError(key, 'be memory, the URL of a Redis such as redis://localhost, or a client of ioredis');
  if (isUrl) assertPeers(['ioredis']);
}
