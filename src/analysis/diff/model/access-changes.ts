import { type AccessClause, clausesOf, lackingClauses, printClause } from '../../../compiler/graph/access.js';
import type { GqlAccess } from '../../../compiler/schema/gql-schema.js';
import { type ComparedPart, changeOf } from './comparison.js';

/** The changes of the authentication, the scopes and the other demands of an operation, a type or a field. */
export function* accessChanges(part: ComparedPart, old: GqlAccess, found: GqlAccess) {
  const { coordinate } = part;
  if (old.auth === undefined && found.auth === undefined && found.open === old.open) return;
  const notes = [accessNote(old), accessNote(found)] as const;
  const added = demandsAdded(old, found).join(' and ');
  if (added !== '') yield changeOf(part, 'access-tightened', `${coordinate} now requires ${added}.`, notes);
  const removed = demandsAdded(found, old).join(' and ');
  if (removed !== '') yield changeOf(part, 'access-loosened', `${coordinate} no longer requires ${removed}.`, notes);
  if (found.open !== undefined && found.open !== old.open) {
    const message = `${coordinate} is now open on purpose to callers that may not ask for what it reaches: ${found.open}`;
    yield changeOf(part, 'access-loosened', message, notes);
  }
}

/** The demands of one place that another lacks. Optional authentication demands nothing. */
function demandsAdded(from: GqlAccess, to: GqlAccess): readonly string[] {
  const isNew = to.auth === 'required' && from.auth !== 'required';
  const others = lackingClauses(to, from).filter(({ kind }) => kind !== 'auth');
  return [...(isNew ? ['authentication'] : []), ...others.map(clauseText)];
}

function clauseText(clause: AccessClause): string {
  const text = printClause(clause);
  if (isScope(clause)) return `the scope ${text}`;
  return clause.kind === 'auth' || text.startsWith('one of') ? text : `the ${text}`;
}

function accessNote(access: GqlAccess): string {
  const clauses = clausesOf(access);
  if (clauses.length === 0) return 'requires no authentication';
  return `requires ${clauses.map(printClause).join(clauses.every(isScope) ? ' ' : ', ')}`;
}

function isScope(clause: AccessClause): boolean {
  return clause.kind === 'scope' && clause.any.length === 1;
}
