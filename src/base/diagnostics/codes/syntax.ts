import { error, warning } from './define.js';

const knownForm = 'Write an edge as (a)-[:TYPE]->(b), with an optional { … } after the type.';

/** `GG1xxx`: syntax errors. */
export const syntaxCodes = {
  GG1001: error('unexpected-token', 'Expected {expected}, found {found}.'),
  GG1002: error(
    'unterminated-string',
    'Missing closing quote: a string must end on the line where it begins.',
    'Add {quote} at the end. Inside the string, write \\{quote} for a quote.',
  ),
  GG1003: error('unexpected-character', 'Unexpected {found}.', 'Remove it, or put it inside a quoted string.'),
  GG1004: error('unterminated-comment', 'Missing */: this comment is never closed.', 'Add */ where the comment ends.'),
  GG1005: error('missing-comma', 'Missing comma before {before}.'),
  GG1006: error(
    'nesting-too-deep',
    'Brackets are nested more than {limit} levels deep.',
    'Declare a node for the inner part and refer to it by name.',
  ),
  GG1007: error(
    'edge-direction',
    'Expected “->”, found {found}: an edge always points to the right.',
    () => `${knownForm} To reverse an edge, swap its two ends.`,
  ),
  GG1008: error('edge-without-type', 'This edge has no type.', knownForm),
  GG1009: error(
    'edge-with-several-types',
    'An edge must have exactly one type; this one has several.',
    'Write one edge per type.',
  ),
  GG1010: error('edge-variable', 'Unexpected name “{variable}”: an edge has a type, but no name.', knownForm),
  GG1011: warning('bare-edge-end', "Put the edge's endpoint in parentheses: ({name})."),
  GG1012: error('edge-type-case', 'Edge type “{type}” must be in upper case.', 'Write {upper}.'),
  GG1013: error(
    'foreign-block',
    'A “{word} … { }” block is not part of the language. The edges inside the block were kept.',
    'Write a node as (name: Label { key: value }) and an edge as (a)-[:TYPE]->(b), outside any block.',
  ),
  GG1014: error(
    'foreign-comment',
    '“{mark}” does not begin a comment.',
    'Begin comments with //. Further “{mark}” comments in this file are not reported.',
  ),
  GG1015: error(
    'call-with-arguments',
    'The call {name}(…) cannot take arguments.',
    'Write f(x) or x.f(). Put settings on an edge: (x)-[:PROCESS { key: value }]->(f).',
  ),
  GG1016: error(
    'invalid-name',
    '“{name}” is not a valid name: use the letters A–Z and a–z, digits and _.',
    'Write {suggestion}.',
  ),
  GG1017: error(
    'empty-topology',
    'The topology is empty: it has no nodes.',
    "Add an edge, for example (root)-[:PROCESS]->(hello { text: 'Hello' }).",
  ),
  GG1018: error(
    'nested-property-map',
    'A property map cannot contain another property map.',
    'Declare a node for the inner map and use its type, for example address: Address.',
  ),
  GG1019: error(
    'import-form',
    'An import cannot contain {found}.',
    "Write import './other.gg' or import { a, b } from './other.gg'.",
  ),
  GG1020: error(
    'too-many-errors',
    'More than {limit} errors in this file; the rest of it was not read.',
    'Check that the file is a topology: other formats also use the ending .gg.',
  ),
  GG1021: error('edge-form', 'Expected “{expected}”, found “{found}”.', ({ expected }: { expected: string }) =>
    expected === ':' ? 'Write a property as key: value or key: Type = value.' : knownForm,
  ),
  GG1022: error(
    'nullable-mark',
    '“?” is not part of a type: every type is nullable unless a ! follows it.',
    'Write name: String for a nullable field and name: String! for one that is never null.',
  ),
  GG1023: error(
    'list-form',
    'Expected {list}, found {found}.',
    'A list type has its items in brackets: [String], or [String!]! without nulls.',
  ),
  GG1024: error('quote-form', '{found} cannot quote a string.', 'Write straight quotes: \'text\' or "text".'),
};
