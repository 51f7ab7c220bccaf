import { writeInstead } from '../../../base/diagnostics/diagnostic.js';
import { shortened } from '../../../base/diagnostics/shown-value.js';
import { compileLimits, violation } from '../../../base/json-schema/limits.js';
import { readPattern } from '../../../base/pattern/pattern.js';
import type { Span } from '../../../base/source/span.js';
import { defined } from '../../../base/values/defined.js';
import type { Comment, Property } from '../../syntax/ast.js';
import type { Access } from '../access.js';
import { builtinScalarNames } from '../builtin-scalars.js';
import { type ConstraintTag, constraintTags, docTags, type TagSubject } from '../doc-tags.js';
import type { EnumValue, GraphField, OldName } from '../graph-ir.js';
import { isHeaderName, whyReservedHeader, whyReservedInAnswers } from '../header-names.js';
import type { JsonValue } from '../json-value.js';
import { type PageSize, readPageSize } from '../page-size.js';
import { isStructured } from '../standard-scalars.js';
import { createSuggester } from '../suggest.js';
import { baseName, nullable, printTypeRef, type TypeRef } from '../type-ref.js';
import type { Constraints } from '../value-notes.js';
import {
  accessTags,
  type DocTag,
  readAccess,
  reportBadValue,
  reportContradiction,
  reportMisplaced,
} from './access-tags.js';
import type { DraftFile, EdgeDraft, GraphDraft } from './graph-draft.js';
import { fitJson } from './read-literal.js';

/**
 * The place of a typed property: a field that callers read, or a value that they give. Of these, only the fields of objects
 * (`result`) and the arguments of operations can have headers: not the members of inputs, and not the filters of events.
 */
export type ValuePlace = 'field' | 'result' | 'input' | 'filter' | 'argument';

/** Whether a doc comment may have tags. All others are used as they are. */
export function mayHaveTags(doc: string | undefined): doc is string {
  return doc?.includes('@') === true;
}

/**
 * Reads the tags in the doc comment of a field or an argument. A required value that callers give cannot be deprecated.
 */
export function withTags<Field extends GraphField>(
  file: DraftFile,
  property: Property,
  field: Field,
  use: ValuePlace,
): Field {
  if (!mayHaveTags(property.doc)) return field;
  const { description, tags } = readTags(file, property.start);
  const place = file.spanOf(property.fallback ?? property.value);
  return { ...field, description, ...readValueTags(file.draft, tags, field, use, place) };
}

/** Reads the tags in the doc comment of an edge. Only operations have a use for them, and a race becomes a union. */
export function readEdgeTags(
  file: DraftFile,
  start: number,
  type: string,
): Pick<EdgeDraft, 'description' | 'deprecated' | 'tags' | 'oldNames'> {
  const isRace = type === 'RACE';
  let deprecated: string | undefined;
  const names = new Set<string>();
  const oldNames: OldName[] = [];
  const description = readDoc(file, start, isRace ? 'a RACE edge' : 'an edge', (tag) => {
    if (isRace) return false;
    if (tag.name === 'deprecated') deprecated ??= reasonOf(tag);
    else if (tag.name === 'renamedFrom') oldNames.push(...readOldName(file.draft, tag));
    else if (tag.name !== 'tag') return false;
    else if (tag.text === '') reportBadValue(file.draft, tag, 'the name of a tag');
    else names.add(tag.text);
    return true;
  });
  return {
    description,
    ...defined({ deprecated, tags: names.size === 0 ? undefined : [...names] }),
    ...(oldNames.length > 0 && { oldNames }),
  };
}

/** Reads the tags in the doc comment of an enum value: `@deprecated` and `@value` have a meaning there. */
export function readEnumValueTags(
  file: DraftFile,
  start: number,
): Pick<EnumValue, 'description' | 'deprecated' | 'spelling'> {
  let deprecated: string | undefined;
  let given: DocTag | undefined;
  const description = readDoc(file, start, 'a value of an enum', (tag) => {
    if (tag.name === 'deprecated') deprecated ??= reasonOf(tag);
    else if (tag.name !== 'value') return false;
    else if (tag.text === '') reportBadValue(file.draft, tag, 'the spelling of the value, such as in-progress');
    else if (given !== undefined && given.text !== tag.text) reportContradiction(file.draft, tag, given);
    else given ??= tag;
    return true;
  });
  return defined({ description, deprecated, spelling: given?.text });
}

/** The doc comment of a node: its text, what reading anything of its type demands, and the rules of its table. */
export interface NodeDoc {
  readonly description: string | undefined;
  readonly access: Access;
  readonly store?: readonly string[];
}

/** Reads the doc comment of a node. Only the tags of access, and `@store`, have a meaning there. */
export function readNodeDoc(file: DraftFile, start: number, node: string): NodeDoc {
  const tags: DocTag[] = [];
  const store: string[] = [];
  const description = readDoc(file, start, 'a node', (tag) => {
    if (tag.name === 'store') return store.push(tag.text) > 0;
    return accessTags.has(tag.name) && tags.push(tag) > 0;
  });
  const access = readAccess(file.draft, tags, `“${node.trim()}”`);
  return { description, access, ...(store.length > 0 && { store }) };
}

/**
 * Reads the tags before an item, and returns the description.
 *
 * @param read - Reads a tag; false for one that has no meaning there, which is reported.
 */
function readDoc(file: DraftFile, start: number, place: string, read: (tag: DocTag) => boolean): string | undefined {
  const { description, tags } = readTags(file, start);
  for (const tag of tags) if (!read(tag)) reportMisplaced(file.draft, tag, place);
  return description;
}

/** The reason that GraphQL itself gives (October 2021, section 3.13.3). */
function reasonOf({ text }: DocTag): string {
  return text === '' ? 'No longer supported' : text;
}

/** The old name behind `@renamedFrom`, in a list; empty for a text that is none, which is reported. */
function readOldName(draft: GraphDraft, tag: DocTag): readonly OldName[] {
  const [, name, until] = /^([A-Za-z]\w*) +until +(\d{4}-(?:0[1-9]|1[0-2]))$/.exec(tag.text) ?? [];
  if (name !== undefined && until !== undefined) return [{ name, until }];
  reportBadValue(draft, tag, 'the old name and a month, such as readUser until 2027-06');
  return [];
}

/** Splits the doc comment before an item into its description and its tags. */
function readTags(file: DraftFile, itemStart: number) {
  const tags: DocTag[] = [];
  const lines: string[] = [];
  for (const { start, end } of docCommentsBefore(file.text, file.comments, itemStart)) {
    const line = file.text.slice(start + 3, end).trimEnd();
    const [, indent, name, text = ''] = /^(\s*)@([A-Za-z]\w*)(?:\s+(.*))?$/.exec(line) ?? [];
    if (name !== undefined) {
      const from = start + 3 + (indent as string).length;
      if (docTags.has(name)) {
        const span = { file: file.name, start: from, end: start + 3 + line.length };
        tags.push({ name, text: text.trim(), span });
        continue;
      }
      suggestTag(file.draft, name, { file: file.name, start: from, end: from + 1 + name.length });
    }
    lines.push(line.startsWith(' ') ? line.slice(1) : line);
  }
  if (tags.length === 0) return { description: lines.join('\n'), tags };
  const description = lines.join('\n').replace(/^\n+|\n+$/g, '');
  return { description: description === '' ? undefined : description, tags };
}

/** The doc comments directly before an item: only other comments and blanks stand between. */
function docCommentsBefore(text: string, comments: readonly Comment[], itemStart: number): readonly Comment[] {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle] as Comment).start < itemStart) low = middle + 1;
    else high = middle;
  }
  const found: Comment[] = [];
  let before = itemStart;
  for (let at = low - 1; at >= 0; at--) {
    const comment = comments[at] as Comment;
    if (text.slice(comment.end, before).trim() !== '') break;
    if (comment.kind === 'doc') found.push(comment);
    before = comment.start;
  }
  return found.reverse();
}

/** Tags of other languages that are near to one of ours. */
const otherTags: ReadonlySet<string> = new Set(['author', 'authors']);

/** Words for access in other languages and frameworks: as text they would leave open what they are meant to protect. */
const accessWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    scopes: 'access permission permissions requiresScopes scope',
    auth: 'authenticate authenticated authorize authorise authorized',
    roles: 'role allowedRoles hasRole rolesAllowed',
  }).flatMap(([tag, words]) => words.split(' ').map((word) => [word, tag] as const)),
);

/** Warns of a word that is probably a misspelt tag (GG2035). Any other word is part of the description. */
function suggestTag(draft: GraphDraft, name: string, span: Span): void {
  const near =
    accessWords.get(name) ??
    [...docTags.keys()].find((tag) => name.length > 2 && tag.startsWith(name)) ??
    createSuggester(docTags.keys()).nearest(name);
  if (near === undefined || otherTags.has(name)) return;
  const fix = writeInstead(`@${near}`, span);
  draft.report('GG2035', { name, suggestion: near }, span, fix);
}

/**
 * Reads the tags of one field or argument. The limits are checked against each other (GG2038), the default and the
 * examples against the limits (GG2039).
 *
 * @param place - The place of the default.
 */
function readValueTags(
  draft: GraphDraft,
  tags: readonly DocTag[],
  { name, type, fallback }: GraphField,
  use: ValuePlace,
  place: Span,
): Omit<Partial<GraphField>, 'name' | 'type'> {
  const isArgument = use !== 'field' && use !== 'result';
  const limits = new Map<keyof Constraints, { readonly value: number | string; readonly tag: DocTag }>();
  const examples: { readonly value: JsonValue; readonly tag: DocTag }[] = [];
  let deprecated: string | undefined;
  let pageSize: PageSize | undefined;
  let fields: readonly string[] | undefined;
  let header: string | undefined;
  let notNull: true | undefined;
  const oldNames: OldName[] = [];
  const store: string[] = [];
  const typeText = printTypeRef(type);
  const reportValue = (what: string, value: string, reason: string, span: Span): void =>
    draft.report('GG2039', { what, value: shortened(value), reason }, span);

  const readLimit = (tag: DocTag, { keyword, subject, read, expected }: ConstraintTag): void => {
    const value = read(tag.text);
    const before = limits.get(keyword);
    const reading = value === undefined && keyword === 'pattern' ? readPattern(tag.text) : undefined;
    if (!isLimitable(draft, type, subject)) reportMisplaced(draft, tag, `a value of type ${typeText}`);
    // A pattern that is valid, but takes too long, is a finding of its own.
    else if (reading?.ok === false && reading.costly !== undefined)
      draft.report('GG2050', { costly: reading.costly }, tag.span);
    else if (value === undefined) reportBadValue(draft, tag, expected);
    else if (before === undefined) limits.set(keyword, { value, tag });
    else if (before.value !== value) reportContradiction(draft, tag, before.tag);
  };
  const readDeprecated = (tag: DocTag): void => {
    if (isArgument && type.kind === 'nonNull' && (fallback ?? null) === null)
      draft.report('GG3033', { argument: name }, tag.span);
    else deprecated ??= reasonOf(tag);
  };
  const readExampleTag = (tag: DocTag): void => {
    const value = tag.text === '' ? undefined : readExample(draft, type, tag.text);
    if (tag.text === '') reportBadValue(draft, tag, 'a value, as JSON or text');
    else if (value !== undefined) examples.push({ value, tag });
    else reportValue('example', tag.text, `must be a value of ${typeText}`, tag.span);
  };
  const readPage = (tag: DocTag): void => {
    const size = readPageSize(tag.text);
    const bare = nullable(type);
    if (fallback !== undefined) reportMisplaced(draft, tag, 'a field with a constant');
    else if (bare.kind !== 'list' || nullable(bare.of).kind === 'list')
      reportMisplaced(draft, tag, `a value of type ${typeText}`);
    else if (size === undefined) reportBadValue(draft, tag, 'the number of items in a page');
    else pageSize = size;
  };
  /** Whether they are fields of the object is checked with the whole schema (GG3065). */
  const readFields = (tag: DocTag): void => {
    if (/^[\w.]+(?: +[\w.]+)*$/.test(tag.text)) fields = tag.text.split(/ +/);
    else reportBadValue(draft, tag, 'fields with blanks between them, such as id name author.name');
  };

  for (const tag of tags) {
    const limit = constraintTags.get(tag.name);
    if (limit !== undefined) readLimit(tag, limit);
    else if (tag.name === 'deprecated') readDeprecated(tag);
    else if (tag.name === 'example') readExampleTag(tag);
    else if (tag.name === 'store') store.push(tag.text);
    else if (tag.name === 'notNull' && isArgument) notNull = readNotNull(draft, tag, type) ?? notNull;
    else if (tag.name === 'header' && (use === 'argument' || use === 'result'))
      header = readHeader(draft, tag, type, use) ?? header;
    else if (isArgument) reportMisplaced(draft, tag, use === 'filter' ? 'a filter of events' : 'an argument');
    else if (tag.name === 'renamedFrom') oldNames.push(...readOldName(draft, tag));
    else if (tag.name === 'page') readPage(tag);
    else if (tag.name === 'fields') readFields(tag);
    else if (!accessTags.has(tag.name)) reportMisplaced(draft, tag, 'a field');
  }
  const ofAccess = isArgument ? [] : tags.filter((tag) => accessTags.has(tag.name));
  const access = readAccess(draft, ofAccess, `“${name}”`);
  for (const [least, most, isStrict] of opposites) {
    const [low, high] = [limits.get(least), limits.get(most)];
    if (low === undefined || high === undefined) continue;
    if (isStrict ? low.value < high.value : low.value <= high.value) continue;
    const [second, first] = low.tag.span.start > high.tag.span.start ? [low, high] : [high, low];
    reportContradiction(draft, second.tag, first.tag);
    limits.delete(second === low ? least : most);
  }
  if (notNull && fallback === null) reportValue('default', 'null', 'must not be null', place);
  const constraints: Constraints = Object.fromEntries([...limits].map(([word, { value }]) => [word, value]));
  const checks = compileLimits(constraints);
  const values = examples.map(({ value, tag }) => ({ value, span: tag.span, what: 'example' }));
  if (fallback !== undefined) values.push({ value: fallback, span: place, what: 'default' });
  for (const { value, span, what } of values) {
    const reason = violation(checks, value);
    if (reason !== undefined) reportValue(what, JSON.stringify(value), reason, span);
  }
  return {
    ...defined({ deprecated }),
    ...access,
    ...defined({ pageSize, fields, [isArgument ? 'header' : 'sentAs']: header, notNull }),
    ...(oldNames.length > 0 && { oldNames }),
    ...(store.length > 0 && { store }),
    ...(examples.length > 0 && { examples: examples.map(({ value }) => value) }),
    ...(limits.size > 0 && { constraints }),
  };
}

/** `@notNull`, for a value that may be null without it; undefined at another place, which is reported. */
function readNotNull(draft: GraphDraft, tag: DocTag, type: TypeRef): true | undefined {
  if (tag.text !== '') reportBadValue(draft, tag, 'nothing: it takes no value');
  else if (type.kind === 'nonNull') reportMisplaced(draft, tag, `a value of type ${printTypeRef(type)}`);
  else return true;
  return undefined;
}

/** The header behind `@header`; undefined if the value cannot have it, which is reported (GG2060). */
function readHeader(draft: GraphDraft, tag: DocTag, type: TypeRef, use: 'argument' | 'result'): string | undefined {
  const { text: header, span } = tag;
  if (!isHeaderName(header)) {
    reportBadValue(draft, tag, 'the name of a header, such as If-Match');
    return undefined;
  }
  const isOne = nullable(type).kind === 'named' && isLeaf(draft, baseName(type));
  const whyReserved = use === 'argument' ? whyReservedHeader : whyReservedInAnswers;
  const reason = isOne ? whyReserved(header) : 'a header is one scalar or enum';
  if (reason === undefined) return header;
  draft.report('GG2060', { header, type: printTypeRef(type), reason }, span);
  return undefined;
}

function isLeaf(draft: GraphDraft, name: string): boolean {
  const kind = draft.nodeOfType(name)?.kind;
  if (kind !== undefined) return kind === 'enum' || kind === 'scalar';
  const standard = draft.standardScalarOf(name);
  return standard === undefined ? builtinScalarNames.has(name) : !isStructured(standard);
}

/** The limits that leave no value if the first is above the second; true where equal limits leave none either. */
const opposites: readonly (readonly [keyof Constraints, keyof Constraints, boolean])[] = [
  ['minimum', 'maximum', false],
  ['minimum', 'exclusiveMaximum', true],
  ['exclusiveMinimum', 'maximum', true],
  ['exclusiveMinimum', 'exclusiveMaximum', true],
  ['minLength', 'maxLength', false],
  ['minItems', 'maxItems', false],
];

/** Whether values of a type can be of a kind that a tag limits. A custom scalar can be anything. */
function isLimitable(draft: GraphDraft, type: TypeRef, subject: TagSubject): boolean {
  if (subject === 'list') return nullable(type).kind === 'list';
  const name = baseName(type);
  if (name === 'Int' || name === 'Float') return subject === 'number';
  if (name === 'String' || name === 'ID') return subject === 'text';
  const standard = draft.standardScalarOf(name);
  if (standard !== undefined) return standard.given === (subject === 'number' ? 'number' : 'string');
  return draft.nodeOfType(name)?.kind === 'scalar';
}

/** The JSON that a tag gives, if it is a value of the type; else its text, if that is one. */
function readExample(draft: GraphDraft, type: TypeRef, text: string): JsonValue | undefined {
  const fromText = fitJson(draft, type, text);
  try {
    // JSON has no form for a number that is too large for a double.
    const value = JSON.parse(text, (_key, part) => {
      if (typeof part === 'number' && !Number.isFinite(part)) throw new SyntaxError();
      return part;
    });
    return fitJson(draft, type, value) ?? fromText;
  } catch {
    return fromText;
  }
}
