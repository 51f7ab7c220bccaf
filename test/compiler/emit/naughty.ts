import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import {
  argument,
  enumeration,
  mutation,
  object,
  query,
  scalar,
  schemaOf,
  subscription,
  type,
  union,
} from './fixtures.js';

/** Texts that have broken escaping somewhere before. */
export const naughtyTexts: readonly string[] = [
  'plain',
  'ends with a quote"',
  '"',
  '""',
  '"""',
  'a """ b',
  'three at the end """',
  '\\',
  'ends with a backslash\\',
  'back\\slash \\n \\u0041',
  ' leading',
  'trailing ',
  '   ',
  '\n',
  '\nleading line break',
  'trailing line break\n',
  'two\nlines',
  'one\n  indented',
  '  both\n  indented',
  'blank\n\nline between',
  'blank with spaces\n   \nbetween',
  'tab\there',
  '\tleading tab',
  'carriage\r\nreturn',
  'bell\u0007 nul\u0000 delete\u007f c1\u0085',
  'Ünïcödé 日本語 🙂 \u2028 \u200b \u202e',
  'half \ud83d of a pair \ude42',
  'x'.repeat(71),
  `${'long and '.repeat(20)}"`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text that only looks like a template.
  '# not a comment // nor this */ {{base_url}} ${x} `y` </script>',
  '%s %d $1 $& \\$',
];

/** Names that are properties of every JavaScript object. */
export const naughtyNames = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', '_', 'then'];

/** One schema with all of it: descriptions, defaults, names. */
export function naughtySchema(): GqlSchema {
  const fields = Object.fromEntries(naughtyNames.map((name) => [name, 'String!']));
  const objects = [
    object('Texts', Object.fromEntries(naughtyTexts.map((description, at) => [`f${at}`, { description }])), {
      description: naughtyTexts.join(' '),
    }),
    object('constructor', fields),
    object('toString', { constructor: 'constructor!', toString: 'toString', all: '[hasOwnProperty!]!' }),
    object('Problem', { type: { type: type('String!'), fallback: 'about:blank' }, status: 'Int!' }),
    object('Chain', { next: 'Chain!', other: 'Ring!' }),
    object('Ring', { chain: 'Chain!', problem: '[Problem!]!' }),
  ];
  return schemaOf({
    objects,
    enums: [enumeration('valueOf', ['constructor', 'toString', 'hasOwnProperty'])],
    scalars: [scalar('Money'), scalar('Json', naughtyTexts[5])],
    unions: [union('hasOwnProperty', ['constructor', 'toString', 'Problem', 'Chain'])],
    queries: [
      ...naughtyTexts.map((text, at) =>
        query(`text${at}`, 'String', [argument('text', 'String', text, text), argument('other', 'Int')], {
          description: text,
        }),
      ),
      ...naughtyNames.map((name) =>
        query(name, 'toString', [argument(name, 'valueOf', name === '_' ? 'constructor' : undefined)]),
      ),
      query('race', '[[hasOwnProperty!]!]!', [
        argument('enums', '[valueOf!]', ['toString', 'constructor']),
        argument('nested', '[[valueOf]]', [['toString', null], null]),
        argument('one', '[Int!]', [1]),
        argument('huge', 'Float', 2 ** 80),
        argument('tiny', 'Float', 1e-9),
        argument('e', 'Float', 1.7976931348623157e308),
        argument('id', 'ID', '9007199254740993'),
        argument('nothing', 'String', null),
        argument('flag', 'Boolean', false),
        argument('money', 'Money', 12.5),
        argument('json', 'Json', { a: [1, 'x', null, { b: true }] }),
        argument('input', 'constructorInput', { constructor: '"', toString: null }),
        argument('deep', 'toStringInput', { all: [], constructor: { valueOf: '\\' } }),
      ]),
      query('chain', 'Chain'),
      query('problem', '[Problem]'),
    ],
    mutations: naughtyNames.map((name) => mutation(name, 'hasOwnProperty!', [argument(name, 'toStringInput')])),
    subscriptions: naughtyNames.map((name) => subscription(name, 'constructor')),
  });
}
