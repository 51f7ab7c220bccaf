import type { JsonPlace } from '../../../base/source/json-place.js';
import { whyInvalidName } from '../../../compiler/graph/names.js';
import type { DraftTag } from '../draft/draft.js';

/** The names of the values of an enum, by the values that its schema lists: their spellings. */
export type EnumNames = ReadonlyMap<string, string>;

/**
 * Finds names: those of the extension `x-enum-varnames`, else the values themselves, or those nearest to them.
 *
 * @returns The value that has no name, or cannot be a tag, if there is one.
 */
export function enumNamesOf(schema: JsonPlace, values: readonly string[]): EnumNames | string {
  // A collection of our own has the names in `enum`.
  const spellings = schema.texts('x-spellings');
  if (spellings.length === values.length)
    return new Map(spellings.map((spelling, at) => [spelling, values[at] as string]));
  const given = schema.texts('x-enum-varnames');
  const isGiven = given.length === values.length && new Set(given).size === given.length && given.every(isName);
  const names = new Map<string, string>();
  const taken = new Set(values.filter(isName));
  for (const [at, value] of values.entries()) {
    const words = value.split(/[^A-Za-z\d]+/).filter((word) => word !== '');
    const isTag = /^(?!\s)[^\r\n]+(?<!\s)$/.test(value);
    if (!isTag || (words.length === 0 && !isGiven)) return value;
    const joined = words.join('_');
    const base = isName(joined) ? joined : `_${joined}`;
    let name = isGiven ? (given[at] as string) : isName(value) ? value : base;
    for (let number = 2; name !== value && !isGiven && taken.has(name); number++) name = `${base}_${number}`;
    taken.add(name);
    names.set(value, name);
  }
  return names;
}

/** `@value`, for a name that is not the spelling itself. */
export function spellingTags(spelling: string, name: string): readonly DraftTag[] {
  return spelling === name ? [] : [{ name: 'value', text: spelling }];
}

function isName(value: string): boolean {
  return whyInvalidName(value) === undefined && !/^(?:true|false|null)$/.test(value);
}
