import { sameJson } from '../../../base/json-schema/same-json.js';
import type { Span } from '../../../base/source/span.js';
import type { GqlUnionType } from '../../../compiler/schema/gql-schema.js';
import { accessChanges } from '../model/access-changes.js';
import {
  type ComparedPart,
  type ComparedSchema,
  type Comparison,
  changeOf,
  keptTypes,
  pairNames,
  partOf,
} from '../model/comparison.js';

/** Members, timing and access of unions that are in both schemas. */
export function* unionChanges(comparison: Comparison) {
  const { before, after } = comparison;
  for (const [old, union] of keptTypes(comparison, 'union')) {
    const { name } = old;
    const { removed, added } = pairNames(old.members, union.members);
    for (const member of removed) {
      const part = partOf(comparison, `${name}.${member}`);
      const spans = { ...part.spans, before: spanOfMember(before, old, member) };
      const message = `${member} was removed from the union ${name}.`;
      const notes = [`raced ${member}`, `without ${member}`] as const;
      yield changeOf({ ...part, spans }, 'union-member-removed', message, notes, { absentIn: 'after' });
    }
    for (const member of added) {
      const part = partOf(comparison, `${name}.${member}`);
      const spans = { ...part.spans, after: spanOfMember(after, union, member) };
      const message = `${member} was added to the union ${name}.`;
      const notes = [`without ${member}`, `races ${member}`] as const;
      yield changeOf({ ...part, spans }, 'union-member-added', message, notes, { absentIn: 'before' });
    }
    const part = partOf(comparison, name);
    yield* timingChange(part, old, union);
    yield* policyChange(part, old, union);
    for (const [member, open] of Object.entries(union.open ?? {})) {
      const was = old.open?.[member];
      const place = { ...part, coordinate: `${name} of ${member}` };
      yield* accessChanges(place, was === undefined ? {} : { open: was }, { open });
    }
  }
}

/** The place of a union member: the first edge with its node as a source. */
function spanOfMember(schema: ComparedSchema, { edges }: GqlUnionType, member: string): Span | undefined {
  const isSource = (id: string) => schema.objectOfNode.get(id)?.name === member;
  return (edges.find(({ from }) => from.some(isSource)) ?? edges[0])?.span;
}

/** The delays of a race; only members on both sides are compared, the others are reported above. */
function* timingChange(part: ComparedPart, before: GqlUnionType, after: GqlUnionType) {
  const common = before.members.filter((name) => after.members.includes(name));
  const delaysOf = ({ members, delays }: GqlUnionType) => common.map((name) => delays?.[members.indexOf(name)] ?? 0);
  const [was, is] = [delaysOf(before), delaysOf(after)];
  if (sameJson(was, is)) return;
  const print = (delays: readonly number[]) => common.map((name, at) => `${name} after ${delays[at]} ms`).join(', ');
  const message = `The race ${before.name} now starts ${print(is)} instead of ${print(was)}.`;
  yield changeOf(part, 'race-timing-changed', message, ['old delays', 'new delays']);
}

/** The policies of a race. Without `failure`, a failed branch is vented. */
function* policyChange(part: ComparedPart, before: GqlUnionType, after: GqlUnionType) {
  const policyOf = ({ policy }: GqlUnionType) => ({ failure: 'vent', ...policy });
  const [was, is] = [policyOf(before), policyOf(after)];
  if (sameJson(was, is)) return;
  const print = (policy: typeof was) =>
    Object.entries(policy)
      .map(([word, value]) => `${word}: ${value}`)
      .join(', ');
  const message = `The race ${before.name} now has ${print(is)} instead of ${print(was)}.`;
  yield changeOf(part, 'race-policy-changed', message, ['old policy', 'new policy']);
}
