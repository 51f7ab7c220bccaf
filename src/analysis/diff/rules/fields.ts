import { sameJson } from '../../../base/json-schema/same-json.js';
import { printTypeRef } from '../../../compiler/graph/type-ref.js';
import type { GqlField, GqlObjectType } from '../../../compiler/schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import { type Comparison, keptTypes, likelyRenamed, pairByName } from '../model/comparison.js';
import { descriptionChange, notesChange, typeChange } from '../model/part-changes.js';
import { type ComparedPart, changeOf, fieldPart, typePart } from '../model/parts.js';
import { inputValueChanges } from './input-values.js';

/** Fields of object types that are in both schemas. */
export function* fieldChanges(comparison: Comparison): Iterable<Finding> {
  for (const types of keptTypes(comparison, 'object', 'interface')) {
    const [old, found] = types;
    const ofType = typePart(old.name, old.node?.span, found.node?.span);
    yield* interfaceChanges(ofType, old, found);
    const pairing = pairByName(old.fields, found.fields);
    const renamed = likelyRenamed(pairing);
    for (const { name, span } of pairing.removed) {
      const coordinate = `${old.name}.${name}`;
      const part: ComparedPart = {
        coordinate,
        spans: { before: span ?? ofType.spans.before, after: renamed?.span ?? ofType.spans.after },
        touch: { in: 'before', type: old.name, field: name },
      };
      const guess = renamed ? `; perhaps it was renamed to ${old.name}.${renamed.name}` : '';
      const notes = ['removed', renamed ? 'perhaps this' : `without ${name}`] as const;
      const message = `The field ${coordinate} was removed${guess}.`;
      yield changeOf(part, 'field-removed', message, notes, { absentIn: 'after' });
    }
    for (const { name, type, span } of pairing.added) {
      const coordinate = `${old.name}.${name}`;
      const part: ComparedPart = {
        coordinate,
        spans: { before: ofType.spans.before, after: span ?? ofType.spans.after },
        touch: { in: 'after', type: old.name, field: name },
      };
      const message = `The field ${coordinate}: ${printTypeRef(type)} was added.`;
      yield changeOf(part, 'field-added', message, [`without ${name}`, 'added'], { absentIn: 'before' });
    }
    for (const fields of pairing.kept) yield* changesOfField(comparison, fieldPart(types, fields), ...fields);
  }
}

function* interfaceChanges(
  part: ComparedPart,
  { name, interfaces: was = [] }: GqlObjectType,
  { interfaces: is = [] }: GqlObjectType,
): Iterable<Finding> {
  const lost = was.filter((one) => !is.includes(one)).join(', ');
  const added = is.filter((one) => !was.includes(one)).join(', ');
  if (lost !== '') {
    const notes = [`implemented ${lost}`, `without ${lost}`] as const;
    const message = `${name} no longer implements ${lost}.`;
    yield changeOf(part, 'interface-removed-from-type', message, notes, { absentIn: 'after' });
  }
  if (added !== '') {
    const notes = [`without ${added}`, `implements ${added}`] as const;
    const message = `${name} now implements ${added}.`;
    yield changeOf(part, 'interface-added-to-type', message, notes, { absentIn: 'before' });
  }
}

function* changesOfField(
  comparison: Comparison,
  part: ComparedPart,
  before: GqlField,
  after: GqlField,
): Iterable<Finding> {
  const { coordinate, spans, touch } = part;
  const types = [before.type, after.type] as const;
  yield* typeChange(part, 'field-type-changed', `The type of ${coordinate}`, types, 'read');
  yield* notesChange(part, before, after, 'read');
  yield* descriptionChange(part, before, after);
  yield* inputValueChanges(comparison, {
    values: 'argument',
    before: before.arguments ?? [],
    after: after.arguments ?? [],
    spans,
    coordinate: (name) => `${coordinate}(${name}:)`,
    touch,
  });
  yield* constantChange(part, before, after);
}

/** The constant that a server returns without a resolver. A comparison of SDL cannot see it. */
function* constantChange(part: ComparedPart, before: GqlField, after: GqlField): Iterable<Finding> {
  if (sameJson(before.fallback, after.fallback)) return;
  const { coordinate } = part;
  const [was, is] = [JSON.stringify(before.fallback), JSON.stringify(after.fallback)];
  const notes = [`was ${was ?? 'no constant'}`, `is ${is ?? 'no constant'}`] as const;
  const message = `The constant ${coordinate} changed from ${was} to ${is}.`;
  if (was === undefined)
    yield changeOf(part, 'constant-added', `${coordinate} became the constant ${is}.`, notes);
  else if (is === undefined)
    yield changeOf(part, 'constant-removed', `${coordinate} is no longer the constant ${was}.`, notes);
  else yield changeOf(part, 'constant-changed', message, notes);
}
