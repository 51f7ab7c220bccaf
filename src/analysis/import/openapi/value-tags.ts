import { readPattern } from '../../../base/pattern/pattern.js';
import type { JsonPlace } from '../../../base/source/json-place.js';
import { constraintTags as limitTags } from '../../../compiler/graph/doc-tags.js';
import { readMultiple } from '../../../compiler/graph/value-notes.js';
import { bareName, type Draft, type DraftTag, oneLine, pageTag, unfitDefault } from '../draft/draft.js';
import { quoteText } from '../draft/write-draft.js';
import { counted, pageWord } from './schema-parts.js';

/** The texts that a tag can hold. */
const forms: Readonly<Record<string, RegExp>> = { pattern: /^(?!\s)[^\r\n]*(?<!\s)$/, format: /^\S+$/ };

/** The keywords of a value that are tags, by the type that the value has in the topology. */
export function constraintTags(schema: JsonPlace, type: string): readonly DraftTag[] {
  const base = bareName(type);
  const subject = type.startsWith('[')
    ? 'list'
    : numbers.has(base)
      ? 'number'
      : base === 'String' || base === 'ID'
        ? 'text'
        : undefined;
  return [...limitTags.values()].flatMap((limit): DraftTag[] => {
    if (limit.subject !== subject) return [];
    const { keyword: name } = limit;
    const value = schema.at(name)?.value ?? (name === 'multipleOf' ? readMultiple(schema.text('$comment')) : undefined);
    // OpenAPI 3.0 (section 4.7.24) marks exclusive limits with a flag.
    if (typeof value === 'number' && forms[name] === undefined) {
      const isExclusive = schema.flag(exclusives[name] ?? '');
      return [{ name: isExclusive ? (exclusives[name] as string) : name, text: plainNumber(value) }];
    }
    if (typeof value !== 'string' || forms[name]?.test(value) !== true) return [];
    return name === 'pattern' && !readPattern(value).ok ? [] : [{ name, text: value }];
  });
}

const numbers: ReadonlySet<string> = new Set(['Int', 'Float', 'SafeInt']);
const exclusives: Readonly<Record<string, string>> = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' };

/** A number as a topology writes it. */
function plainNumber(value: number): string {
  return String(value).replace('e+', 'e');
}

/**
 * The examples of a value as tags, which have one line.
 *
 * @param nameOf - The name of a value of an enum; undefined for other texts.
 */
export function exampleTags(schema: JsonPlace, nameOf: NameOf = noName): readonly DraftTag[] {
  const given = [
    ...schema.list('examples'),
    // Those of parameters have names.
    ...schema.entries('examples').map(([, example]) => example.at('value')),
    ...(schema.has('example') ? [schema.at('example')] : []),
  ];
  return given.flatMap((example): DraftTag[] => {
    const value = named(example?.value, nameOf);
    if (value === null || value === undefined || (typeof value === 'object' && !Array.isArray(value))) return [];
    const isPlain =
      typeof value === 'string' && /^[A-Za-z][\w .:/@+-]*\w$/.test(value) && !/^(?:true|false|null)$/.test(value);
    return [{ name: 'example', text: isPlain ? value : JSON.stringify(value) }];
  });
}

/** Finds the name of a value of an enum. */
export type NameOf = (value: string) => string | undefined;

const noName: NameOf = () => undefined;

function named(value: unknown, nameOf: NameOf): unknown {
  if (typeof value === 'string') return nameOf(value) ?? value;
  return Array.isArray(value) ? value.map((item) => named(item, nameOf)) : value;
}

/** The words of a schema that became tags. OpenAPI 3.0 has two words for an exclusive limit. */
export function takenWords(tags: readonly DraftTag[]): readonly string[] {
  return tags.flatMap(({ name }) => {
    const inclusive = Object.keys(exclusives).find((limit) => exclusives[limit] === name);
    if (name === 'example') return [name, 'examples'];
    return inclusive === undefined ? [name] : [name, inclusive];
  });
}

/** `@deprecated`, if a schema or an operation is deprecated. */
export function deprecatedTags(schema: JsonPlace): readonly DraftTag[] {
  return schema.flag('deprecated')
    ? [{ name: 'deprecated', text: oneLine(schema.text('x-deprecated-reason') ?? '') }]
    : [];
}

/** `@page`, if gg-svc marked a list as paged. */
export function pageTags(draft: Draft, schema: JsonPlace, subject: string): readonly DraftTag[] {
  if (!schema.has(pageWord)) return [];
  draft.lose(schema, `page of ${subject}`, noPageSize);
  return [pageTag('20', schema.at(pageWord)?.value === counted)];
}

/** The reason of the report for each page of unknown size. */
export const noPageSize = 'A collection does not state the page size.';

/** A constant as a topology writes it; undefined, and reported, if topologies cannot express it. */
export function defaultText(draft: Draft, given: JsonPlace, subject: string, nameOf: NameOf): string | undefined {
  const text = constantText(given.value, nameOf);
  if (text === undefined) draft.lose(given, `default of ${subject}`, unfitDefault);
  return text;
}

/** A JSON value as a topology writes it; undefined if topologies cannot express it. */
export function constantText(value: unknown, nameOf?: NameOf): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value === 'string') return nameOf?.(value) ?? quoteText(value);
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item) => constantText(item, nameOf));
  return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
}
