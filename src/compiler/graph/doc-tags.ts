import { readPattern } from '../../base/pattern/pattern.js';
import type { Constraints } from './value-notes.js';

/** The values that a tag is meant for. */
export type TagSubject = 'number' | 'text' | 'list';

/** A tag of a doc comment that limits a value. */
export interface ConstraintTag {
  readonly keyword: keyof Constraints;
  readonly subject: TagSubject;
  /** Reads the text behind the tag; undefined if it does not fit. */
  readonly read: (text: string) => number | string | undefined;
  /** The expected text behind the tag, for messages. */
  readonly expected: string;
  /** The GraphQL type of the limit. */
  readonly type: 'Float' | 'Int' | 'String';
}

type Form = Omit<ConstraintTag, 'keyword'>;
const aNumber = form('number', 'Float', readNumber, 'a number');
const aStep = form('number', 'Float', readPositive, 'a number above zero');
const aLength = form('text', 'Int', readCount, 'a whole number');
const aPattern = form('text', 'String', readExpression, 'a regular expression');
const aFormat = form('text', 'String', (text) => /^\S+$/.exec(text)?.[0], 'one word, such as email');
const aCount = form('list', 'Int', readCount, 'a whole number');

function form(subject: TagSubject, type: Form['type'], read: Form['read'], expected: string): Form {
  return { subject, type, read, expected };
}

/** The tags that limit a value, the form of each, and what it does. They are the keywords of JSON Schema. */
const limits: readonly (readonly [keyof Constraints, Form, string])[] = [
  ['minimum', aNumber, 'The smallest number that is valid.'],
  ['maximum', aNumber, 'The largest number that is valid.'],
  ['exclusiveMinimum', aNumber, 'A valid number is greater than this one.'],
  ['exclusiveMaximum', aNumber, 'A valid number is less than this one.'],
  ['multipleOf', aStep, 'A valid number is a multiple of this one.'],
  ['minLength', aLength, 'The least number of characters.'],
  ['maxLength', aLength, 'The greatest number of characters.'],
  ['pattern', aPattern, 'A regular expression that a part of the text matches.'],
  ['format', aFormat, 'The format of the text, such as email.'],
  ['minItems', aCount, 'The least number of elements of the list.'],
  ['maxItems', aCount, 'The greatest number of elements of the list.'],
];

export const constraintTags: ReadonlyMap<string, ConstraintTag> = new Map(
  limits.map(([keyword, form]) => [keyword, { keyword, ...form }]),
);

/** All tags that have a meaning in a doc comment, and what each of them does. */
export const docTags: ReadonlyMap<string, string> = new Map([
  ['deprecated', 'Marks the item as deprecated; the reason follows.'],
  ['example', 'An example of the value, as JSON or text; may be repeated.'],
  ...limits.map(([keyword, , detail]) => [keyword, detail] as const),
  ['page', 'The number of items in a page of the list.'],
  ['fields', 'The fields of the object that REST returns by default, with blanks between them.'],
  ['auth', '“required” or “optional”: whether callers must authenticate to read the field, or the type.'],
  ['scopes', 'The scopes that callers must have to read it, with blanks between them; may be repeated.'],
  ['anyScope', 'The scopes of which callers must have one to read it, with blanks between them.'],
  ['roles', 'The roles of which callers must have one to read it, with blanks between them.'],
  ['owner', 'The field of the object that must be the id of the caller that reads it.'],
  ['renamedFrom', 'An old name that is served until a month: oldName until 2027-06; may be repeated.'],
  ['notNull', 'Callers may leave the value out, but not give null for it.'],
  [
    'header',
    'The header of the argument in a request, such as If-Match, or of the field in a response, such as Location.',
  ],
  ['value', 'How REST and agents spell the value of the enum; GraphQL and resolvers use its name.'],
  ['tag', 'A tag of the operation in OpenAPI; may be repeated.'],
  ['store', 'How the store keeps the value of a Stored node, or compares an argument; may be repeated.'],
]);

function readNumber(text: string): number | undefined {
  const value = Number(text);
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(value) ? value : undefined;
}

function readPositive(text: string): number | undefined {
  const value = readNumber(text);
  return value !== undefined && value > 0 ? value : undefined;
}

function readCount(text: string): number | undefined {
  const value = Number(text);
  // No array, and no string of JavaScript, is longer than an Int of GraphQL.
  return /^\d+$/.test(text) && value < 2 ** 31 ? value : undefined;
}

function readExpression(text: string): string | undefined {
  return text !== '' && readPattern(text).ok ? text : undefined;
}
