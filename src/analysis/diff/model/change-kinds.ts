import type { ChangeLevel } from './change-level.js';

/** The properties that all changes of one kind share. */
export interface ChangeKindDefinition {
  /** The levels that it occurs at, the worst first. */
  readonly levels: readonly [ChangeLevel, ...ChangeLevel[]];
  /** One sentence: the effect on callers. */
  readonly why: string;
}

const atLevel =
  (worst: ChangeLevel) =>
  (why: string, ...milder: readonly ChangeLevel[]): ChangeKindDefinition => ({ levels: [worst, ...milder], why });
const [breaking, dangerous, safe] = [atLevel('breaking'), atLevel('dangerous'), atLevel('safe')];

/**
 * The kinds of changes. A published kind keeps its name and its meaning: waivers and code
 * scanning refer to it. `docs/diff.md` has a row for each.
 */
export const changeKinds = {
  'operation-removed': breaking('Callers that request it get an error.'),
  'operation-added': safe('No client calls it yet.'),
  'operation-type-changed': breaking('Callers expect the old type; only a stricter type is safe.', 'safe'),
  'root-type-removed': breaking('The API no longer has operations of that kind.'),
  'root-type-added': safe('The API has its first operation of that kind.'),
  'placeholder-removed': dangerous(
    'The placeholder of a schema without queries is gone; only a health check may have requested it.',
  ),
  'placeholder-added': safe('GraphQL requires a query, so the schema has a placeholder that returns null.'),
  'argument-removed': breaking('GraphQL and REST reject calls that pass it.'),
  'argument-added': breaking(
    'Callers do not pass it: if it is required, their calls are rejected; if not, the result may differ.',
    'dangerous',
  ),
  'argument-type-changed': breaking('Values that callers pass may be invalid now; only a looser type is safe.', 'safe'),
  'argument-became-required': breaking(
    'It is non-null and has no default any more, so calls that omit it are rejected.',
  ),
  'argument-default-added': dangerous('Calls that omit it now use the default; until now, they passed no value.'),
  'argument-default-changed': dangerous('Calls that omit it now use another value.'),
  'argument-default-removed': dangerous('Calls that omit it now pass no value.'),
  'type-removed': breaking('Documents that name it fail, and so does code generated from it.'),
  'type-added': safe('No client uses it yet.'),
  'type-kind-changed': breaking('Documents and code for one kind of type do not work with another.'),
  'field-removed': breaking('Documents that select it fail; REST responses lack it.'),
  'field-added': safe('GraphQL callers do not select it; REST responses have one more member.'),
  'field-type-changed': breaking('Callers expect the old type; only a stricter type is safe.', 'safe'),
  'field-header-changed': dangerous('REST responses have the value in another header, or in no header.'),
  'constant-changed': dangerous('Without a resolver, callers get another value.'),
  'constant-removed': dangerous('Without a resolver, the value is missing now: the error is NOT_IMPLEMENTED.'),
  'constant-added': safe('Without a resolver, there is a value now.'),
  'input-field-removed': breaking('Calls that pass it are rejected.'),
  'input-field-added': breaking(
    'Callers do not pass it: if it is required, their calls are rejected; if not, the result may differ.',
    'dangerous',
  ),
  'input-field-type-changed': breaking(
    'Values that callers pass may be invalid now; only a looser type is safe.',
    'safe',
  ),
  'input-field-became-required': breaking(
    'It is non-null and has no default any more, so calls that omit it are rejected.',
  ),
  'input-field-default-added': dangerous('Calls that omit it now use the default; until now, they passed no value.'),
  'input-field-default-changed': dangerous('Calls that omit it now use another value.'),
  'input-field-default-removed': dangerous('Calls that omit it now pass no value.'),
  'input-one-of-added': breaking('Calls that pass several of its fields, or none, are rejected.'),
  'input-one-of-removed': safe('Calls that pass one of its fields are still accepted.'),
  'null-refused': breaking('Calls that pass null are rejected.'),
  'null-accepted': safe('Calls that leave it out, or pass a value, are still accepted.'),
  'enum-value-removed': breaking('Calls that pass it are rejected.'),
  'enum-value-spelling-changed': breaking('REST callers and agents that pass the old spelling are rejected.'),
  'enum-value-added': dangerous('Callers may read a value that they do not know.'),
  'union-member-removed': breaking('Documents that select from it fail.'),
  'union-member-added': dangerous('Callers may read a type that they do not know.'),
  'interface-removed-from-type': breaking('Documents that select from it through the interface fail.'),
  'interface-added-to-type': dangerous('Callers may read a type that they do not know.'),
  'race-timing-changed': dangerous('The branches of a race start at other times, so another one may win.'),
  'race-policy-changed': dangerous('The race ends otherwise: with another result, at another time, or with an error.'),
  'fallback-changed': dangerous('When the query fails, callers get the result of another query, or an error.'),
  'partition-changed': dangerous('Events keep their order for another key, and no longer for the old one.'),
  'scalar-specification-changed': dangerous('The format of the values may differ, which schemas do not show.'),
  'scalar-unused': safe('Nothing uses this built-in scalar any more; changed types are reported separately.'),
  'trigger-changed': dangerous('Subscribers now get other events.'),
  'route-removed': breaking('REST callers get 404.'),
  'route-added': safe('No client calls it yet.'),
  'route-method-changed': breaking('REST callers get 405.'),
  'route-changed': breaking('REST callers get 404.'),
  'chain-removed': breaking('Callers that run the chain get 404.'),
  'chain-added': safe('No client runs it yet.'),
  'chain-step-removed': breaking('Requests that name the step are rejected, and responses lack its result.'),
  'chain-step-added': safe('The step runs only if a request names it.'),
  'chain-durability-changed': breaking('Callers get another status, and another body.'),
  'durable-chain-changed': dangerous('Runs that began before go on only where a server has the old steps.'),
  'step-policy-changed': dangerous('Open runs, too, try the step again, or undo it, otherwise.'),
  'answer-status-changed': breaking(
    'REST callers that check the status, or read a body, get another response.',
    'dangerous',
  ),
  'problem-removed': breaking('Code that names it fails; where it is still thrown, callers get an unexpected error.'),
  'problem-added': safe('Until now, no operation answered with it.'),
  'problem-status-changed': breaking('REST callers get another status.'),
  'operation-error-added': dangerous('Callers may get an error that they do not know.'),
  'operation-error-removed': dangerous('Where it is still thrown, callers get an unexpected error instead.'),
  'idempotency-key-required': breaking('Calls without an idempotency key are rejected.'),
  'idempotency-key-optional': safe('Calls with a key are still accepted.'),
  'etag-required': breaking('REST writes without If-Match are refused.'),
  'etag-optional': safe('REST writes with If-Match are still checked.'),
  'etag-added': safe('A REST call without a condition gets the same answer.'),
  'etag-removed': dangerous('REST reads have no ETag any more, and writes ignore If-Match.'),
  'parameter-style-changed': breaking(
    'The query string encodes the argument differently, so the server rejects what REST callers send.',
  ),
  'argument-header-changed': breaking('REST reads the argument from another place than callers send it in.'),
  'fields-parameter-taken': breaking(
    'REST callers that narrow the response with ?fields= now pass an argument instead.',
  ),
  'answer-narrowed': breaking(
    'REST responses without ?fields= lack members, because the nested objects exceed the size limit.',
  ),
  'answer-widened': safe('REST responses without ?fields= have more nested members.'),
  'access-tightened': breaking(
    'Callers without authentication, a scope or a role, or that are not the owner, are refused.',
  ),
  'access-loosened': dangerous('Callers may use parts that were protected.'),
  'security-scheme-removed': breaking('Callers that authenticate in this way are refused.'),
  'security-scheme-added': safe('The other ways to authenticate are still there.'),
  'authentication-tightened': breaking('Credentials that were accepted may be refused now.', 'dangerous'),
  'authentication-loosened': dangerous('Credentials that were refused are accepted now.'),
  'page-size-changed': dangerous('Callers that do not ask for a number of items get fewer, or more.', 'safe'),
  'page-limit-changed': dangerous('Callers that ask for more items in a page are refused.', 'safe'),
  'stored-values-deleted': breaking('The migration deletes values of rows, and needs --allow-loss.'),
  'migration-refused': breaking('The database keeps the old tables, so the server does not start.'),
  'stored-rule-added': dangerous('Rows that break the new rule keep the database from being migrated.'),
  'table-added': safe('The migration creates the table.'),
  'table-changed': dangerous(
    'The migration keeps all values; servers with the old topology fail on the new names and types.',
    'safe',
  ),
  'page-count-changed': breaking('REST responses and tools no longer have the number of all items.', 'safe'),
  'directive-removed': breaking('Tools that read it from the schema no longer find it.'),
  'directive-added': safe('No tool reads it yet.'),
  'constraint-tightened': breaking(
    'Values that callers give may be refused now; values that they read also keep the old constraints.',
    'safe',
  ),
  'constraint-loosened': dangerous(
    'Callers may read values that broke the old constraints; values that they give are still accepted.',
    'safe',
  ),
  'constraint-changed': breaking(
    'Values that callers give may be refused now, and values that they read may look different.',
    'dangerous',
  ),
  'deprecation-changed': safe('It still works; clients should stop using deprecated parts.'),
  'description-changed': safe('Only the documentation changes.'),
  'origin-changed': safe('It comes from other nodes or edges; callers notice no difference.'),
} as const satisfies Readonly<Record<string, ChangeKindDefinition>>;

/** The name of a kind of change, such as `field-removed`. */
export type ChangeKind = keyof typeof changeKinds;

export function isChangeKind(text: string): text is ChangeKind {
  return Object.hasOwn(changeKinds, text);
}
