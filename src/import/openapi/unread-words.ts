import { constraintTags } from '../../graph/doc-tags.js';
import type { Draft } from '../draft/draft.js';
import type { JsonPlace } from '../draft/json-place.js';
import type { References } from './references.js';
import { scalarsOfFormats } from './scalar-types.js';
import type { SchemaShape } from './schema-parts.js';

/** Reports the members of the parts of a document that become nothing, each at its place. */
export class UnreadWords {
  readonly #draft: Draft;
  readonly #references: References;
  readonly #seen = new Set<string>();
  readonly #schemas: { readonly schema: JsonPlace; readonly subject: string }[] = [];
  readonly #taken = new Set<string>();

  constructor(draft: Draft, references: References) {
    this.#draft = draft;
    this.#references = references;
  }

  /** Reports the members of a parameter, an operation and so on that nothing reads. */
  report(owner: Exclude<keyof typeof readWords, 'schema'>, part: JsonPlace, subject: string): void {
    if (this.#seen.has(part.pointer)) return;
    this.#seen.add(part.pointer);
    for (const [word, { place }] of part.entries())
      if (!readWords[owner].has(word)) this.#lose(word, place, subject);
  }

  /** Reads the words of a schema, and of those that it is made of, for `reportSchemas`. */
  addSchema(from: JsonPlace, subject: string): void {
    const waiting = [from];
    for (let at = 0; at < waiting.length; at++) {
      const schema = waiting[at] as JsonPlace;
      if (this.#seen.has(schema.pointer) || !schema.isObject) continue;
      this.#seen.add(schema.pointer);
      this.#schemas.push({ schema, subject });
      for (const key of ['allOf', 'anyOf', 'oneOf'])
        for (const part of schema.list(key)) if (this.#references.resolve(part) === part) waiting.push(part);
    }
  }

  /** Says that a word of a schema became a part of the topology. */
  take({ pointer }: JsonPlace, ...words: readonly string[]): void {
    for (const word of words) this.#taken.add(`${pointer} ${word}`);
  }

  /** Says which kind of type a schema became. */
  takeShape(schema: JsonPlace, kind: SchemaShape['kind']): void {
    this.take(schema, 'nullable', ...(wordsOfShapes[kind] ?? []));
    const format = schema.text('format') ?? '';
    if (kind === 'text' ? scalarsOfFormats.has(format) || format === 'binary' : formatsOfNumbers.has(format))
      this.take(schema, 'format');
  }

  /** Reports the words of schemas that became nothing. */
  reportSchemas(): void {
    for (const { schema, subject } of this.#schemas) {
      for (const [word, { place }] of schema.entries()) {
        const isTaken = !wordsOfValues.has(word) || this.#taken.has(`${schema.pointer} ${word}`);
        if (!readWords.schema.has(word) || !isTaken) this.#lose(word, place, subject);
      }
    }
  }

  #lose(word: string, place: string, subject: string): void {
    const ofValues = wordsOfValues.has(word) ? 'The topology has no place for it here.' : undefined;
    const reason = reasons.get(word) ?? ofValues ?? 'A topology does not say it.';
    this.#draft.lose(place, `${word} of ${subject}`, reason);
  }
}

/** The words that make the types of schemas. */
const wordsOfShapes: Readonly<Partial<Record<SchemaShape['kind'], readonly string[]>>> = {
  same: ['anyOf', 'oneOf'],
  choice: ['anyOf', 'oneOf', 'description'],
  list: ['items'],
  object: ['additionalProperties', 'description'],
  map: ['additionalProperties'],
};

/** The formats of numbers, which their types have. */
const formatsOfNumbers: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

const reasons: ReadonlyMap<string, string> = new Map([
  ['title', 'Types and fields have names and descriptions, but no titles.'],
  ['xml', 'The server reads and writes JSON.'],
  ['externalDocs', 'Links belong into descriptions.'],
  ['enum', 'An enum has several names; its values have the type of the others.'],
  ['const', 'An enum has several names; its values have the type of the others.'],
  ['anyOf', 'It stands beside other words, which make the type.'],
  ['oneOf', 'It stands beside other words, which make the type.'],
  ['default', 'Only arguments have defaults.'],
  ['deprecated', 'Only operations, fields and arguments are deprecated.'],
]);

/** The words of schemas that mean something in some places, or beside some other words. */
const wordsOfValues: ReadonlySet<string> = new Set([
  'description',
  'nullable',
  'items',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'enum',
  'const',
  'format',
  'default',
  'example',
  'examples',
  'deprecated',
  ...constraintTags.keys(),
]);

/** The members of each part that become something, or are reported where they are read. */
const readWords = {
  schema: new Set<string>([
    '$ref',
    '$defs',
    'type',
    'x-nullable',
    'properties',
    'required',
    'allOf',
    ...wordsOfValues,
    'x-deprecated-reason',
    'readOnly',
    'writeOnly',
  ]),
  parameter: new Set<string>([
    '$ref',
    'name',
    'in',
    'required',
    'schema',
    'content',
    'description',
    'deprecated',
    'x-deprecated-reason',
    'example',
    'examples',
    'style',
    'explode',
  ]),
  operation: new Set<string>([
    'operationId',
    'summary',
    'description',
    'tags',
    'deprecated',
    'x-deprecated-reason',
    'parameters',
    'requestBody',
    'responses',
    'security',
    'callbacks',
    'servers',
    'externalDocs',
  ]),
  requestBody: new Set<string>(['$ref', 'content', 'required']),
  mediaType: new Set<string>(['schema']),
} as const satisfies Record<string, ReadonlySet<string>>;
