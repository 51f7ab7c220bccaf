import { type CliOptions, UsageError } from './command.js';

/** The value of an option that is any text; undefined when it was not given. */
export function readText(options: CliOptions, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** A whole number from 0 to `limit`; throws a UsageError that names the option. */
export function readNumber(value: unknown, option: string, limit = Number.MAX_SAFE_INTEGER): number {
  const number = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
  if (number <= limit) return number;
  const range = limit === Number.MAX_SAFE_INTEGER ? '' : ` from 0 to ${limit}`;
  throw new UsageError(`${option} takes a number${range}, not ${value}.`);
}

/** The names and the address that go into artifacts; throws a UsageError for an address that is none. */
export function readEmitOptions(options: CliOptions): {
  readonly title?: string;
  readonly collectionName?: string;
  readonly baseUrl?: string;
} {
  const title = readText(options, 'title');
  const collectionName = readText(options, 'name');
  const baseUrl = readText(options, 'baseUrl');
  if (baseUrl !== undefined && !(URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol))) {
    throw new UsageError(`--base-url takes an address such as https://api.example.com, not ${baseUrl}.`);
  }
  return {
    ...(title === undefined ? {} : { title }),
    ...(collectionName === undefined ? {} : { collectionName }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}
