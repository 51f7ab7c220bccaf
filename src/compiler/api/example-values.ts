import { compileLimits, violation } from '../../base/json-schema/limits.js';
import { patternOf, readPattern } from '../../base/pattern/pattern.js';
import type { CharacterSet, PatternTree } from '../../base/pattern/pattern-tree.js';
import type { JsonValue } from '../graph/json-value.js';
import { remember } from '../graph/maps.js';
import type { Constraints } from '../graph/value-notes.js';

/** The parts of a field or an argument that its example depends on. */
export interface ExamplePlace {
  readonly name: string;
  readonly constraints?: Constraints;
}

/** A text that could stand at a place: by its format, else by its name, within its constraints. */
export function exampleText({ name, constraints }: ExamplePlace): string {
  const byName = textByName(name);
  if (constraints === undefined) return byName;
  const { format, minLength = 0, maxLength } = constraints;
  const byFormat = format === undefined ? undefined : texts.get(format);
  if (byFormat !== undefined) return byFormat;
  const resized = (text: string) => text.padEnd(Math.min(minLength, longestExample), ` ${text}`).slice(0, maxLength);
  const candidates = [byName, ...samplesOf(constraints)];
  return firstValid(constraints, [...candidates, ...candidates.map(resized)]) as string;
}

/** A longer text would not make a better example. */
const longestExample = 1000;

/** A number that could stand at a place: by its name, within its constraints. */
export function exampleNumber({ name, constraints }: ExamplePlace, isInt: boolean): number {
  const byName = numberByName(name) ?? (isInt ? 1 : 1.5);
  const wanted = isInt ? Math.round(byName) : byName;
  if (constraints === undefined) return wanted;
  const { step, least, most } = rangeOf(constraints, isInt);
  const clamped = Math.min(Math.max(wanted, least), most);
  // Without the rounding errors of binary fractions: 0.30000000000000004 is 0.3.
  const tidy = (value: number) => Number(value.toPrecision(12));
  const steps = [Math.ceil, Math.round, Math.floor].map((round) => tidy(round(clamped / step) * step));
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = constraints;
  const middle = ((exclusiveMinimum ?? minimum ?? 0) + (exclusiveMaximum ?? maximum ?? 0)) / 2;
  return firstValid(constraints, [wanted, ...steps, ...(isInt ? [] : [clamped, middle])]) as number;
}

/** The least and the greatest number within limits, infinite without a limit, and the step between numbers. */
export function rangeOf(limits: Constraints, isInt: boolean) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits;
  const step = multipleOf ?? (isInt ? 1 : 0.5);
  const least = Math.max(minimum ?? -Infinity, (exclusiveMinimum ?? -Infinity) + step);
  const most = Math.min(maximum ?? Infinity, (exclusiveMaximum ?? Infinity) - step);
  return { step, least, most };
}

/** The example of an ID: a number as text, unless its constraints exclude that. */
export function exampleId({ constraints }: ExamplePlace): string {
  if (constraints === undefined) return '1';
  const { format, minLength = 0 } = constraints;
  const byFormat = format === undefined ? undefined : texts.get(format);
  return firstValid(constraints, [
    byFormat ?? '1',
    '1'.padStart(Math.min(minLength, longestExample), '0'),
    ...samplesOf(constraints),
  ]) as string;
}

/** The example of a custom scalar, of which nothing but the name is known. */
export function exampleScalar(type: string, place: ExamplePlace): string {
  return byWords(texts, wordsOf(type)) ?? exampleText(place);
}

/** The first value that fulfils the constraints, else the first of all: then only the author knows an example. */
function firstValid(constraints: Constraints, values: readonly JsonValue[]): JsonValue {
  const { pattern, ...others } = constraints;
  const checks = compileLimits(isForExamples(pattern) ? constraints : others);
  return values.find((value) => violation(checks, value) === undefined) ?? (values[0] as JsonValue);
}

const textByName = memoized((name) => {
  const words = wordsOf(name);
  return byWords(texts, words) ?? ['Example', ...words].join(' ');
});

const numberByName = memoized((name) => byWords(numbers, wordsOf(name)));

/** Remembers results: a topology has few names in comparison to its fields. */
function memoized<Value>(find: (name: string) => Value): (name: string) => Value {
  const found = new Map<string, Value>();
  return (name) => {
    let value = found.get(name);
    if (value === undefined && !found.has(name)) {
      if (found.size >= 1_000) found.clear();
      value = find(name);
      found.set(name, value);
    }
    return value as Value;
  };
}

/** `createdAt` → `created at`, `ISBN13` → `isbn13`, `first_name` → `first name`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== '');
}

/** The value for the last words of a name, the most of them first; plurals are read as singulars. */
function byWords<Value>(table: ReadonlyMap<string, Value>, words: readonly string[]): Value | undefined {
  for (let from = 0; from < words.length; from++) {
    const tail = words.slice(from).join(' ');
    const found = table.get(tail) ?? table.get(tail.replace(/ies$/, 'y')) ?? table.get(tail.replace(/s$/, ''));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Texts for a place whose name gives none: one for the pattern, or short ones. */
function samplesOf({ pattern }: Constraints): readonly string[] {
  const sample = pattern === undefined ? undefined : patternSample(pattern);
  return sample === undefined ? ['abc', 'a', '1'] : [sample];
}

function table<Value>(rows: readonly (readonly [names: string, value: Value])[]): ReadonlyMap<string, Value> {
  return new Map(rows.flatMap(([names, value]) => names.split(', ').map((name) => [name, value] as const)));
}

/** Texts by the last words of a name, and by the name of a format. */
const texts = table([
  ['email, mail, email address', 'ada@example.com'],
  ['url, uri, link, website, homepage, uri-reference', 'https://example.com'],
  ['image, image url, photo, picture, avatar', 'https://example.com/image.png'],
  ['name, full name, author, customer, owner, person, contact', 'Ada Lovelace'],
  ['first name, given name', 'Ada'],
  ['last name, family name, surname', 'Lovelace'],
  ['username, user name, login, nick, nickname, user', 'ada'],
  ['title', 'A Study in Scarlet'],
  ['slug', 'a-study-in-scarlet'],
  ['subject', 'A question'],
  ['description, summary, abstract', 'A short description.'],
  ['text, body, content, paragraph', 'A few words.'],
  ['note, comment, remark, message', 'See you tomorrow.'],
  ['reason', 'It arrived too late.'],
  ['phone, phone number, telephone, mobile', '+441632960001'],
  ['address, street', '12 High Street'],
  ['city, town, place, location', 'London'],
  ['postcode, postal code, zip, zip code', 'SW1A 1AA'],
  ['country', 'United Kingdom'],
  ['country code', 'GB'],
  ['language, locale, lang', 'en'],
  ['currency', 'EUR'],
  ['company, organisation, organization, brand, publisher', 'Example Ltd'],
  ['date, day, birthday, on', '2026-01-15'],
  ['at, date time, datetime, timestamp, date-time, since, until', '2026-01-15T09:30:00Z'],
  ['time', '09:30:00Z'],
  ['duration', 'PT30M'],
  ['isbn', '9780141439518'],
  ['sku', 'SKU-1001'],
  ['code', 'A1'],
  ['reference, ref', 'REF-1001'],
  ['barcode, ean', '4006381333931'],
  ['token, secret, hash, etag', '5f4dcc3b5aa765d6'],
  ['password', 'correct horse battery staple'],
  ['uuid, guid', '123e4567-e89b-12d3-a456-426614174000'],
  ['id, key, number, cursor', '1'],
  ['color, colour', 'blue'],
  ['tag, label, category, genre, topic', 'news'],
  ['type, kind', 'standard'],
  ['status, state', 'open'],
  ['role', 'editor'],
  ['query, search, term, q, keyword', 'ada'],
  ['unit', 'kg'],
  ['version', '1.0.0'],
  ['ipv4, ip, ip address', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['hostname, host, domain', 'example.com'],
  ['file, filename, file name, path', 'report.pdf'],
  ['json-pointer', '/items/0'],
]);

const numbers = table([
  ['price, cost, amount, total, fee, sum, subtotal, balance, budget', 19.9],
  ['salary, income, revenue', 42000],
  ['count, quantity, qty, copy, item', 3],
  ['first, last, limit, size, page size, per page, top', 10],
  ['offset, skip, index, position', 0],
  ['page', 1],
  ['pages', 320],
  ['year', 2026],
  ['month', 6],
  ['day', 15],
  ['age', 36],
  ['rating, score, star, grade', 4.5],
  ['percent, percentage, discount', 25],
  ['rate, ratio, share, probability', 0.5],
  ['latitude, lat', 51.5],
  ['longitude, lon, lng', -0.13],
  ['weight, mass, kg', 1.5],
  ['gram', 500],
  ['mm, cm', 120],
  ['width, height, length, depth, distance, km', 12.5],
  ['temperature', 21.5],
  ['stock', 12],
  ['duration, second, minute, timeout, delay', 30],
  ['port', 8080],
]);

/**
 * A short text that a pattern matches; undefined if none was found, or the pattern is large. It takes the first alternative, the fewest
 * repetitions and other characters of a class one after another: `^[A-Z]{3}-\d{2}$` gives `ABC-45`. Lookarounds are
 * left out, so the text is tried at the end.
 *
 * @param choose - Chooses among so many characters of a class, and repetitions, in place of that order.
 */
export function patternSample(source: string, choose?: (count: number) => number): string | undefined {
  if (!isForExamples(source)) return undefined;
  const { tree, test } = patternOf(source);
  const sample = sampleOf(tree, choose);
  return sample.length <= longestExample && test(sample) ? sample : undefined;
}

/** Whether examples are tried with a pattern: with a larger one they would cost more than they are worth. */
function isForExamples(source: string | undefined): boolean {
  const reading = source === undefined ? undefined : readPattern(source);
  return reading?.ok === true && reading.pattern.size <= largest;
}

const largest = 5000;

/** The size of a pattern is limited, so the number of its parts that are read is, too. */
function sampleOf(tree: PatternTree, choose?: (count: number) => number): string {
  /** The number of characters that were taken from classes. */
  let taken = 0;
  const next = choose ?? ((count: number) => taken++ % count);
  const known = new Map<CharacterSet, string>();
  const fromSet = (set: CharacterSet): string => {
    if (set.source !== '.' && [...set.source].length === 1) return set.source;
    const characters = remember(known, set, () => charactersOf(set));
    return characters === '' ? '' : (characters[next(characters.length)] as string);
  };
  const joined = (count: number, part: (at: number) => PatternTree | undefined): string => {
    let text = '';
    for (let at = 0; at < count && text.length <= longestExample; at++) text += textOf(part(at) as PatternTree);
    return text;
  };
  const extra = ({ least, most }: { readonly least: number; readonly most: number }) =>
    choose?.(Math.min(most - least, 5) + 1) ?? 0;
  const textOf = (part: PatternTree): string => {
    if (part.kind === 'set') return fromSet(part.set);
    if (part.kind === 'sequence') return joined(part.parts.length, (at) => part.parts[at]);
    if (part.kind === 'choice') return textOf(part.options[0] as PatternTree);
    return part.kind === 'repeat' ? joined(part.least + extra(part), () => part.of) : '';
  };
  return textOf(tree);
}

function charactersOf(set: CharacterSet): string {
  const all = set.source === '.' ? 'abc' : printable;
  return [...all].filter((character) => set.has(character.codePointAt(0) as number)).join('');
}

const printable =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_.:/ @#+*!?&%$=,;~\'"()[]{}<>|\\^`\t\n';
