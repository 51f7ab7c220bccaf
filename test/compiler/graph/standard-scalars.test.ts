import { expect, test } from 'vitest';
import { isStandardValue, type StandardScalar, standardScalars } from '../../../src/compiler/graph/standard-scalars.js';

/** The days of each month, in a leap year and in any other. */
const leap = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const common = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

test.each(['Date', 'LocalDate', 'DateTime', 'DateTimeISO'])(
  '%s has the days of the Gregorian calendar, in years of one digit and of four',
  (name) => {
    const scalar = standardScalars.get(name) as StandardScalar;
    const time = name.startsWith('DateTime') ? 'T00:00:00Z' : '';
    const years = new Map([
      [leap, ['0000', '0004', '0096', '1600', '1996', '2000', '2024', '9996']],
      [common, ['0001', '0099', '0100', '1700', '1900', '2023', '2100', '9999']],
    ]);
    for (const [months, numbers] of years) {
      for (const year of numbers) {
        for (const [at, days] of months.entries()) {
          for (let day = 1; day <= 31; day++) {
            const text = `${year}-${String(at + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}${time}`;
            if (isStandardValue(scalar, text) !== day <= days) expect.fail(text);
          }
        }
      }
    }
  },
);
