/** A date and time in UTC as RFC 3339 writes it: `2026-03-01T12:00:00Z`, with up to nine decimals. */
const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z$/;

const day = 86_400_000;

/**
 * Reads a time, in milliseconds since 1970; undefined when the text is none. A date that the calendar lacks
 * and a leap second are none: every time has one text and every text one time.
 */
export function parseTime(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, dayOfMonth = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number);
  const fraction = Number(`0.${match[7] ?? '0'}`);
  const days = daysSince1970(year, month, dayOfMonth);
  const date = dateOf(days);
  if (date.month !== month || date.day !== dayOfMonth || hour > 23 || minute > 59 || second > 59) {
    return undefined;
  }
  return days * day + hour * 3_600_000 + minute * 60_000 + second * 1000 + Math.floor(fraction * 1000);
}

/** Writes a time, in milliseconds since 1970, to the second: what is left of the second is cut off. */
export function formatTime(time: number): string {
  const days = Math.floor(time / day);
  const { year, month, day: dayOfMonth } = dateOf(days);
  const seconds = Math.floor((time - days * day) / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(dayOfMonth)}`;
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${date}T${clock}Z`;
}

/** The days of the proleptic Gregorian calendar, counted in years that begin in March. */
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
