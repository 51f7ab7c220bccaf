import { printTypeRef } from '../../graph/type-ref.js';
import type { GqlField, GqlObjectType } from '../../schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import { type Comparison, keptTypes } from '../model/comparison.js';
import { likelyRenamed, pairByName } from '../model/pair-by-name.js';
import { descriptionChange, notesChange, typeChange } from '../model/part-changes.js';
import { placeAt, placeNear } from '../model/places.js';
import { inputValueChanges } from './input-values.js';

/** Fields of object types that are in both schemas. */
export function* fieldChanges(comparison: Comparison): Iterable<Finding> {
  for (const [old, found] of keptTypes(comparison, 'object', 'interface')) {
    yield* interfaceChanges(old, found);
    const pairing = pairByName(old.fields, found.fields);
    const { removed, added, kept } = pairing;
    const renamed = likelyRenamed(pairing);
    for (const { name, span } of removed) {
      const coordinate = `${old.name}.${name}`;
      yield {
        kind: 'field-removed',
        level: 'breaking',
        coordinate,
        message: `The field ${coordinate} was removed${renamed ? `; perhaps it was renamed to ${old.name}.${renamed.name}` : ''}.`,
        before: placeAt(span ?? old.node?.span, 'removed'),
        after: placeNear(renamed?.span ?? found.node?.span, renamed ? 'perhaps this' : `without ${name}`),
        touch: { in: 'before', type: old.name, field: name },
      };
    }
    for (const { name, type, span } of added) {
      const coordinate = `${old.name}.${name}`;
      yield {
        kind: 'field-added',
        level: 'safe',
        coordinate,
        message: `The field ${coordinate}: ${printTypeRef(type)} was added.`,
        before: placeNear(old.node?.span, `without ${name}`),
        after: placeAt(span ?? found.node?.span, 'added'),
        touch: { in: 'after', type: old.name, field: name },
      };
    }
    for (const pair of kept) yield* changesOfField(comparison, old, found, ...pair);
  }
}

/** The interfaces that a type has lost or got. */
function* interfaceChanges(old: GqlObjectType, found: GqlObjectType): Iterable<Finding> {
  const [was = [], is = []] = [old.interfaces, found.interfaces];
  const touch = { in: 'before', type: old.name } as const;
  const [lost, added] = [was.filter((one) => !is.includes(one)), is.filter((one) => !was.includes(one))];
  if (lost.length > 0) {
    const names = lost.join(', ');
    yield {
      kind: 'interface-removed-from-type',
      level: 'breaking',
      coordinate: old.name,
      message: `${old.name} no longer implements ${names}.`,
      before: placeAt(old.node?.span, `implemented ${names}`),
      after: placeNear(found.node?.span, `without ${names}`),
      touch,
    };
  }
  if (added.length > 0) {
    const names = added.join(', ');
    yield {
      kind: 'interface-added-to-type',
      level: 'dangerous',
      coordinate: old.name,
      message: `${old.name} now implements ${names}.`,
      before: placeNear(old.node?.span, `without ${names}`),
      after: placeAt(found.node?.span, `implements ${names}`),
      touch,
    };
  }
}

function* changesOfField(
  comparison: Comparison,
  oldType: GqlObjectType,
  newType: GqlObjectType,
  before: GqlField,
  after: GqlField,
): Iterable<Finding> {
  const coordinate = `${oldType.name}.${before.name}`;
  const spans = { before: before.span ?? oldType.node?.span, after: after.span ?? newType.node?.span };
  const touch = { in: 'before', type: oldType.name, field: before.name } as const;
  const part = { coordinate, spans, touch };
  const types = [before.type, after.type] as const;
  yield* typeChange(part, 'field-type-changed', `The type of ${coordinate}`, types, 'read');
  yield* notesChange(part, before, after, 'read');
  yield* descriptionChange(part, before, after);
  if (before.arguments === undefined && after.arguments === undefined) return;
  yield* inputValueChanges(comparison, {
    values: 'argument',
    before: before.arguments ?? [],
    after: after.arguments ?? [],
    spans,
    coordinate: (name) => `${coordinate}(${name}:)`,
    touch,
  });
}
