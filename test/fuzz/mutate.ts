/** Numbers from 0 to 1, the same for the same seed (the generator of Marsaglia, xorshift32). */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** What the formats read here are made of, and texts that programs trip over. */
const pieces = [
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '-',
    '->',
    '<-',
    ':',
    ',',
    '|',
    '=',
    '!',
    '"',
    "'",
    '`',
    '/',
    '*',
    '@',
    '#',
  ],
  ...['//', '/*', '*/', '///', '"""', '\n', '\r\n', '\t', ' ', ';', '.', '..', '$', '&', '?', '\\', '~', '%'],
  ...['root', 'PROCESS', 'FOLD', 'FORK', 'RACE', 'import', 'Input', 'OneOf', 'Problem', 'Record', 'Event'],
  ...[
    'operation: ',
    'returns: ',
    'route: ',
    'page: 2',
    'auth: true',
    'scopes: ',
    'internal: true',
    'throws: ',
  ],
  ...[
    '[A!]!',
    'ID!',
    'String',
    'Int',
    '[',
    'null',
    'true',
    '0',
    '-1',
    '1e400',
    '0.1',
    '99999999999999999999',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '__typename',
    'é',
    '\u{1f600}',
    '\ud800',
    '\u0000',
    '\ufeff',
    '\u2028',
  ],
  ...['$ref', '"$ref":"#"', '"$ref":"#/components/schemas/A"', 'allOf', 'type', '[]', '{}', '""', 'x-gg'],
];

/**
 * Changes a text in one to four places: a span is cut, doubled, moved, or replaced by a piece of this or of another text.
 */
export function mutate(random: () => number, text: string, others: readonly string[]): string {
  const below = (end: number): number => Math.floor(random() * end);
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? '';
  let changed = text;
  for (let left = 1 + below(4); left > 0; left--) {
    const start = below(changed.length + 1);
    // Most spans are short: a long one takes most of the text with it.
    const end = Math.min(changed.length, start + below(below(4) === 0 ? 200 : 6));
    const span = changed.slice(start, end);
    const donor = pick(others);
    const from = below(donor.length);
    const replacements = [
      () => '',
      () => span + span,
      () => pick(pieces),
      () => span + pick(pieces),
      () => donor.slice(from, from + below(60)),
      () => [...span].reverse().join(''),
      () => String.fromCharCode(below(128)),
    ];
    changed =
      changed.slice(0, start) + (replacements[below(replacements.length)]?.() ?? '') + changed.slice(end);
  }
  return changed;
}
