import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTime, parseTime } from '../../src/federation/time.js';

describe('a time', () => {
  test('is parsed like Date.parse, and formatted to the second', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }), (date) => {
        expect(parseTime(date.toISOString())).toBe(date.getTime());
        expect(formatTime(date.getTime())).toBe(date.toISOString().replace(/\.\d+Z$/, 'Z'));
      }),
    );
  });

  test('may be before 1970', () => {
    expect(parseTime('0001-01-01T00:00:00Z')).toBe(-62135596800000);
    expect(formatTime(-62135596800000)).toBe('0001-01-01T00:00:00Z');
    expect(parseTime('2024-02-29T23:59:59.999999999Z')).toBe(Date.parse('2024-02-29T23:59:59.999Z'));
  });

  test.each([
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00z',
    '2026-01-01T00:00:00+00:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.1234567890Z',
    '+002026-01-01T00:00:00Z',
    '2026-01-01T00:00:00 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z ',
    '2026-01-01T00:00:00Zulu',
    '',
  ])('%j is invalid', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  test.each([
    ['.1', 100],
    ['.12', 120],
    ['.123', 123],
    ['.1239', 123],
    ['.000999999', 0],
    ['', 0],
  ])('with the decimals %j has %i milliseconds', (decimals, milliseconds) => {
    expect(parseTime(`1970-01-01T00:00:00${decimals}Z`)).toBe(milliseconds);
  });

  test('is parsed and formatted correctly for each day of the calendar, and other days are invalid', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    // All years of one era, after which the calendar repeats, and the ends of what has four digits.
    const years = [0, 1, 3, 4, 99, 100, 399, 400, ...Array.from({ length: 401 }, (_, at) => 1700 + at), 9999];
    const wrong: string[] = [];
    for (const year of years) {
      for (let month = 0; month <= 13; month++) {
        for (const dayOfMonth of [0, 1, 28, 29, 30, 31, 32]) {
          const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(dayOfMonth)}T23:59:59Z`;
          const days = month < 1 || month > 12 ? 0 : new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
          const time = parseTime(text);
          const isRight =
            dayOfMonth >= 1 && dayOfMonth <= days
              ? time === Date.parse(text) && formatTime(time) === text
              : time === undefined;
          if (!isRight) wrong.push(text);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
