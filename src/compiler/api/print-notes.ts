import { constraintTags } from '../graph/doc-tags.js';
import type { ValueNotes } from '../graph/value-notes.js';
import type { GqlAccess, GqlEnumType, GqlOperation } from '../schema/gql-schema.js';
import { printDescription, printString } from './graphql-strings.js';

/** The constraints, and their names in the directive `@constraint`, as the package graphql-constraint-directive reads it. */
const words = [...constraintTags.values()].map(
  ({ keyword, type }) => [keyword.replace('imum', ''), keyword, type] as const,
);

/** The definitions of the directives. */
export const directives = {
  constraint:
    '"""The limits of a value, in the words of JSON Schema."""\n' +
    `directive @constraint(${words.map(([word, , type]) => `${word}: ${type}`).join(', ')}) ` +
    'on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION\n\n',
  auth:
    '"""Callers must authenticate, unless it is optional, have all scopes, one of anyScope and one of roles, and be the owner."""\n' +
    'directive @auth(optional: Boolean! = false, scopes: [String!]! = [], anyScope: [String!], roles: [String!], ' +
    'owner: String) repeatable on FIELD_DEFINITION | OBJECT | INTERFACE\n\n',
  open:
    '"""Why callers may reach more than they may ask for; of a union, with a member."""\n' +
    'directive @open(reason: String!, member: String) repeatable on FIELD_DEFINITION | UNION\n\n',
  notNull:
    '"""Callers may leave the value out, but not give null for it."""\n' +
    'directive @notNull on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION\n\n',
  idempotent:
    '"""Callers must send an Idempotency-Key: a repeat with the same key does not run again."""\n' +
    'directive @idempotent on FIELD_DEFINITION\n\n',
  race: raceDirective(''),
  delayedRace: raceDirective(', after: [Float!]'),
  value: '"""How REST and agents spell the value."""\n' + 'directive @value(spelling: String!) on ENUM_VALUE\n\n',
};

/** The directives of a value, each behind a space: ` @deprecated(reason: "…") @auth @constraint(min: 1)`. */
export function printNotes(notes: ValueNotes & GqlAccess & Pick<GqlOperation, 'idempotent'>): string {
  const { deprecated, constraints, notNull, idempotent } = notes;
  const text =
    (deprecated === undefined ? '' : printDeprecated(deprecated)) +
    printAccess(notes) +
    (idempotent === undefined ? '' : ' @idempotent') +
    (notNull === undefined ? '' : ' @notNull');
  if (constraints === undefined) return text;
  const args = words.flatMap(([word, keyword]) => {
    const limit = constraints[keyword];
    if (limit === undefined) return [];
    return `${word}: ${typeof limit === 'string' ? printString(limit) : String(limit)}`;
  });
  return `${text} @constraint(${args.join(', ')})`;
}

/** The values of an enum with their documentation, each after a line break. */
export function printEnumValues({ values, valueNotes, spellings = values }: GqlEnumType): string {
  if (valueNotes === undefined && spellings === values) return `\n  ${values.join('\n  ')}`;
  let text = '';
  values.forEach((value, at) => {
    const { description, deprecated } = valueNotes?.[at] ?? {};
    const spelling = spellings[at] as string;
    text += `\n${printDescription(description, '  ')}  ${value}`;
    if (deprecated !== undefined) text += printDeprecated(deprecated);
    if (spelling !== value) text += ` @value(spelling: ${printString(spelling)})`;
  });
  return text;
}

/** The directives of access, each behind a space. Each `@auth` must be met. */
export function printAccess(access: GqlAccess): string {
  const { auth, open, further = none } = access;
  const text = auth === 'optional' ? ' @auth(optional: true)' : auth === undefined ? '' : printDemands(access);
  const all = further.reduce((before, one) => before + printDemands(one), text);
  return open === undefined ? all : `${all} @open(reason: ${printString(open)})`;
}

function printDemands({ scopes, anyScope, roles, owner }: GqlAccess): string {
  const args = Object.entries({ scopes, anyScope, roles }).flatMap(([key, names]) =>
    names === undefined ? [] : [`${key}: [${names.map(printString).join(', ')}]`],
  );
  if (owner !== undefined) args.push(`owner: ${printString(owner)}`);
  return args.length === 0 ? ' @auth' : ` @auth(${args.join(', ')})`;
}

/** ` @deprecated(reason: "…")`, without the reason that is the default (October 2021, section 3.13.3). */
function printDeprecated(reason: string): string {
  return reason === 'No longer supported' ? ' @deprecated' : ` @deprecated(reason: ${printString(reason)})`;
}

const none: readonly never[] = [];

function raceDirective(after: string): string {
  const words = `failure: String, timeoutMs: Int, deadlineMs: Int, quorum: Int${after}`;
  return `"""How the race of the union ends."""\ndirective @race(${words}) on UNION\n\n`;
}
