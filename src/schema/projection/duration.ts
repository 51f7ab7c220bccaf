import type { JsonValue } from '../../graph/json-value.js';

/** The longest delay that a timer of JavaScript can wait for, in milliseconds: about 24 days. */
const longestDelay = 2 ** 31 - 1;

const unitInMilliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** The milliseconds of `'50ms'`, `'2m'` or a number; undefined if invalid or too long for a timer. */
export function readDuration(value: JsonValue): number | undefined {
  const milliseconds = typeof value === 'string' ? readText(value) : value;
  if (typeof milliseconds !== 'number') return undefined;
  return milliseconds >= 0 && milliseconds <= longestDelay ? milliseconds : undefined;
}

function readText(text: string): number | undefined {
  const match = /^(\d{1,10}(?:\.\d{1,10})?) ?(ms|s|m)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (unitInMilliseconds[match[2] as string] as number);
}
