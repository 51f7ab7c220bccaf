import { define } from './define.js';

const didYouMean = (suggestion: string | undefined): string | undefined =>
  suggestion === undefined ? undefined : `Did you mean ${suggestion}?`;

/** `GG2xxx`: the text is well formed, but the topology it describes has an error. */
export const graphCodes = {
  GG2001: define<{ specifier: string }>({
    severity: 'error',
    name: 'import-not-found',
    message: ({ specifier }) => `Cannot find the imported file '${specifier}'.`,
    hint: () => 'The path is relative to the importing file.',
  }),
  GG2002: define<{ cycle: string }>({
    severity: 'error',
    name: 'import-cycle',
    message: ({ cycle }) => `Import cycle: ${cycle}.`,
    hint: () => 'Move the shared nodes into a file that both import.',
  }),
  GG2003: define<{ name: string; file: string; suggestion: string | undefined }>({
    severity: 'error',
    name: 'import-unknown-name',
    message: ({ name, file }) => `${file} has no node “${name}” to import.`,
    hint: ({ suggestion }) => didYouMean(suggestion),
  }),
  GG2004: define<{ name: string; file: string }>({
    severity: 'error',
    name: 'import-not-exported',
    message: ({ name, file }) => `${file} does not export “${name}”.`,
    hint: ({ name }) =>
      `Add ${name} to the export list of that file, or remove the list to export every node.`,
  }),
  GG2005: define<{ name: string; suggestion: string | undefined }>({
    severity: 'error',
    name: 'export-unknown-name',
    message: ({ name }) => `Cannot export “${name}”: this file has no such node.`,
    hint: ({ suggestion }) => didYouMean(suggestion),
  }),
  GG2006: define<{ owner: string; property: string; one: string; other: string }>({
    severity: 'error',
    name: 'property-clash',
    message: ({ owner, property, one, other }) =>
      `${owner} declares “${property}” twice, as ${one} and as ${other}.`,
    hint: () => 'Declare the property once, or identically in both places.',
  }),
  GG2007: define<{ word: string; suggestion: string | undefined }>({
    severity: 'warning',
    name: 'bare-word-read-as-text',
    message: ({ word }) => `Unknown type “${word}”; it is read as the string '${word}'.`,
    hint: ({ word, suggestion }) =>
      suggestion === undefined
        ? `Write '${word}' to declare a string.`
        : `Did you mean ${suggestion}? Write '${word}' to declare a string.`,
  }),
  GG2008: define<{
    name: string;
    /** The id of a node that would have this type; undefined if none can. */
    id: string | undefined;
    /** The node that the name is a label of. */
    labelled: string | undefined;
    suggestion: string | undefined;
  }>({
    severity: 'error',
    name: 'unknown-type',
    message: ({ name }) => `Unknown type “${name}”.`,
    hint: ({ name, id, labelled, suggestion }) => {
      const guess = suggestion === undefined ? '' : `Did you mean ${suggestion}? `;
      if (labelled !== undefined)
        return `${guess}${name} is a label of “${labelled}”; the name of a type comes from the id of its node.`;
      if (suggestion !== undefined) return guess.trimEnd();
      return id === undefined
        ? 'Use the type of a node, or String, Int, Float, Boolean or ID.'
        : `Declare it as a node, (${id} { … }) or (${id}: Scalar), or use String, Int, Float, Boolean or ID.`;
    },
  }),
  GG2009: define<{ text: string }>({
    severity: 'warning',
    name: 'type-in-quotes',
    message: ({ text }) => `'${text}' is a string that looks like a type.`,
    hint: ({ text }) => `Write ${text} without quotes to declare a type.`,
  }),
  GG2010: define<{ type: string; count: number }>({
    severity: 'information',
    name: 'edge-type-not-projected',
    message: ({ type, count }) => `${type} edges are not part of the API (${count} in this topology).`,
    hint: () => 'PROCESS becomes a query, FOLD a mutation, FORK a subscription, RACE a union.',
  }),
  GG2011: define<{ node: string }>({
    severity: 'error',
    name: 'enum-without-values',
    message: ({ node }) => `The enum “${node}” has no values.`,
    hint: () => 'Add a list: { values: [ONE, TWO] }.',
  }),
  GG2012: define<{ value: string; reason: string }>({
    severity: 'error',
    name: 'invalid-enum-value',
    message: ({ value, reason }) => `${value} cannot be an enum value: ${reason}.`,
    hint: () => 'A value is a name such as ACTIVE: letters, digits and _, each value once.',
  }),
  GG2013: define<{
    value: string;
    type: string;
    suggestion?: string | undefined;
    example?: string | undefined;
  }>({
    severity: 'error',
    name: 'default-does-not-fit',
    message: ({ value, type }) => `The default ${value} is not a value of ${type}.`,
    hint: ({ suggestion, example }) =>
      example === undefined ? didYouMean(suggestion) : `A valid value is ${example}.`,
  }),
  GG2014: define<{ reason: string }>({
    severity: 'error',
    name: 'list-without-one-type',
    message: ({ reason }) => `Cannot infer the type of this list: ${reason}.`,
    hint: () => "Declare the type and the value together: tags: [String!]! = ['a'].",
  }),
  GG2015: define<{ property: string }>({
    severity: 'warning',
    name: 'null-without-type',
    message: ({ property }) => `null has no type; “${property}” is read as a nullable String.`,
    hint: ({ property }) => `Declare the type: ${property}: Int = null.`,
  }),
  GG2016: define<{ node: string; one: string; other: string }>({
    severity: 'error',
    name: 'label-clash',
    message: ({ node, one, other }) => `Node “${node}” cannot be both ${one} and ${other}.`,
  }),
  GG2017: define<{ property: string; node: string; label: string; suggestion: string | undefined }>({
    severity: 'warning',
    name: 'property-without-meaning',
    message: ({ property, node, label }) =>
      `“${property}” has no meaning on “${node}”, which is ${label === 'Enum' ? 'an' : 'a'} ${label}.`,
    hint: ({ label, suggestion }) =>
      didYouMean(suggestion === undefined ? undefined : `“${suggestion}”`) ??
      (label === 'Enum'
        ? 'An enum has values: [ … ] and nothing else.'
        : "A scalar has specifiedBy: 'https://…' and nothing else."),
  }),
  GG2018: define<{ property: string; expected: string }>({
    severity: 'error',
    name: 'setting-of-wrong-kind',
    message: ({ property, expected }) => `“${property}” must be ${expected}.`,
  }),
  GG2019: define<{ value: string }>({
    severity: 'error',
    name: 'default-without-type',
    message: ({ value }) => `${value} is not a type, so it cannot have a default.`,
    hint: () => 'Write the type first (limit: Int = 20), or the value alone (limit: 20).',
  }),
  GG2020: define<{ value: string }>({
    severity: 'error',
    name: 'number-out-of-range',
    message: ({ value }) => `The number ${value} cannot be represented exactly.`,
    hint: () => 'Put it in quotes to keep every digit, as a string.',
  }),
  GG2021: define<{ code: string }>({
    severity: 'warning',
    name: 'unused-ignore',
    message: ({ code }) => `Unused ignore comment: there is no ${code} here.`,
    hint: () => 'Remove the comment, or put it before the line of the finding or at its end.',
  }),
  GG2022: define<{ code: string }>({
    severity: 'warning',
    name: 'ignore-without-reason',
    message: ({ code }) => `${code} is ignored without a reason.`,
    hint: ({ code }) => `Write the reason after a colon: // gg-ignore ${code}: because …`,
  }),
  GG2023: define<{ code: string | undefined; suggestion: string | undefined }>({
    severity: 'warning',
    name: 'ignore-of-unknown-code',
    message: ({ code }) =>
      code === undefined ? 'The ignore comment has no code.' : `Unknown diagnostic ${code}.`,
    hint: ({ suggestion }) =>
      didYouMean(suggestion) ?? 'Write the code of the finding: // gg-ignore GG2010: because …',
  }),
  GG2024: define<{ code: string; reason: string }>({
    severity: 'warning',
    name: 'ignore-of-error',
    message: ({ code, reason }) => `${code} cannot be ignored: ${reason}.`,
    hint: () => 'Remove the comment and fix the cause.',
  }),
  GG2025: define<{ property: string }>({
    severity: 'error',
    name: 'arguments-without-field',
    message: ({ property }) => `“${property}” takes no arguments in parentheses.`,
    hint: () =>
      'Only a field of a node with a declared type takes arguments; an edge declares its arguments as properties.',
  }),
  GG2030: define<{ node: string; reason: string }>({
    severity: 'error',
    name: 'invalid-one-of',
    message: ({ node, reason }) => `“${node}” cannot be OneOf: ${reason}.`,
    hint: () =>
      'Write OneOf beside the label Input: (contact: Input:OneOf { email: String, phone: String }). Its fields must be nullable, without defaults.',
  }),
  GG2031: define<{ subject: string; reason: string; remedy: string }>({
    severity: 'error',
    name: 'internal-exposed',
    message: ({ subject, reason }) => `${subject}, so ${reason}.`,
    hint: ({ remedy }) => remedy,
  }),
  GG2032: define<{ name: string; suggestion: string | undefined }>({
    severity: 'error',
    name: 'unknown-interface',
    message: ({ name }) => `${name} is not an interface.`,
    hint: ({ suggestion }) =>
      suggestion === undefined
        ? 'Give its node the label Interface, or remove it from the list.'
        : `Did you mean ${suggestion}?`,
  }),
  GG2033: define<{ type: string; interface: string; reason: string; remedy: string }>({
    severity: 'error',
    name: 'interface-not-satisfied',
    message: ({ type, interface: name, reason }) => `${type} does not fit the interface ${name}: ${reason}.`,
    hint: ({ remedy }) => remedy,
  }),
  GG2034: define<{ node: string; type: string }>({
    severity: 'warning',
    name: 'interface-without-types',
    message: ({ node }) => `Nothing implements the interface “${node}”.`,
    hint: ({ type }) => `Give a node the property implements: [${type}], and the fields of the interface.`,
  }),
  GG2035: define<{ name: string; suggestion: string }>({
    severity: 'warning',
    name: 'unknown-doc-tag',
    message: ({ name }) => `@${name} is not a tag; it is read as text.`,
    hint: ({ suggestion }) => `Did you mean @${suggestion}?`,
  }),
  GG2036: define<{ tag: string; expected: string }>({
    severity: 'error',
    name: 'doc-tag-without-value',
    message: ({ tag, expected }) => `@${tag} must be followed by ${expected}.`,
  }),
  GG2037: define<{ tag: string; place: string }>({
    severity: 'warning',
    name: 'doc-tag-without-meaning',
    message: ({ tag, place }) => `@${tag} has no meaning on ${place}.`,
    hint: ({ tag, place }) =>
      ['auth', 'scopes', 'anyScope', 'roles', 'owner'].includes(tag)
        ? hintOfAccessTag(place)
        : '@minimum and @maximum are for numbers, @minLength and @pattern for strings and IDs, @minItems for lists, @page for lists in objects, @tag for edges.',
  }),
  GG2038: define<{ one: string; other: string }>({
    severity: 'error',
    name: 'doc-tags-contradict',
    message: ({ one, other }) => `${one} contradicts ${other}.`,
    hint: () => 'No value satisfies both: change or remove one of them.',
  }),
  GG2039: define<{ what: string; value: string; reason: string }>({
    severity: 'error',
    name: 'value-breaks-constraints',
    message: ({ what, value, reason }) => `The ${what} ${value} is not valid: it ${reason}.`,
    hint: ({ what }) => `The server would reject it. Change the ${what}, or the tag that limits it.`,
  }),
  GG2040: define<{ type: string; suggestion: string }>({
    severity: 'warning',
    name: 'edge-type-misspelt',
    message: ({ type }) => `${type} edges are not part of the API.`,
    hint: ({ suggestion }) => didYouMean(suggestion),
  }),
  GG2041: define<{
    word: string;
    /** The edge or the node, for the message. */
    owner: string;
    /** The meaning of the property as it is written. */
    reading: 'note' | 'argument' | 'field';
    suggestion: string;
  }>({
    severity: 'warning',
    name: 'setting-misspelt',
    message: ({ word, owner, reading }) =>
      reading === 'note'
        ? `“${word}” has no effect on ${owner}.`
        : `“${word}” declares ${reading === 'field' ? 'a field' : 'an argument'} of ${owner}.`,
    hint: ({ suggestion }) => didYouMean(`“${suggestion}”`),
  }),
  GG2042: define<{ label: string; suggestion: string }>({
    severity: 'warning',
    name: 'label-misspelt',
    message: ({ label }) => `The label “${label}” has no meaning.`,
    hint: ({ suggestion }) => didYouMean(suggestion),
  }),
  GG2050: define<{ costly: string }>({
    severity: 'error',
    name: 'pattern-too-costly',
    message: ({ costly }) => `The pattern cannot be checked in linear time: it has ${costly}.`,
    hint: () =>
      'Use a lookahead only right after a leading ^, or for a single character. To limit the length, use @maxLength.',
  }),
};

function hintOfAccessTag(place: string): string {
  return place === 'an edge'
    ? "Write it as a setting of the edge: auth: 'required', scopes: ['orders:write'], roles: ['admin']."
    : '@auth, @scopes, @anyScope, @roles and @owner are for objects, interfaces, and the fields of objects and interfaces.';
}
