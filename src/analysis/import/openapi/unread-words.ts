import type { JsonPlace } from '../../../base/source/json-place.js';
import { constraintTags } from '../../../compiler/graph/doc-tags.js';
import type { Draft } from '../draft/draft.js';
import type { References } from './references.js';
import { type SchemaShape, scalarsOfFormats } from './schema-parts.js';

/** Reports the members of the parts of a document that the topology does not keep, each at its place. */
export class UnreadWords {
  readonly #seen = new Set<string>();
  readonly #schemas: { readonly schema: JsonPlace; readonly subject: string }[] = [];
  readonly #taken = new Set<string>();

  constructor(
    private readonly draft: Draft,
    private readonly references: References,
  ) {}

  /** Reports the unread members of a parameter, an operation or another part that is not a schema. */
  report(owner: Exclude<keyof typeof readWords, 'schema'>, part: JsonPlace, subject: string): void {
    if (this.#seen.has(part.pointer)) return;
    this.#seen.add(part.pointer);
    for (const [word, { place }] of part.entries()) if (!readWords[owner].has(word)) this.#lose(word, place, subject);
  }

  reportContent(part: JsonPlace, subject: string): void {
    for (const [type, media] of part.entries('content')) this.report('mediaType', media, `${type} of ${subject}`);
  }

  /** Reads the words of a schema and of its `allOf`, `anyOf` and `oneOf` parts, for `reportSchemas`. */
  addSchema(from: JsonPlace, subject: string): void {
    const waiting = [from];
    for (let at = 0; at < waiting.length; at++) {
      const schema = waiting[at] as JsonPlace;
      if (this.#seen.has(schema.pointer) || !schema.isObject) continue;
      this.#seen.add(schema.pointer);
      this.#schemas.push({ schema, subject });
      for (const key of ['allOf', 'anyOf', 'oneOf'])
        for (const part of schema.list(key)) if (this.references.resolve(part) === part) waiting.push(part);
    }
  }

  /** Marks words of a schema that became a part of the topology. */
  take({ pointer }: JsonPlace, ...words: readonly string[]): void {
    for (const word of words) this.#taken.add(`${pointer} ${word}`);
  }

  /** Marks the words of a schema that follow from the shape of its type. */
  takeShape(schema: JsonPlace, kind: SchemaShape['kind']): void {
    this.take(schema, 'nullable', ...(wordsOfShapes[kind] ?? []));
    const format = schema.text('format') ?? '';
    if (kind === 'text' ? scalarsOfFormats.has(format) || format === 'binary' : formatsOfNumbers.has(format))
      this.take(schema, 'format');
  }

  /** Reports the words of schemas that no part of the topology took. */
  reportSchemas(): void {
    for (const { schema, subject } of this.#schemas) {
      for (const [word, { place }] of schema.entries()) {
        const isTaken = !wordsOfValues.has(word) || this.#taken.has(`${schema.pointer} ${word}`);
        if (!readWords.schema.has(word) || !isTaken) this.#lose(word, place, subject);
      }
    }
  }

  #lose(word: string, place: string, subject: string): void {
    const ofValues = wordsOfValues.has(word) ? 'Topologies cannot express it here.' : undefined;
    const reason = reasons.get(word) ?? ofValues ?? 'Topologies cannot express this.';
    this.draft.lose(place, `${word} of ${subject}`, reason);
  }
}

const wordsOfShapes: Readonly<Partial<Record<SchemaShape['kind'], readonly string[]>>> = {
  same: ['anyOf', 'oneOf'],
  choice: ['anyOf', 'oneOf', 'description'],
  list: ['items'],
  object: ['additionalProperties', 'description'],
  map: ['additionalProperties'],
};

/** The formats of numbers, which their types have. */
const formatsOfNumbers: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

const besideOthers =
  'Other keywords beside it determine the type. Members are required if all its options require them.';

const reasons: ReadonlyMap<string, string> = new Map([
  ['title', 'Types and fields have names and descriptions instead of titles.'],
  ['xml', 'The server reads and writes JSON.'],
  ['externalDocs', 'Put links into descriptions.'],
  ['enum', 'An enum has several names; its values have the type of the others.'],
  ['const', 'An enum has several names; its values have the type of the others.'],
  ['anyOf', besideOthers],
  ['oneOf', besideOthers],
  ['default', 'Only arguments have defaults.'],
  ['deprecated', 'Only operations, fields and arguments are deprecated.'],
]);

/** The words of schemas that mean something in some places, or beside some other words. */
const wordsOfValues = wordSet(
  'description nullable items additionalProperties anyOf oneOf enum const format default example examples deprecated',
  ...constraintTags.keys(),
);

/** The members of each part that become something, or are reported where they are read. */
const readWords = {
  schema: wordSet(
    '$ref $defs type x-nullable properties required allOf x-deprecated-reason x-enum-varnames x-header readOnly writeOnly',
    ...wordsOfValues,
  ),
  parameter: wordSet(
    '$ref name in required schema content description deprecated x-deprecated-reason example examples style explode',
  ),
  operation: wordSet(
    'operationId summary description tags deprecated x-deprecated-reason parameters requestBody responses',
    ...['security', 'callbacks', 'servers', 'externalDocs'],
  ),
  requestBody: wordSet('$ref content required'),
  mediaType: wordSet('schema'),
} as const;

function wordSet(words: string, ...others: readonly string[]): ReadonlySet<string> {
  return new Set([...words.split(' '), ...others]);
}
