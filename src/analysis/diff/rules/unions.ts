import { sameJson } from '../../../base/json-schema/same-json.js';
import type { Span } from '../../../base/source/span.js';
import type { GqlUnionType } from '../../../compiler/schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import { type ComparedSchema, type Comparison, keptTypes } from '../model/comparison.js';
import { type ComparedPart, changeOf, typePart } from '../model/parts.js';

/** Members and timing of unions that are in both schemas. */
export function* unionChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after } = comparison;
  for (const [old, union] of keptTypes(comparison, 'union')) {
    const { name } = old;
    const part = typePart(name, old.edges[0]?.span, union.edges[0]?.span);
    for (const member of old.members.filter((one) => !union.members.includes(one))) {
      const spans = { ...part.spans, before: spanOfMember(before, old, member) };
      const place = { ...part, coordinate: `${name}.${member}`, spans };
      const message = `${member} was removed from the union ${name}.`;
      const notes = [`raced ${member}`, `without ${member}`] as const;
      yield changeOf(place, 'union-member-removed', message, notes, { absentIn: 'after' });
    }
    for (const member of union.members.filter((one) => !old.members.includes(one))) {
      const spans = { ...part.spans, after: spanOfMember(after, union, member) };
      const place = { ...part, coordinate: `${name}.${member}`, spans };
      const message = `${member} was added to the union ${name}.`;
      const notes = [`without ${member}`, `races ${member}`] as const;
      yield changeOf(place, 'union-member-added', message, notes, { absentIn: 'before' });
    }
    yield* timingChange(part, old, union);
  }
}

/** The place of a union member: the first edge with its node as a source. */
function spanOfMember(schema: ComparedSchema, { edges }: GqlUnionType, member: string): Span | undefined {
  const isSource = (id: string) => schema.objectOfNode.get(id)?.name === member;
  return (edges.find(({ from }) => from.some(isSource)) ?? edges[0])?.span;
}

/** The delays of a race; only members on both sides are compared, the others are reported above. */
function* timingChange(part: ComparedPart, before: GqlUnionType, after: GqlUnionType): Iterable<Finding> {
  const common = before.members.filter((name) => after.members.includes(name));
  const delaysOf = ({ members, delays }: GqlUnionType) =>
    common.map((name) => delays?.[members.indexOf(name)] ?? 0);
  const [was, is] = [delaysOf(before), delaysOf(after)];
  if (sameJson(was, is)) return;
  const print = (delays: readonly number[]) =>
    common.map((name, at) => `${name} after ${delays[at]} ms`).join(', ');
  const message = `The race ${before.name} now starts ${print(is)} instead of ${print(was)}.`;
  yield changeOf(part, 'race-timing-changed', message, ['old delays', 'new delays']);
}
