import type { ChangeLevel } from './change-level.js';

/** What is the same for all changes of one kind. */
export interface ChangeKindDefinition {
  /** The levels that it occurs at, the worst first. */
  readonly levels: readonly ChangeLevel[];
  /** One sentence that says what it means for callers. */
  readonly why: string;
}

/**
 * THE kinds of changes. A kind, once published, keeps its name and its meaning: waivers and code
 * scanning refer to it. `docs/diff.md` has a row for each.
 */
export const changeKinds = {
  'operation-removed': kind(['breaking'], 'Callers that ask for it get an error.'),
  'operation-added': kind(['safe'], 'Nobody calls it yet.'),
  'operation-type-changed': kind(
    ['breaking', 'safe'],
    'Callers read another type than they were written for; only to promise more is safe.',
  ),
  'root-type-removed': kind(['breaking'], 'The API has no operation of that kind any more.'),
  'root-type-added': kind(['safe'], 'The API has its first operation of that kind.'),
  'placeholder-removed': kind(
    ['dangerous'],
    'The placeholder of a schema without queries gives way to real ones; only a health check may have asked for it.',
  ),
  'placeholder-added': kind(['safe'], 'GraphQL asks for a query, so one that answers null stands in.'),
  'argument-removed': kind(['breaking'], 'Callers that give it are refused, by GraphQL and by REST.'),
  'argument-added': kind(
    ['breaking', 'dangerous'],
    'Callers do not give it: where it is required, they are refused; else the operation may do something else.',
  ),
  'argument-type-changed': kind(
    ['breaking', 'safe'],
    'What callers give may not fit any more; only to ask for less is safe.',
  ),
  'argument-became-required': kind(
    ['breaking'],
    'It is non-null and its default is gone, so callers that leave it out are refused.',
  ),
  'argument-default-added': kind(
    ['dangerous'],
    'Callers that leave it out get the default now, where nothing was said before.',
  ),
  'argument-default-changed': kind(['dangerous'], 'Callers that leave it out get another value than before.'),
  'argument-default-removed': kind(['dangerous'], 'Callers that leave it out say nothing now.'),
  'type-removed': kind(['breaking'], 'Documents that name it, and code made from it, fail.'),
  'type-added': kind(['safe'], 'Nobody uses it yet.'),
  'type-kind-changed': kind(['breaking'], 'What was written for one kind of type does not fit another.'),
  'field-removed': kind(['breaking'], 'Documents that select it fail; REST answers lack it.'),
  'field-added': kind(['safe'], 'GraphQL callers do not select it; REST answers have one member more.'),
  'field-type-changed': kind(
    ['breaking', 'safe'],
    'Callers read another type than they were written for; only to promise more is safe.',
  ),
  'constant-changed': kind(['dangerous'], 'Where no resolver gives a value, callers read another one.'),
  'constant-removed': kind(
    ['dangerous'],
    'Where no resolver gives a value, there is none: the answer is NOT_IMPLEMENTED.',
  ),
  'constant-added': kind(['safe'], 'Where no resolver gives a value, there is one now.'),
  'input-field-removed': kind(['breaking'], 'Callers that give it are refused.'),
  'input-field-added': kind(
    ['breaking', 'dangerous'],
    'Callers do not give it: where it is required, they are refused; else the operation may do something else.',
  ),
  'input-field-type-changed': kind(
    ['breaking', 'safe'],
    'What callers give may not fit any more; only to ask for less is safe.',
  ),
  'input-field-became-required': kind(
    ['breaking'],
    'It is non-null and its default is gone, so callers that leave it out are refused.',
  ),
  'input-field-default-added': kind(
    ['dangerous'],
    'Callers that leave it out get the default now, where nothing was said before.',
  ),
  'input-field-default-changed': kind(
    ['dangerous'],
    'Callers that leave it out get another value than before.',
  ),
  'input-field-default-removed': kind(['dangerous'], 'Callers that leave it out say nothing now.'),
  'enum-value-removed': kind(['breaking'], 'Callers that give it are refused.'),
  'enum-value-added': kind(['dangerous'], 'Callers may read a value that they do not know.'),
  'union-member-removed': kind(['breaking'], 'Documents that select from it fail.'),
  'union-member-added': kind(['dangerous'], 'Callers may read a type that they do not know.'),
  'race-timing-changed': kind(
    ['dangerous'],
    'The branches of a race start at other times, so another one may win.',
  ),
  'scalar-specification-changed': kind(
    ['dangerous'],
    'The values may be written in another way, which no schema shows.',
  ),
  'scalar-unused': kind(
    ['safe'],
    'Nothing takes or gives the built-in scalar any more; whatever did is reported by itself.',
  ),
  'trigger-changed': kind(['dangerous'], 'Subscribers are told of other events than before.'),
  'route-removed': kind(['breaking'], 'REST callers get 404.'),
  'route-added': kind(['safe'], 'Nobody calls it yet.'),
  'route-method-changed': kind(['breaking'], 'REST callers get 405.'),
  'parameter-style-changed': kind(
    ['breaking'],
    'The argument travels in another form in the query string, so what REST callers send is refused.',
  ),
  'fields-parameter-taken': kind(
    ['breaking'],
    'REST callers that narrow the answer with ?fields= now give an argument instead.',
  ),
  'answer-narrowed': kind(
    ['breaking'],
    'REST answers without ?fields= lack members, because all that is nested would be too much.',
  ),
  'answer-widened': kind(['safe'], 'REST answers without ?fields= show what was left out for its depth.'),
  'directive-removed': kind(['breaking'], 'Tools that read it in the schema find it no more.'),
  'directive-added': kind(['safe'], 'Nobody reads it yet.'),
  'description-changed': kind(['safe'], 'Only the words of the documentation change.'),
  'origin-changed': kind(['safe'], 'It comes from other nodes or edges, and is the same for callers.'),
} as const satisfies Readonly<Record<string, ChangeKindDefinition>>;

/** The name of a kind of change, such as `field-removed`. */
export type ChangeKind = keyof typeof changeKinds;

/** Whether a text is the name of a kind of change. */
export function isChangeKind(text: string): text is ChangeKind {
  return Object.hasOwn(changeKinds, text);
}

function kind(levels: readonly ChangeLevel[], why: string): ChangeKindDefinition {
  return { levels, why };
}
