import { didYouMean, error, information, warning } from './define.js';

/** `GG2xxx`: the text is well formed, but the topology it describes has an error. */
export const graphCodes = {
  GG2001: error(
    'import-not-found',
    "Cannot find the imported file '{specifier}'.",
    'The path is relative to the importing file.',
  ),
  GG2002: error('import-cycle', 'Import cycle: {cycle}.', 'Move the shared nodes into a file that both import.'),
  GG2003: error('import-unknown-name', '{file} has no node “{name}” to import.', didYouMean()),
  GG2004: error(
    'import-not-exported',
    '{file} does not export “{name}”.',
    'Add {name} to the export list of that file, or remove the list to export every node.',
  ),
  GG2005: error('export-unknown-name', 'Cannot export “{name}”: this file has no such node.', didYouMean()),
  GG2006: error(
    'property-clash',
    '{owner} declares “{property}” twice, as {one} and as {other}.',
    'Declare the property once, or identically in both places.',
  ),
  GG2007: warning(
    'bare-word-read-as-text',
    "Unknown type “{word}”; it is read as the string '{word}'.",
    ({ word, suggestion }: { word: string; suggestion: string | undefined }) =>
      suggestion === undefined
        ? `Write '${word}' to declare a string.`
        : `Did you mean ${suggestion}? Write '${word}' to declare a string.`,
  ),
  GG2008: error('unknown-type', 'Unknown type “{name}”.', ({ name, id, labelled, suggestion }: UnknownType) => {
    const guess = suggestion === undefined ? '' : `Did you mean ${suggestion}? `;
    if (labelled !== undefined)
      return `${guess}${name} is a label of “${labelled}”; the name of a type comes from the id of its node.`;
    if (suggestion !== undefined) return guess.trimEnd();
    return id === undefined
      ? 'Use the type of a node, or String, Int, Float, Boolean or ID.'
      : `Declare it as a node, (${id} { … }) or (${id}: Scalar), or use String, Int, Float, Boolean or ID.`;
  }),
  GG2009: warning(
    'type-in-quotes',
    "'{text}' is a string that looks like a type.",
    'Write {text} without quotes to declare a type.',
  ),
  GG2010: information(
    'edge-type-not-projected',
    '{type} edges are not part of the API ({count} in this topology).',
    'PROCESS becomes a query, FOLD a mutation, FORK a subscription, RACE a union.',
  ),
  GG2011: error('enum-without-values', 'The enum “{node}” has no values.', 'Add a list: { values: [ONE, TWO] }.'),
  GG2012: error(
    'invalid-enum-value',
    '{value} cannot be an enum value: {reason}.',
    'A value is a name such as ACTIVE: letters, digits and _, each value once.',
  ),
  GG2013: error(
    'default-does-not-fit',
    'The default {value} is not a value of {type}.',
    ({ example, ...others }: { suggestion?: string | undefined; example?: string | undefined }) =>
      example === undefined ? didYouMean()(others) : `A valid value is ${example}.`,
  ),
  GG2014: error(
    'list-without-one-type',
    'Cannot infer the type of this list: {reason}.',
    "Declare the type and the value together: tags: [String!]! = ['a'].",
  ),
  GG2015: warning(
    'null-without-type',
    'null has no type; “{property}” is read as a nullable String.',
    'Declare the type: {property}: Int = null.',
  ),
  GG2016: error('label-clash', 'Node “{node}” cannot be both {one} and {other}.'),
  GG2017: warning(
    'property-without-meaning',
    ({ property, node, label }: { property: string; node: string; label: string }) =>
      `“${property}” has no meaning on “${node}”, which is ${label === 'Enum' ? 'an' : 'a'} ${label}.`,
    ({ label, suggestion }: { label: string; suggestion: string | undefined }) => {
      if (suggestion !== undefined) return `Did you mean “${suggestion}”?`;
      return label === 'Enum'
        ? 'An enum has values: [ … ] and nothing else.'
        : "A scalar has specifiedBy: 'https://…' and nothing else.";
    },
  ),
  GG2018: error('setting-of-wrong-kind', '“{property}” must be {expected}.'),
  GG2019: error(
    'default-without-type',
    '{value} is not a type, so it cannot have a default.',
    'Write the type first (limit: Int = 20), or the value alone (limit: 20).',
  ),
  GG2020: error(
    'number-out-of-range',
    'The number {value} cannot be represented exactly.',
    'Put it in quotes to keep every digit, as a string.',
  ),
  GG2021: warning(
    'unused-ignore',
    'Unused ignore comment: there is no {code} here.',
    'Remove the comment, or put it before the line of the finding or at its end.',
  ),
  GG2022: warning(
    'ignore-without-reason',
    '{code} is ignored without a reason.',
    'Write the reason after a colon: // gg-ignore {code}: because …',
  ),
  GG2023: warning(
    'ignore-of-unknown-code',
    ({ code }: { code: string | undefined }) =>
      code === undefined ? 'The ignore comment has no code.' : `Unknown diagnostic ${code}.`,
    didYouMean('Write the code of the finding: // gg-ignore GG2010: because …'),
  ),
  GG2024: warning('ignore-of-error', '{code} cannot be ignored: {reason}.', 'Remove the comment and fix the cause.'),
  GG2025: error(
    'arguments-without-field',
    '“{property}” takes no arguments in parentheses.',
    'Only a field of a node with a declared type takes arguments; an edge declares its arguments as properties.',
  ),
  GG2030: error(
    'invalid-one-of',
    '“{node}” cannot be OneOf: {reason}.',
    'Write OneOf beside the label Input: (contact: Input:OneOf { email: String, phone: String }). Its fields must be nullable, without defaults.',
  ),
  GG2031: error('internal-exposed', '{subject}, so {reason}.', '{remedy}'),
  GG2032: error(
    'unknown-interface',
    '{name} is not an interface.',
    didYouMean('Give its node the label Interface, or remove it from the list.'),
  ),
  GG2033: error('interface-not-satisfied', '{type} does not fit the interface {interface}: {reason}.', '{remedy}'),
  GG2034: warning(
    'interface-without-types',
    'Nothing implements the interface “{node}”.',
    'Give a node the property implements: [{type}], and the fields of the interface.',
  ),
  GG2035: warning('unknown-doc-tag', '@{name} is not a tag; it is read as text.', 'Did you mean @{suggestion}?'),
  GG2036: error('doc-tag-without-value', '@{tag} must be followed by {expected}.'),
  GG2037: warning(
    'doc-tag-without-meaning',
    '@{tag} has no meaning on {place}.',
    ({ tag, place }: { tag: string; place: string }) =>
      ['auth', 'scopes', 'anyScope', 'roles', 'owner'].includes(tag)
        ? hintOfAccessTag(place)
        : tag === 'header'
          ? '@header is for the arguments of PROCESS and FOLD edges, and for the fields of their results.'
          : tag === 'notNull'
            ? '@notNull is for arguments and fields of inputs whose types have no “!”.'
            : '@minimum and @maximum are for numbers, @minLength and @pattern for strings and IDs, @minItems for lists, @page for lists in objects, @fields for objects, @tag for edges.',
  ),
  GG2038: error(
    'doc-tags-contradict',
    '{one} contradicts {other}.',
    'No value satisfies both: change or remove one of them.',
  ),
  GG2039: error(
    'value-breaks-constraints',
    'The {what} {value} is not valid: it {reason}.',
    'The server would reject it. Change the {what}, or the tag that limits it.',
  ),
  GG2040: warning('edge-type-misspelt', '{type} edges are not part of the API.', 'Did you mean {suggestion}?'),
  GG2041: warning(
    'setting-misspelt',
    ({ word, owner, reading }: { word: string; owner: string; reading: 'note' | 'argument' | 'field' }) =>
      reading === 'note'
        ? `“${word}” has no effect on ${owner}.`
        : `“${word}” declares ${reading === 'field' ? 'a field' : 'an argument'} of ${owner}.`,
    'Did you mean “{suggestion}”?',
  ),
  GG2042: warning('label-misspelt', 'The label “{label}” has no meaning.', 'Did you mean {suggestion}?'),
  GG2043: error(
    'enum-without-label',
    '“{node}” has the values of an enum, but not the label Enum.',
    'Add the label: ({node}: Enum { values: [ONE, TWO] }).',
  ),
  GG2060: error(
    'header-unusable',
    'A value of type {type} cannot have the header {header}: {reason}.',
    'Choose a header of your own, such as If-Match or X-Tenant, for a scalar or an enum.',
  ),
  GG2061: error(
    'headers-clash',
    'The headers of {operation} clash: {reason}.',
    'Give each argument, or each field, a header of its own.',
  ),
  GG2062: error(
    'etag-without-read',
    'The etag of {operation} cannot be compared: {reason}.',
    "Give a PROCESS edge the route 'GET {path}' and etag: true.",
  ),
  GG2050: error(
    'pattern-too-costly',
    'The pattern cannot be checked in linear time: it has {costly}.',
    'Use a lookahead only right after a leading ^, or for a single character. To limit the length, use @maxLength.',
  ),
  GG2065: error(
    'enum-spelling-taken',
    'The spelling “{spelling}” of {name} is that of {other}, too.',
    'Give each value its own spelling with @value, which is not the name of another value.',
  ),
};

type UnknownType = {
  readonly name: string;
  /** The id of a node that would have this type; undefined if none can. */
  readonly id: string | undefined;
  /** The node that the name is a label of. */
  readonly labelled: string | undefined;
  readonly suggestion: string | undefined;
};

function hintOfAccessTag(place: string): string {
  return place === 'an edge'
    ? "Write it as a setting of the edge: auth: 'required', scopes: ['orders:write'], roles: ['admin']."
    : '@auth, @scopes, @anyScope, @roles and @owner are for objects, interfaces, and the fields of objects and interfaces.';
}
