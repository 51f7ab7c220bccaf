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
  /** What has to stand behind the tag, for messages. */
  readonly expected: string;
}

const limits: readonly ConstraintTag[] = [
  { keyword: 'minimum', subject: 'number', read: readNumber, expected: 'a number' },
  { keyword: 'maximum', subject: 'number', read: readNumber, expected: 'a number' },
  { keyword: 'exclusiveMinimum', subject: 'number', read: readNumber, expected: 'a number' },
  { keyword: 'exclusiveMaximum', subject: 'number', read: readNumber, expected: 'a number' },
  { keyword: 'multipleOf', subject: 'number', read: readPositive, expected: 'a number above zero' },
  { keyword: 'minLength', subject: 'text', read: readCount, expected: 'a whole number' },
  { keyword: 'maxLength', subject: 'text', read: readCount, expected: 'a whole number' },
  { keyword: 'pattern', subject: 'text', read: readExpression, expected: 'a regular expression' },
  { keyword: 'format', subject: 'text', read: readWord, expected: 'one word, such as email' },
  { keyword: 'minItems', subject: 'list', read: readCount, expected: 'a whole number' },
  { keyword: 'maxItems', subject: 'list', read: readCount, expected: 'a whole number' },
];

/** The tags that limit a value, by name. They are the keywords of JSON Schema. */
export const constraintTags: ReadonlyMap<string, ConstraintTag> = new Map(
  limits.map((tag) => [tag.keyword, tag]),
);

/** All tags that have a meaning in a doc comment, and what each of them does. */
export const docTags: ReadonlyMap<string, string> = new Map([
  ['deprecated', 'Marks the item as deprecated; the reason follows.'],
  ['example', 'An example of the value, as JSON or text; may be repeated.'],
  ['minimum', 'The smallest number that is valid.'],
  ['maximum', 'The largest number that is valid.'],
  ['exclusiveMinimum', 'A valid number is greater than this one.'],
  ['exclusiveMaximum', 'A valid number is less than this one.'],
  ['multipleOf', 'A valid number is a multiple of this one.'],
  ['minLength', 'The least number of characters.'],
  ['maxLength', 'The greatest number of characters.'],
  ['pattern', 'A regular expression that a part of the text matches.'],
  ['format', 'The format of the text, such as email.'],
  ['minItems', 'The least number of elements of the list.'],
  ['maxItems', 'The greatest number of elements of the list.'],
  ['page', 'The number of items in a page of the list.'],
  ['auth', '“required” or “optional”: whether callers must authenticate to read the field, or the type.'],
  ['scopes', 'The scopes that callers must have to read it, with blanks between them; may be repeated.'],
  ['anyScope', 'The scopes of which callers must have one to read it, with blanks between them.'],
  ['roles', 'The roles of which callers must have one to read it, with blanks between them.'],
  ['owner', 'The field of the object that must be the id of the caller that reads it.'],
  ['tag', 'A tag of the operation in OpenAPI; may be repeated.'],
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

function readWord(text: string): string | undefined {
  return /^\S+$/.test(text) ? text : undefined;
}
