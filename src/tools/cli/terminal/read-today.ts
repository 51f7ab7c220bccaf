import { isDay } from '../../../analysis/diff/waivers.js';
import { type CliOptions, UsageError } from './command.js';
import { readText } from './option-values.js';

/** The day that `--today` gives, or today; throws a UsageError for another text. */
export function readToday(options: CliOptions): string {
  const today = readText(options, 'today') ?? new Date().toISOString().slice(0, 10);
  if (isDay(today)) return today;
  throw new UsageError(`--today must be a date such as 2030-12-31, not ${today}.`);
}
