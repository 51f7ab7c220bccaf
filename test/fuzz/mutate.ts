import { below, pick, type Random } from '../bench/random.js';

/** What the formats read here are made of, and texts that programs trip over. */
const pieces = [
  ...['(', ')', '[', ']', '{', '}', '-', '->', '<-', ':', ',', '|', '=', '!', '"', "'", '`', '/', '*', '@', '#'],
  ...['File', 'File!', ': Stored', "owner: 'userId'", "writes: 'delete'", 'fallback: true', 'etag: true', 'fields: '],
  ...['/// @store key\n', '/// @store version\n', '/// @store by a\n', '/// @store gte a\n', '/// @store '],
  ...['//', '/*', '*/', '///', '"""', '\n', '\r\n', '\t', ' ', ';', '.', '..', '$', '&', '?', '\\', '~', '%'],
  ...['root', 'PROCESS', 'FOLD', 'FORK', 'RACE', 'import', 'Input', 'OneOf', 'Problem', 'Record', 'Event'],
  ...['operation: ', 'returns: ', 'route: ', 'page: 2', 'auth: true', 'scopes: ', 'internal: true', 'throws: '],
  ...['[A!]!', 'ID!', 'String', 'Int', '[', 'null', 'true', '0', '-1', '1e400', '0.1', '99999999999999999999'],
  ...['__proto__', 'constructor', 'toString', '__typename', 'é', '\u{1f600}', '\ud800', '\u0000', '\ufeff', '\u2028'],
  ...['$ref', '"$ref":"#"', '"$ref":"#/components/schemas/A"', 'allOf', 'type', '[]', '{}', '""', 'x-gg'],
];

/**
 * Changes a text in one to four places: a span is cut, doubled, moved, or replaced by a piece of this or of another text.
 */
export function mutate(random: Random, text: string, others: readonly string[]): string {
  let changed = text;
  for (let left = 1 + below(4, random); left > 0; left--) {
    const start = below(changed.length + 1, random);
    // Most spans are short: a long one takes most of the text with it.
    const end = Math.min(changed.length, start + below(below(4, random) === 0 ? 200 : 6, random));
    const span = changed.slice(start, end);
    const donor = pick(others, random);
    const from = below(donor.length, random);
    const replacements = [
      () => '',
      () => span + span,
      () => pick(pieces, random),
      () => span + pick(pieces, random),
      () => donor.slice(from, from + below(60, random)),
      () => [...span].reverse().join(''),
      () => String.fromCharCode(below(128, random)),
    ];
    changed = changed.slice(0, start) + pick(replacements, random)() + changed.slice(end);
  }
  return changed;
}
