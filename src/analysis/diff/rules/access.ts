import { operationCoordinate } from '../../../compiler/api/operation-coordinate.js';
import { type AccessClause, clausesOf, lackingClauses, printClause } from '../../../compiler/graph/access.js';
import type { GqlAccess } from '../../../compiler/schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import {
  type ComparedPart,
  type Comparison,
  changeOf,
  keptTypes,
  pairByName,
  partOf,
} from '../model/comparison.js';

/** The authentication and the scopes that operations and fields require. */
export function* accessChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after, operations } = comparison;
  if (before.schema.security === undefined && after.schema.security === undefined) return;
  for (const [old, found] of operations.kept)
    yield* accessChange(partOf(comparison, operationCoordinate(old)), old, found);
  for (const [old, found] of keptTypes(comparison, 'union')) {
    for (const [member, open] of Object.entries(found.open ?? {})) {
      const was = old.open?.[member];
      const part = { ...partOf(comparison, old.name), coordinate: `${found.name} of ${member}` };
      yield* accessChange(part, was === undefined ? {} : { open: was }, { open });
    }
  }
  for (const [old, found] of keptTypes(comparison, 'object', 'interface')) {
    yield* accessChange(partOf(comparison, old.name), old, found);
    for (const fields of pairByName(old.fields, found.fields).kept)
      yield* accessChange(partOf(comparison, `${old.name}.${fields[0].name}`), ...fields);
  }
}

function* accessChange(part: ComparedPart, old: GqlAccess, found: GqlAccess): Iterable<Finding> {
  const { coordinate } = part;
  const notes = [accessNote(old), accessNote(found)] as const;
  const added = demandsAdded(old, found).join(' and ');
  if (added !== '') yield changeOf(part, 'access-tightened', `${coordinate} now requires ${added}.`, notes);
  const removed = demandsAdded(found, old).join(' and ');
  if (removed !== '')
    yield changeOf(part, 'access-loosened', `${coordinate} no longer requires ${removed}.`, notes);
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
