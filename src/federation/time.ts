/** An RFC 3339 time in UTC: `2026-03-01T12:00:00Z`, with up to nine decimals. */
const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Milliseconds since 1970; undefined for other formats and impossible dates, which `Date` would accept. */
export function parseTime(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  const seconds = `${text.slice(0, 19)}Z`;
  const time = Date.parse(seconds);
  if (Number.isNaN(time) || formatTime(time) !== seconds) return undefined;
  return time + (text.length === 20 ? 0 : Number(text.slice(20, -1).padEnd(3, '0').slice(0, 3)));
}

/** Formats a time, in milliseconds since 1970, rounded down to the second. */
export function formatTime(time: number): string {
  return `${new Date(Math.floor(time)).toISOString().slice(0, -'.000Z'.length)}Z`;
}
