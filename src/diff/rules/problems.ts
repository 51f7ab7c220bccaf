import { operationCoordinate } from '../../api/operation-coordinate.js';
import {
  allOperations,
  type GqlOperation,
  type GqlProblemType,
  type GqlSchema,
} from '../../schema/gql-schema.js';
import type { Finding, Touch } from '../model/change.js';
import type { Comparison } from '../model/comparison.js';
import { pairByName } from '../model/pair-by-name.js';
import { typeChange } from '../model/part-changes.js';
import { placeAt, placeNear, spanOfOperation } from '../model/places.js';

/** The declared errors, their statuses and fields, and the operations that answer with them. */
export function* problemChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after } = comparison;
  if (before.schema.problems === undefined && after.schema.problems === undefined) return;
  const { removed, added, kept } = pairByName(before.schema.problems ?? [], after.schema.problems ?? []);
  for (const problem of removed) {
    yield {
      kind: 'problem-removed',
      level: 'breaking',
      coordinate: problem.name,
      message: `The declared error ${problem.name} was removed.`,
      before: placeAt(problem.node?.span, 'removed'),
      after: undefined,
      touch: touchOf(before.schema, problem, 'before'),
    };
  }
  for (const problem of added) {
    yield {
      kind: 'problem-added',
      level: 'safe',
      coordinate: problem.name,
      message: `The declared error ${problem.name} was added.`,
      before: undefined,
      after: placeAt(problem.node?.span, 'added'),
      touch: touchOf(after.schema, problem, 'after'),
    };
  }
  for (const pair of kept) yield* changesOfProblem(comparison, ...pair);
  yield* throwsChanges(comparison);
}

function* changesOfProblem(
  { before, after }: Comparison,
  old: GqlProblemType,
  found: GqlProblemType,
): Iterable<Finding> {
  const touch = touchOf(before.schema, old, 'before');
  if (old.status !== found.status) {
    yield {
      kind: 'problem-status-changed',
      level: 'breaking',
      coordinate: old.name,
      message: `The status of ${old.name} changed from ${old.status} to ${found.status}.`,
      before: placeAt(old.node?.span, `${old.status} here`),
      after: placeAt(found.node?.span, `${found.status} here`),
      touch,
    };
  }
  const fields = pairByName(old.fields, found.fields);
  for (const { name, span } of fields.removed) {
    yield {
      kind: 'field-removed',
      level: 'breaking',
      coordinate: `${old.name}.${name}`,
      message: `The field ${old.name}.${name} was removed.`,
      before: placeAt(span ?? old.node?.span, 'removed'),
      after: placeNear(found.node?.span, `without ${name}`),
      touch,
    };
  }
  for (const { name, span } of fields.added) {
    yield {
      kind: 'field-added',
      level: 'safe',
      coordinate: `${old.name}.${name}`,
      message: `The field ${old.name}.${name} was added.`,
      before: placeNear(old.node?.span, `without ${name}`),
      after: placeAt(span ?? found.node?.span, 'added'),
      touch: touchOf(after.schema, found, 'after'),
    };
  }
  for (const [was, is] of fields.kept) {
    const coordinate = `${old.name}.${was.name}`;
    const part = { coordinate, spans: { before: was.span, after: is.span }, touch };
    const types = [was.type, is.type] as const;
    yield* typeChange(part, 'field-type-changed', `The type of ${coordinate}`, types, 'read');
  }
}

/** The errors that each operation may answer with. */
function* throwsChanges({ operations }: Comparison): Iterable<Finding> {
  for (const [old, found] of operations.kept) {
    const [was, is] = [old.throws ?? [], found.throws ?? []];
    const coordinate = operationCoordinate(old);
    const places = { before: placeAt(spanOfOperation(old), ''), after: placeAt(spanOfOperation(found), '') };
    const touch = { in: 'before', operations: [old] } as const;
    const [lost, added] = [was.filter((one) => !is.includes(one)), is.filter((one) => !was.includes(one))];
    if (lost.length > 0) {
      const message = `${coordinate} no longer declares ${lost.join(', ')}.`;
      yield { kind: 'operation-error-removed', level: 'dangerous', coordinate, message, ...places, touch };
    }
    if (added.length > 0) {
      const message = `${coordinate} may now answer with ${added.join(', ')}.`;
      yield { kind: 'operation-error-added', level: 'dangerous', coordinate, message, ...places, touch };
    }
  }
}

function touchOf(schema: GqlSchema, { name }: GqlProblemType, side: 'before' | 'after'): Touch {
  const throwing = ({ throws }: GqlOperation) => throws?.includes(name) === true;
  const all = allOperations(schema);
  return { in: side, operations: all.filter(throwing) };
}
