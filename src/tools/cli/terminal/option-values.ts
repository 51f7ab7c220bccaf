import { isIP } from 'node:net';
import { isWebUrl } from '../../../base/source/parse-url.js';
import { defined } from '../../../base/values/defined.js';
import { arazzoVersions } from '../../../compiler/emit/arazzo/receive-steps.js';
import type { EmitOptions } from '../../../compiler/emit/emitter.js';
import { openApiVersions } from '../../../compiler/emit/openapi/extensions.js';
import { type CliOptions, UsageError } from './command.js';

/** The value of a string option; undefined when it was not given. */
export function readText(options: CliOptions, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * The names and values of a repeated option; throws a UsageError that says what is expected.
 *
 * @param isSecret - Whether a value may be a credential: then the error does not repeat it.
 */
export function readPairs(value: unknown, option: string, form: RegExp, expected: string, isSecret = true) {
  const pairs = (Array.isArray(value) ? value.map(String) : []).map((text) => {
    const [, name, given] = form.exec(text) ?? [];
    if (name === undefined || given === undefined)
      throw new UsageError(`${option} must be ${expected}${isSecret ? '' : `, not ${text}`}.`);
    return [name, given] as const;
  });
  return Object.fromEntries(pairs);
}

/** An integer from `least` to `limit`; throws a UsageError that names the option. */
export function readNumber(value: unknown, option: string, limit = Number.MAX_SAFE_INTEGER, least = 0): number {
  const number = /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
  if (number >= least && number <= limit) return number;
  const range = limit === Number.MAX_SAFE_INTEGER ? '' : ` from ${least} to ${limit}`;
  throw new UsageError(`${option} must be an integer${range}, not ${value}.`);
}

/** An IP address or the name of a host, to listen on; throws a UsageError that names the option. */
export function readAddress(value: string, option: string): string {
  if (isIP(value) > 0 || /^[a-z\d]([a-z\d._-]*[a-z\d])?$/i.test(value)) return value;
  throw new UsageError(`${option} must be an IP address or the name of a host, such as 0.0.0.0, not ${value}.`);
}

/** One of the given names; throws a UsageError that lists them. */
export function readChoice<Name extends string>(value: unknown, option: string, names: readonly Name[], hint = '') {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  throw new UsageError(`${option} must be one of ${names.join(', ')}, not ${String(value)}.${hint}`);
}

/** The titles and the base URL of artifacts; throws a UsageError for an invalid URL. */
export function readEmitOptions(options: CliOptions): Partial<EmitOptions> {
  const baseUrl = readText(options, 'baseUrl');
  const { eventFormat, idempotency, limits } = options.project?.server ?? {};
  if (baseUrl !== undefined && !isWebUrl(baseUrl))
    throw new UsageError(`--base-url must be a URL such as https://api.example.com, not ${baseUrl}.`);
  return defined({
    title: readText(options, 'title'),
    collectionName: readText(options, 'name'),
    baseUrl,
    openapi: options.openapi === undefined ? undefined : readChoice(options.openapi, '--openapi', openApiVersions),
    arazzo: options.arazzo === undefined ? undefined : readChoice(options.arazzo, '--arazzo', arazzoVersions),
    streams: options.streams === false ? false : undefined,
    unusedSchemas: options.unused === false ? false : undefined,
    eventFormat,
    takesKeys: idempotency === undefined ? undefined : true,
    pageSize: limits?.pageSize,
  });
}
