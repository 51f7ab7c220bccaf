import { allOperations, type GqlProblemType, type GqlSchema } from '../../../compiler/schema/gql-schema.js';
import type { Finding, Side, Touch } from '../model/change.js';
import { type Comparison, pairByName } from '../model/comparison.js';
import { typeChange } from '../model/part-changes.js';
import { type ComparedPart, changeOf, operationPart } from '../model/parts.js';

/** The declared errors, their statuses and fields, and the operations that answer with them. */
export function* problemChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after } = comparison;
  if (before.schema.problems === undefined && after.schema.problems === undefined) return;
  const { removed, added, kept } = pairByName(before.schema.problems ?? [], after.schema.problems ?? []);
  for (const { name, node } of removed) {
    const spans = { before: node?.span, after: undefined };
    const part = { coordinate: name, spans, touch: touchOf(before.schema, name, 'before') };
    yield changeOf(part, 'problem-removed', `The declared error ${name} was removed.`, ['removed', '']);
  }
  for (const { name, node } of added) {
    const spans = { before: undefined, after: node?.span };
    const part = { coordinate: name, spans, touch: touchOf(after.schema, name, 'after') };
    yield changeOf(part, 'problem-added', `The declared error ${name} was added.`, ['', 'added']);
  }
  for (const pair of kept) yield* changesOfProblem(comparison, ...pair);
  yield* throwsChanges(comparison);
}

function* changesOfProblem(
  { before, after }: Comparison,
  old: GqlProblemType,
  found: GqlProblemType,
): Iterable<Finding> {
  const { name } = old;
  const spans = { before: old.node?.span, after: found.node?.span };
  const part: ComparedPart = { coordinate: name, spans, touch: touchOf(before.schema, name, 'before') };
  if (old.status !== found.status) {
    const message = `The status of ${name} changed from ${old.status} to ${found.status}.`;
    yield changeOf(part, 'problem-status-changed', message, [`${old.status} here`, `${found.status} here`]);
  }
  const fields = pairByName(old.fields, found.fields);
  for (const { name: field, span } of fields.removed) {
    const coordinate = `${name}.${field}`;
    const place = { ...part, coordinate, spans: { ...spans, before: span ?? spans.before } };
    const notes = ['removed', `without ${field}`] as const;
    const message = `The field ${coordinate} was removed.`;
    yield changeOf(place, 'field-removed', message, notes, { absentIn: 'after' });
  }
  for (const { name: field, span } of fields.added) {
    const coordinate = `${name}.${field}`;
    const touch = touchOf(after.schema, name, 'after');
    const place = { coordinate, spans: { ...spans, after: span ?? spans.after }, touch };
    const notes = [`without ${field}`, 'added'] as const;
    yield changeOf(place, 'field-added', `The field ${coordinate} was added.`, notes, { absentIn: 'before' });
  }
  for (const [was, is] of fields.kept) {
    const coordinate = `${name}.${was.name}`;
    const place = { ...part, coordinate, spans: { before: was.span, after: is.span } };
    yield* typeChange(place, 'field-type-changed', `The type of ${coordinate}`, [was.type, is.type], 'read');
  }
}

/** The errors that each operation may answer with. */
function* throwsChanges({ operations }: Comparison): Iterable<Finding> {
  for (const [old, found] of operations.kept) {
    const [was, is] = [old.throws ?? [], found.throws ?? []];
    const part = operationPart(old, found);
    const notes = ['', ''] as const;
    const lost = was.filter((one) => !is.includes(one)).join(', ');
    const added = is.filter((one) => !was.includes(one)).join(', ');
    const [less, more] = [`no longer declares ${lost}.`, `may now answer with ${added}.`];
    if (lost !== '') yield changeOf(part, 'operation-error-removed', `${part.coordinate} ${less}`, notes);
    if (added !== '') yield changeOf(part, 'operation-error-added', `${part.coordinate} ${more}`, notes);
  }
}

/** A declared error touches the operations that answer with it. */
function touchOf(schema: GqlSchema, name: string, side: Side): Touch {
  return { in: side, operations: allOperations(schema).filter(({ throws }) => throws?.includes(name)) };
}
