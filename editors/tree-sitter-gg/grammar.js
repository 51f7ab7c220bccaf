/// <reference types="tree-sitter-cli/dsl" />
// The grammar of topologies for tree-sitter. `grammar/gg.ebnf` is normative, and a test holds this one against its
// parser. `tree-sitter generate --abi 14` writes `src/` from this file.

const blank = '[\\t-\\r ]';
const wideBlank = '\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** Items between separators, with an optional last comma. */
const list = (item) => optional(seq(item, repeat(seq(',', item)), optional(',')));

export default grammar({
  name: 'gg',

  word: ($) => $.name,

  // A name at the end of one line and a parenthesis on the next are no call: src/scanner.c.
  externals: ($) => [$._callee],

  extras: ($) => [new RegExp(`[\\t-\\r ${wideBlank}]`), $.doc_comment, $.comment, $.block_comment],

  supertypes: ($) => [$._statement, $._value],

  rules: {
    source_file: ($) => repeat($._statement),

    // A line comment with exactly three slashes. It stands first: of tokens of one length, the first is taken.
    doc_comment: () => token(seq('///', optional(/[^/\n\r][^\n\r]*/))),
    comment: () => token(seq('//', /[^\n\r]*/)),
    block_comment: () => token(seq('/*', /[^*]*\*+([^*/][^*]*\*+)*/, '/')),

    _statement: ($) => choice($.import, $.export, $.pipeline, $.call_chain),

    import: ($) => seq('import', optional(seq($._names, 'from')), field('source', $.string), optional(';')),
    export: ($) => seq('export', $._names, optional(';')),
    _names: ($) => seq('{', list(field('name', $.name)), '}'),

    pipeline: ($) =>
      choice(
        prec.right(seq(field('head', $.group), repeat($._hop))),
        prec.right(seq(field('head', $._word), repeat1($._hop))),
      ),
    _hop: ($) => seq($.edge, field('target', choice($.group, $.name))),
    edge: ($) =>
      seq(
        alias($._edge_open, '-['),
        ':',
        field('type', $.edge_type),
        optional($.properties),
        alias($._edge_close, ']->'),
      ),
    _edge_open: () => token(seq('-', new RegExp(`${blank}*`), '[')),
    _edge_close: () => token(seq(']', new RegExp(`${blank}*`), '->')),
    edge_type: () => /[A-Z][A-Z0-9_]*/,

    group: ($) => seq('(', $.node, repeat(seq(choice('|', ','), $.node)), ')'),
    node: ($) =>
      seq(
        field('id', choice($.name, alias($._digits, $.name))),
        repeat(seq(':', field('label', alias($.name, $.label)))),
        optional($.properties),
      ),

    call_chain: ($) =>
      choice(
        prec.right(seq(field('function', alias($._callee, $.name)), '(', $._argument, ')', repeat($.call))),
        prec.right(seq(field('value', $._word), repeat1($.call))),
      ),
    _argument: ($) => choice(field('value', $.name), seq(field('function', $.name), '(', $._argument, ')')),
    call: ($) => seq('.', field('function', $.name), '(', ')'),

    properties: ($) => seq('{', list($.property), '}'),
    property: ($) =>
      seq(
        field('key', $.name),
        choice(seq($.parameters, ':'), ':', '='),
        field('value', $._value),
        optional(seq('=', field('default', $._value))),
      ),
    parameters: ($) => seq('(', $.parameter, repeat(seq(',', $.parameter)), optional(','), ')'),
    parameter: ($) =>
      seq(field('key', $.name), ':', field('value', $._value), optional(seq('=', field('default', $._value)))),

    _value: ($) => choice($.string, $.number, $.boolean, $.null, $.word, $.list),
    boolean: () => choice('true', 'false'),
    null: () => 'null',
    // A type, the value of an enum or a text.
    word: ($) => seq($.name, optional('!')),
    list: ($) => seq('[', list($._value), ']', optional('!')),

    string: () => token(choice(/'([^'\\\n\r]|\\[^\n\r])*'/, /"([^"\\\n\r]|\\[^\n\r])*"/)),
    number: () => /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/,

    // Where a statement begins, `import` and `export` are names unless a list or a string follows.
    _word: ($) => choice($.name, alias('import', $.name), alias('export', $.name)),
    // Letters, digits and underscores that are not a number: 1_10 is a name, 2 and 1e5 are not.
    name: () =>
      /[A-Za-z_][A-Za-z0-9_]*|[0-9]+([A-DF-Za-df-z_][A-Za-z0-9_]*|[eE]([A-Za-z_][A-Za-z0-9_]*|[0-9]+[A-Za-z_][A-Za-z0-9_]*)?)/,
    _digits: () => /[0-9]+([eE][0-9]+)?/,
  },
});
