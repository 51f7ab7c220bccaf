import { operationCoordinate } from '../../api/operation-coordinate.js';
import { type AccessClause, clausesOf, lackingClauses, printClause } from '../../graph/access.js';
import type { GqlAccess } from '../../schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import { type Comparison, keptTypes } from '../model/comparison.js';
import { pairByName } from '../model/pair-by-name.js';
import type { ComparedPart } from '../model/part-changes.js';
import { placeAt, spanOfOperation } from '../model/places.js';

/** The authentication and the scopes that operations and fields require. */
export function* accessChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after, operations } = comparison;
  if (before.schema.security === undefined && after.schema.security === undefined) return;
  for (const [old, found] of operations.kept) {
    const spans = { before: spanOfOperation(old), after: spanOfOperation(found) };
    const touch = { in: 'before', operations: [old] } as const;
    yield* accessChange({ coordinate: operationCoordinate(old), spans, touch }, old, found);
  }
  for (const [oldUnion, newUnion] of keptTypes(comparison, 'union')) {
    for (const [member, open] of Object.entries(newUnion.open ?? {})) {
      const before = oldUnion.open?.[member];
      const spans = { before: oldUnion.edges[0]?.span, after: newUnion.edges[0]?.span };
      const touch = { in: 'before', type: oldUnion.name } as const;
      const place = { coordinate: `${newUnion.name} of ${member}`, spans, touch };
      yield* accessChange(place, before === undefined ? {} : { open: before }, { open });
    }
  }
  for (const [oldType, newType] of keptTypes(comparison, 'object', 'interface')) {
    const places = { before: oldType.node?.span, after: newType.node?.span };
    const ofType = { in: 'before', type: oldType.name } as const;
    yield* accessChange({ coordinate: oldType.name, spans: places, touch: ofType }, oldType, newType);
    for (const [old, found] of pairByName(oldType.fields, newType.fields).kept) {
      const coordinate = `${oldType.name}.${old.name}`;
      const spans = { before: old.span ?? oldType.node?.span, after: found.span ?? newType.node?.span };
      const touch = { in: 'before', type: oldType.name, field: old.name } as const;
      yield* accessChange({ coordinate, spans, touch }, old, found);
    }
  }
}

function* accessChange(
  { coordinate, spans, touch }: ComparedPart,
  old: GqlAccess,
  found: GqlAccess,
): Iterable<Finding> {
  const places = {
    before: placeAt(spans.before, describe(old)),
    after: placeAt(spans.after, describe(found)),
  };
  const added = demandsAdded(old, found);
  if (added.length > 0) {
    const message = `${coordinate} now requires ${added.join(' and ')}.`;
    yield { kind: 'access-tightened', level: 'breaking', coordinate, message, ...places, touch };
  }
  const removed = demandsAdded(found, old);
  if (removed.length > 0) {
    const message = `${coordinate} no longer requires ${removed.join(' and ')}.`;
    yield { kind: 'access-loosened', level: 'dangerous', coordinate, message, ...places, touch };
  }
  if (found.open !== undefined && found.open !== old.open) {
    const message = `${coordinate} is now open on purpose to callers that may not ask for what it reaches: ${found.open}`;
    yield { kind: 'access-loosened', level: 'dangerous', coordinate, message, ...places, touch };
  }
}

/** What one place demands and another does not. Optional authentication demands nothing. */
function demandsAdded(from: GqlAccess, to: GqlAccess): readonly string[] {
  const isNew = to.auth === 'required' && from.auth !== 'required';
  const others = lackingClauses(to, from).filter(({ kind }) => kind !== 'auth');
  return [...(isNew ? ['authentication'] : []), ...others.map(describeClause)];
}

function describeClause(clause: AccessClause): string {
  const text = printClause(clause);
  if (isScope(clause)) return `the scope ${text}`;
  return clause.kind === 'auth' || text.startsWith('one of') ? text : `the ${text}`;
}

function describe(access: GqlAccess): string {
  const clauses = clausesOf(access);
  if (clauses.length === 0) return 'requires no authentication';
  return `requires ${clauses.map(printClause).join(clauses.every(isScope) ? ' ' : ', ')}`;
}

function isScope(clause: AccessClause): boolean {
  return clause.kind === 'scope' && clause.any.length === 1;
}
