import { sameJson } from '../../../base/json-schema/same-json.js';
import type { GqlField, GqlObjectType } from '../../../compiler/schema/gql-schema.js';
import { accessChanges } from '../model/access-changes.js';
import { type ComparedPart, type Comparison, changeOf, keptTypes, pairNames, partOf } from '../model/comparison.js';
import { notesChanges, pageChange, typeChange } from '../model/part-changes.js';
import { inputValueChanges } from './input-values.js';
import { memberChanges } from './members.js';

/** Fields of object types that are in both schemas. */
export function* fieldChanges(comparison: Comparison) {
  for (const [old, found] of keptTypes(comparison, 'object', 'interface')) {
    const part = partOf(comparison, old.name);
    yield* interfaceChanges(part, old, found);
    yield* accessChanges(part, old, found);
    const members = { kind: 'field', of: old.name, before: old.fields, after: found.fields } as const;
    yield* memberChanges(comparison, members, function* (part, before, after) {
      const { coordinate } = part;
      const types = [before.type, after.type] as const;
      yield* typeChange(part, 'field-type-changed', `The type of ${coordinate}`, types, 'read');
      yield* notesChanges(part, before, after, 'read');
      yield* accessChanges(part, before, after);
      yield* inputValueChanges(comparison, 'argument', coordinate, before.arguments, after.arguments);
      yield* constantChange(part, before, after);
      yield* headerChange(part, before, after);
      yield* pageChange(part, before.page, after.page);
    });
  }
}

function* interfaceChanges(part: ComparedPart, old: GqlObjectType, found: GqlObjectType) {
  const { removed, added } = pairNames(old.interfaces, found.interfaces);
  const { coordinate } = part;
  const [lost, won] = [removed.join(', '), added.join(', ')];
  if (lost !== '') {
    const notes = [`implemented ${lost}`, `without ${lost}`] as const;
    const message = `${coordinate} no longer implements ${lost}.`;
    yield changeOf(part, 'interface-removed-from-type', message, notes, { absentIn: 'after' });
  }
  if (won !== '') {
    const notes = [`without ${won}`, `implements ${won}`] as const;
    const message = `${coordinate} now implements ${won}.`;
    yield changeOf(part, 'interface-added-to-type', message, notes, { absentIn: 'before' });
  }
}

/** The header that also has the value. The names of headers ignore case. */
function* headerChange(part: ComparedPart, { sentAs: was }: GqlField, { sentAs: is }: GqlField) {
  if (was?.toLowerCase() === is?.toLowerCase()) return;
  const noteOf = (header: string | undefined) => (header === undefined ? 'no header' : `the header ${header}`);
  const message = `${part.coordinate} is sent as ${noteOf(is)} instead of ${noteOf(was)}.`;
  yield changeOf(part, 'field-header-changed', message, [`sent as ${noteOf(was)}`, `sent as ${noteOf(is)}`]);
}

/** The constant that a server returns without a resolver. A comparison of SDL cannot see it. */
function* constantChange(part: ComparedPart, before: GqlField, after: GqlField) {
  if (sameJson(before.fallback, after.fallback)) return;
  const { coordinate } = part;
  const [was, is] = [JSON.stringify(before.fallback), JSON.stringify(after.fallback)];
  const notes = [`was ${was ?? 'no constant'}`, `is ${is ?? 'no constant'}`] as const;
  const message = `The constant ${coordinate} changed from ${was} to ${is}.`;
  if (was === undefined) yield changeOf(part, 'constant-added', `${coordinate} became the constant ${is}.`, notes);
  else if (is === undefined)
    yield changeOf(part, 'constant-removed', `${coordinate} is no longer the constant ${was}.`, notes);
  else yield changeOf(part, 'constant-changed', message, notes);
}
