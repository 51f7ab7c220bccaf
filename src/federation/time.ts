/** An RFC 3339 time in UTC: `2026-03-01T12:00:00Z`, with up to nine decimals. */
const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const day = 86_400_000;

/** Milliseconds since 1970; undefined for other formats and impossible dates, which `Date` would accept. */
export function parseTime(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const dayOfMonth = twoDigits(text, 8);
  const days = daysSince1970(year, month, dayOfMonth);
  if (month < 1 || month > 12 || dateOf(days).day !== dayOfMonth) return undefined;
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const milliseconds = text.length === 20 ? 0 : Number(text.slice(20, -1).padEnd(3, '0').slice(0, 3));
  return days * day + hour * 3_600_000 + minute * 60_000 + second * 1000 + milliseconds;
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

/** Formats a time, in milliseconds since 1970, rounded down to the second. */
export function formatTime(time: number): string {
  const days = Math.floor(time / day);
  const { year, month, day: dayOfMonth } = dateOf(days);
  const seconds = Math.floor((time - days * day) / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(dayOfMonth)}`;
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${date}T${clock}Z`;
}

/** Days in the proleptic Gregorian calendar, counted in years that begin in March, so that leap days come last. */
function daysSince1970(year: number, month: number, dayOfMonth: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function dateOf(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}
