import type { ChangeLevel } from './change-level.js';

/** The properties that all changes of one kind share. */
export interface ChangeKindDefinition {
  /** The levels that it occurs at, the worst first. */
  readonly levels: readonly [ChangeLevel, ...ChangeLevel[]];
  /** One sentence: the effect on callers. */
  readonly why: string;
}

/**
 * The kinds of changes. A published kind keeps its name and its meaning: waivers and code
 * scanning refer to it. `docs/diff.md` has a row for each.
 */
export const changeKinds = {
  'operation-removed': kind(['breaking'], 'Callers that request it get an error.'),
  'operation-added': kind(['safe'], 'No client calls it yet.'),
  'operation-type-changed': kind(
    ['breaking', 'safe'],
    'Callers expect the old type; only a stricter type is safe.',
  ),
  'root-type-removed': kind(['breaking'], 'The API no longer has operations of that kind.'),
  'root-type-added': kind(['safe'], 'The API has its first operation of that kind.'),
  'placeholder-removed': kind(
    ['dangerous'],
    'The placeholder of a schema without queries is gone; only a health check may have requested it.',
  ),
  'placeholder-added': kind(
    ['safe'],
    'GraphQL requires a query, so the schema has a placeholder that returns null.',
  ),
  'argument-removed': kind(['breaking'], 'GraphQL and REST reject calls that pass it.'),
  'argument-added': kind(
    ['breaking', 'dangerous'],
    'Callers do not pass it: if it is required, their calls are rejected; if not, the result may differ.',
  ),
  'argument-type-changed': kind(
    ['breaking', 'safe'],
    'Values that callers pass may be invalid now; only a looser type is safe.',
  ),
  'argument-became-required': kind(
    ['breaking'],
    'It is non-null and has no default any more, so calls that omit it are rejected.',
  ),
  'argument-default-added': kind(
    ['dangerous'],
    'Calls that omit it now use the default; until now, they passed no value.',
  ),
  'argument-default-changed': kind(['dangerous'], 'Calls that omit it now use another value.'),
  'argument-default-removed': kind(['dangerous'], 'Calls that omit it now pass no value.'),
  'type-removed': kind(['breaking'], 'Documents that name it fail, and so does code generated from it.'),
  'type-added': kind(['safe'], 'No client uses it yet.'),
  'type-kind-changed': kind(
    ['breaking'],
    'Documents and code for one kind of type do not work with another.',
  ),
  'field-removed': kind(['breaking'], 'Documents that select it fail; REST responses lack it.'),
  'field-added': kind(['safe'], 'GraphQL callers do not select it; REST responses have one more member.'),
  'field-type-changed': kind(
    ['breaking', 'safe'],
    'Callers expect the old type; only a stricter type is safe.',
  ),
  'constant-changed': kind(['dangerous'], 'Without a resolver, callers get another value.'),
  'constant-removed': kind(
    ['dangerous'],
    'Without a resolver, the value is missing now: the error is NOT_IMPLEMENTED.',
  ),
  'constant-added': kind(['safe'], 'Without a resolver, there is a value now.'),
  'input-field-removed': kind(['breaking'], 'Calls that pass it are rejected.'),
  'input-field-added': kind(
    ['breaking', 'dangerous'],
    'Callers do not pass it: if it is required, their calls are rejected; if not, the result may differ.',
  ),
  'input-field-type-changed': kind(
    ['breaking', 'safe'],
    'Values that callers pass may be invalid now; only a looser type is safe.',
  ),
  'input-field-became-required': kind(
    ['breaking'],
    'It is non-null and has no default any more, so calls that omit it are rejected.',
  ),
  'input-field-default-added': kind(
    ['dangerous'],
    'Calls that omit it now use the default; until now, they passed no value.',
  ),
  'input-field-default-changed': kind(['dangerous'], 'Calls that omit it now use another value.'),
  'input-field-default-removed': kind(['dangerous'], 'Calls that omit it now pass no value.'),
  'input-one-of-added': kind(['breaking'], 'Calls that pass several of its fields, or none, are rejected.'),
  'input-one-of-removed': kind(['safe'], 'Calls that pass one of its fields are still accepted.'),
  'enum-value-removed': kind(['breaking'], 'Calls that pass it are rejected.'),
  'enum-value-added': kind(['dangerous'], 'Callers may read a value that they do not know.'),
  'union-member-removed': kind(['breaking'], 'Documents that select from it fail.'),
  'union-member-added': kind(['dangerous'], 'Callers may read a type that they do not know.'),
  'interface-removed-from-type': kind(
    ['breaking'],
    'Documents that select from it through the interface fail.',
  ),
  'interface-added-to-type': kind(['dangerous'], 'Callers may read a type that they do not know.'),
  'race-timing-changed': kind(
    ['dangerous'],
    'The branches of a race start at other times, so another one may win.',
  ),
  'scalar-specification-changed': kind(
    ['dangerous'],
    'The format of the values may differ, which schemas do not show.',
  ),
  'scalar-unused': kind(
    ['safe'],
    'Nothing uses this built-in scalar any more; changed types are reported separately.',
  ),
  'trigger-changed': kind(['dangerous'], 'Subscribers now get other events.'),
  'route-removed': kind(['breaking'], 'REST callers get 404.'),
  'route-added': kind(['safe'], 'No client calls it yet.'),
  'route-method-changed': kind(['breaking'], 'REST callers get 405.'),
  'route-changed': kind(['breaking'], 'REST callers get 404.'),
  'answer-status-changed': kind(
    ['breaking', 'dangerous'],
    'REST callers that check the status, or read a body, get another response.',
  ),
  'problem-removed': kind(
    ['breaking'],
    'Code that names it fails; where it is still thrown, callers get an unexpected error.',
  ),
  'problem-added': kind(['safe'], 'Until now, no operation answered with it.'),
  'problem-status-changed': kind(['breaking'], 'REST callers get another status.'),
  'operation-error-added': kind(['dangerous'], 'Callers may get an error that they do not know.'),
  'operation-error-removed': kind(
    ['dangerous'],
    'Where it is still thrown, callers get an unexpected error instead.',
  ),
  'idempotency-key-required': kind(['breaking'], 'Calls without an idempotency key are rejected.'),
  'idempotency-key-optional': kind(['safe'], 'Calls with a key are still accepted.'),
  'parameter-style-changed': kind(
    ['breaking'],
    'The query string encodes the argument differently, so the server rejects what REST callers send.',
  ),
  'fields-parameter-taken': kind(
    ['breaking'],
    'REST callers that narrow the response with ?fields= now pass an argument instead.',
  ),
  'answer-narrowed': kind(
    ['breaking'],
    'REST responses without ?fields= lack members, because the nested objects exceed the size limit.',
  ),
  'answer-widened': kind(['safe'], 'REST responses without ?fields= have more nested members.'),
  'access-tightened': kind(
    ['breaking'],
    'Callers without authentication, a scope or a role, or that are not the owner, are refused.',
  ),
  'access-loosened': kind(['dangerous'], 'Callers may use parts that were protected.'),
  'directive-removed': kind(['breaking'], 'Tools that read it from the schema no longer find it.'),
  'directive-added': kind(['safe'], 'No tool reads it yet.'),
  'constraint-tightened': kind(
    ['breaking', 'safe'],
    'Values that callers give may be refused now; values that they read also keep the old constraints.',
  ),
  'constraint-loosened': kind(
    ['dangerous', 'safe'],
    'Callers may read values that broke the old constraints; values that they give are still accepted.',
  ),
  'constraint-changed': kind(
    ['breaking', 'dangerous'],
    'Values that callers give may be refused now, and values that they read may look different.',
  ),
  'deprecation-changed': kind(['safe'], 'It still works; clients should stop using deprecated parts.'),
  'description-changed': kind(['safe'], 'Only the documentation changes.'),
  'origin-changed': kind(['safe'], 'It comes from other nodes or edges; callers notice no difference.'),
} as const satisfies Readonly<Record<string, ChangeKindDefinition>>;

/** The name of a kind of change, such as `field-removed`. */
export type ChangeKind = keyof typeof changeKinds;

/** Whether a text is the name of a kind of change. */
export function isChangeKind(text: string): text is ChangeKind {
  return Object.hasOwn(changeKinds, text);
}

function kind(levels: ChangeKindDefinition['levels'], why: string): ChangeKindDefinition {
  return { levels, why };
}
