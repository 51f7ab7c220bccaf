import * as formats from '@hyperjump/json-schema-formats';

/**
 * The check of a format of JSON Schema (Validation 2020-12, section 7.3); undefined for a format that only annotates.
 * The compiler does without it, because it loads a package.
 */
export function formatCheck(format: string): ((text: string) => boolean) | undefined {
  return checks.get(format);
}

const checks: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', formats.isDate],
  ['date-time', formats.isDateTime],
  ['duration', formats.isDuration],
  ['email', isEmail],
  ['hostname', formats.isHostname],
  ['ipv4', formats.isIPv4],
  ['ipv6', formats.isIPv6],
  ['json-pointer', formats.isJsonPointer],
  ['time', formats.isTime],
  ['uri', formats.isUri],
  ['uri-reference', formats.isUriReference],
  ['uuid', formats.isUuid],
]);

/** The package throws at an address in brackets of an unknown kind (`ada@[tag:x]`). */
function isEmail(text: string): boolean {
  try {
    return formats.isEmail(text);
  } catch {
    return false;
  }
}
