import { isWebUrl } from '../../base/source/parse-url.js';
import { type ExamplePlace, exampleNumber, patternSample, rangeOf } from '../../compiler/api/example-values.js';
import { exampleResult } from '../../compiler/api/examples.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { baseName, nullable, type TypeRef } from '../../compiler/graph/type-ref.js';
import type { Constraints } from '../../compiler/graph/value-notes.js';
import type { GqlField, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { isComposite, memberNames, namedType, objectFields } from '../../compiler/schema/schema-index.js';
import { brokenLimit } from './broken-limit.js';

/** The next number of a sequence, from 0 up to but not including 1. */
export type Random = () => number;

/** A sequence of numbers that its name decides: FNV-1a, then Mulberry32. */
export function randomOf(name: string): Random {
  let state = 2_166_136_261;
  for (const char of name) state = Math.imul(state ^ (char.codePointAt(0) as number), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An item of a list; undefined of an empty one. */
export function pick<Item>(list: readonly Item[], random: Random): Item | undefined {
  return list[Math.floor(random() * list.length)];
}

/** A value is wanted for this row; an attempt above 0 wants another one, because values must differ. */
export interface Wanted {
  readonly row: number;
  readonly attempt: number;
}

/**
 * A value of a field within its constraints, near its example: the example itself in the first row. Undefined if none was
 * found.
 */
export function seedValue(
  schema: GqlSchema,
  field: GqlField,
  random: Random,
  { row, attempt }: Wanted,
): JsonValue | undefined {
  const { type, examples = [], fallback } = field;
  const name = baseName(type);
  if (row + attempt < examples.length) return examples[row + attempt];
  if (attempt === 0 && examples.length > 0 && random() < 0.5) return pick(examples, random);
  const isChoice = namedType(schema, name).kind === 'enum' || name === 'Boolean';
  if (attempt === 0 && fallback !== undefined && !(isChoice && row > 0)) return fallback;
  const bare = nullable(type);
  if (bare.kind === 'named') return itemOf(schema, field, name, random, row + attempt === 0, attempt);
  const { minItems = 0, maxItems = minItems + 3 } = field.constraints ?? {};
  const length =
    row === 0 ? Math.max(minItems, Math.min(1, maxItems)) : between(minItems, Math.min(maxItems, minItems + 3), random);
  return listOf(bare.of, length, () => itemOf(schema, field, name, random, row === 0, attempt));
}

/** The value of a field in the first row: its example. */
export function firstValue(schema: GqlSchema, field: GqlField): JsonValue | undefined {
  return seedValue(schema, field, randomOf(field.name), { row: 0, attempt: 0 });
}

/** A list of new items, at most as long as an example has to be; inner lists have one item. */
function listOf(type: TypeRef, length: number, item: () => JsonValue | undefined): JsonValue | undefined {
  const inner = nullable(type);
  const items = Array.from({ length: Math.min(length, 1000) }, () =>
    inner.kind === 'list' ? listOf(inner.of, 1, item) : item(),
  );
  return items.includes(undefined) ? undefined : (items as JsonValue[]);
}

function between(least: number, most: number, random: Random): number {
  return least + Math.floor(random() * (most - least + 1));
}

function itemOf(
  schema: GqlSchema,
  field: ExamplePlace,
  name: string,
  random: Random,
  isPlain: boolean,
  attempt: number,
): JsonValue | undefined {
  if (isComposite(schema, name)) return seedObject(schema, name, random, isPlain);
  const example = exampleResult(schema, { kind: 'named', name }, undefined, field);
  const found = namedType(schema, name);
  if (found.kind === 'enum') return isPlain ? example : pick(found.type.values, random);
  if (name === 'Boolean') return isPlain || random() < 0.5;
  const { constraints = none } = field;
  const base = longs.has(name) ? exampleNumber(field, true) : example;
  const varied =
    typeof base === 'number'
      ? numberNear(base, constraints, longs.has(name) || Number.isInteger(base), random, attempt)
      : typeof base === 'string'
        ? textsLike(base, constraints, random, attempt)
        : [];
  return (isPlain ? [base, ...varied] : [...varied, base]).find((value) => isItem(schema, field, name, value));
}

/** The scalars whose JSON form may be a text, and whose constraints are those of numbers. */
const longs: ReadonlySet<string> = new Set(['BigInt', 'Long']);

/** Whether a scalar or an enum of this name can have a value at a place. */
export function isItem(
  schema: GqlSchema,
  { constraints = none }: Pick<ExamplePlace, 'constraints'>,
  name: string,
  value: JsonValue,
): boolean {
  if (brokenLimit(constraints, value) !== undefined) return false;
  const found = namedType(schema, name);
  if (found.kind === 'enum') return found.type.values.includes(value as string);
  if (longs.has(name)) return true;
  return !('wire' in found) || found.wire === undefined || found.wire.fromJson(value) !== undefined;
}

const none: Constraints = {};
/** How deep an object is nested in another one at most, unless all of its fields are required. */
const mostLevels = 4;

/**
 * An object with a value in each of its fields, examples if it is plain. Nullable objects on deeper levels are left
 * out.
 */
function seedObject(
  schema: GqlSchema,
  name: string,
  random: Random,
  isPlain = true,
  levels = mostLevels,
): { readonly [field: string]: JsonValue } | undefined {
  const [member] = memberNames(namedType(schema, name));
  if (member !== undefined) {
    const value = seedObject(schema, member, random, isPlain, levels);
    return value && { __typename: member, ...value };
  }
  const values: Record<string, JsonValue> = {};
  for (const field of objectFields(schema, name)) {
    if (field.renamed !== undefined) continue;
    const { type, examples, fallback } = field;
    const inner = baseName(type);
    const value = isComposite(schema, inner)
      ? (examples?.[0] ?? fallback ?? objectsIn(schema, type, inner, random, isPlain, levels - 1))
      : seedValue(schema, field, random, { row: isPlain ? 0 : (examples?.length ?? 0) + 1, attempt: 0 });
    if (value !== undefined) values[field.name] = value;
    // Objects that require each other without end have no value.
    else if (type.kind === 'nonNull') return undefined;
  }
  return values;
}

function objectsIn(schema: GqlSchema, type: TypeRef, name: string, random: Random, isPlain: boolean, levels: number) {
  const isList = nullable(type).kind === 'list';
  if (levels <= 0 && (isList || type.kind !== 'nonNull')) return isList ? [] : undefined;
  if (levels < -mostLevels) return undefined;
  const bare = nullable(type);
  const item = () => seedObject(schema, name, random, isPlain, levels);
  return bare.kind === 'list' ? listOf(bare.of, 1, item) : item();
}

/** Whole multiples of a step near a number, and within its limits. */
function numberNear(
  base: number,
  limits: Constraints,
  isWhole: boolean,
  random: Random,
  attempt: number,
): readonly number[] {
  const { step, least, most } = rangeOf(limits, isWhole);
  const isYear = base > 1900 && base < 2100;
  const spread = Math.max(isYear ? 40 : Math.abs(base), 10 * step) * (1 + attempt);
  const below = base < 0 ? base - spread : Math.max(0, base - spread);
  const from = Number.isFinite(least) ? least : Math.min(below, most);
  const to = Number.isFinite(most) ? most : Math.max(isYear && attempt === 0 ? base : base + spread, from + spread);
  const low = Math.ceil(from / step);
  const chosen = between(low, Math.floor(to / step), random) * step;
  return [Number(chosen.toPrecision(12))];
}

/** Texts of the kind of an example: other names of people, other days, other digits, a number behind the words. */
function textsLike(text: string, { pattern }: Constraints, random: Random, attempt: number): readonly string[] {
  const number = between(2, 99 * (1 + attempt), random);
  const kin = others.get(text) ?? [];
  const found = pick(kin, random);
  const day = /^\d{4}-\d\d-\d\d(T.*)?$/.exec(text);
  const anyDigit = (digit: string) => String(digit === '0' ? between(0, 9, random) : between(1, 9, random));
  const withNumber = (one: string) =>
    one.includes('@')
      ? one.replace('@', `${number}@`)
      : isWebUrl(one)
        ? one.replace(/(\/\/[^/]*)\/?(.*)$/, `$1/${number}/$2`)
        : `${one} ${number}`;
  return [
    ...(pattern === undefined ? [] : [patternSample(pattern, (count) => Math.floor(random() * count)) ?? text]),
    ...(found === undefined ? [] : [attempt === 0 ? found : withNumber(found)]),
    ...(day === null ? [] : [dayBefore(text, day[1] !== undefined, random, attempt)]),
    ...(/\d/.test(text) ? [text.replace(/\d/g, anyDigit)] : []),
    withNumber(text),
    `${text}${number}`,
    `${text.slice(0, -String(number).length)}${number}`,
  ];
}

/** A time in the year before another one; in further attempts, in up to 50 years before it. */
function dayBefore(text: string, hasTime: boolean, random: Random, attempt: number): string {
  const minutes = between(1, 365 * 24 * 60 * Math.min(1 + attempt, 50), random);
  const time = new Date(Date.parse(text) - minutes * 60_000).toISOString();
  return hasTime ? (text.includes('.') ? time : time.replace(/\.\d+/, '')) : time.slice(0, 10);
}

/** Alternatives to an example, by the texts of `example-values.ts`. */
const others: ReadonlyMap<string, readonly string[]> = new Map(
  `
    Ada Lovelace|Alan Turing|Grace Hopper|Mary Somerville|Charles Babbage|Emmy Noether|Edsger Dijkstra|Barbara Liskov|Donald Knuth|Katherine Johnson|Dennis Ritchie|Radia Perlman|John Backus|Sophie Wilson|Niklaus Wirth
    Ada|Alan|Grace|Mary|Charles|Emmy|Edsger|Barbara|Donald|Katherine|Dennis|Radia|John|Sophie
    Lovelace|Turing|Hopper|Somerville|Babbage|Noether|Dijkstra|Liskov|Knuth|Johnson|Ritchie|Perlman
    ada|alan|grace|mary|charles|emmy|edsger|barbara|donald|katherine|dennis|radia|john|sophie
    ada@example.com|alan@example.com|grace@example.com|mary@example.com|charles@example.com|emmy@example.com|barbara@example.com|donald@example.com|radia@example.com
    A Study in Scarlet|Frankenstein|Middlemarch|The Moonstone|Great Expectations|Jane Eyre|The Time Machine|Persuasion|Kim|Treasure Island|Ivanhoe|The Woman in White
    A question|An answer|A complaint|A suggestion|An invitation|A reminder
    A short description.|A few lines about it.|All that there is to say.|A summary of the details.
    A few words.|One more paragraph.|The rest of the story.|As agreed last week.
    See you tomorrow.|Please call back.|Ring twice.|Handle with care.|Thank you.
    It arrived too late.|It does not fit.|It was a gift.|It is broken.
    12 High Street|3 Mill Lane|47 Station Road|8 Church Walk|21 Park Avenue|5 Harbour View
    London|Paris|Vienna|Lisbon|Oslo|Prague|Dublin|Madrid|Rome|Warsaw|Athens|Zurich
    United Kingdom|France|Austria|Portugal|Norway|Czechia|Ireland|Spain|Italy|Poland|Greece|Switzerland
    GB|FR|AT|PT|NO|CZ|IE|ES|IT|PL|GR|CH
    en|fr|de|pt|nb|cs|ga|es|it|pl|el
    EUR|GBP|USD|CHF|NOK|PLN
    Example Ltd|Northwind Ltd|Harbour & Sons|Blue Anchor Inc|Mill House Press|Old Oak Works
    blue|red|green|yellow|black|white|orange
    news|sports|music|science|travel|food
    standard|premium|basic
    open|closed|waiting
    editor|author|reader|owner
    kg|g|l|m
  `
    .trim()
    .split('\n')
    .map((line) => line.trim().split('|'))
    .map((texts) => [texts[0] as string, texts]),
);
