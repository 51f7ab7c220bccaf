import { sameJson } from '../../graph/json-value.js';
import type { GqlUnionType } from '../../schema/gql-schema.js';
import type { Finding } from '../model/change.js';
import { type Comparison, keptTypes } from '../model/comparison.js';
import { placeAt, placeNear, spanOfMember } from '../model/places.js';

/** Members and timing of unions that are in both schemas. */
export function* unionChanges(comparison: Comparison): Iterable<Finding> {
  const { before, after } = comparison;
  for (const [old, union] of keptTypes(comparison, 'union')) {
    const touch = { in: 'before', type: old.name } as const;
    for (const member of old.members.filter((name) => !union.members.includes(name))) {
      yield {
        kind: 'union-member-removed',
        level: 'breaking',
        coordinate: `${old.name}.${member}`,
        message: `${member} was removed from the union ${old.name}.`,
        before: placeAt(spanOfMember(before, old, member), `raced ${member}`),
        after: placeNear(union.edges[0]?.span, `without ${member}`),
        touch,
      };
    }
    for (const member of union.members.filter((name) => !old.members.includes(name))) {
      yield {
        kind: 'union-member-added',
        level: 'dangerous',
        coordinate: `${old.name}.${member}`,
        message: `${member} was added to the union ${old.name}.`,
        before: placeNear(old.edges[0]?.span, `without ${member}`),
        after: placeAt(spanOfMember(after, union, member), `races ${member}`),
        touch,
      };
    }
    yield* timingChange(old, union);
  }
}

/** The delays of a race; only members on both sides are compared, the others are reported above. */
function* timingChange(before: GqlUnionType, after: GqlUnionType): Iterable<Finding> {
  const common = before.members.filter((name) => after.members.includes(name));
  const [was, is] = [before, after].map((union) =>
    common.map((name) => union.delays?.[union.members.indexOf(name)] ?? 0),
  ) as [number[], number[]];
  if (sameJson(was, is)) return;
  const describe = (delays: readonly number[]) =>
    common.map((name, at) => `${name} after ${delays[at]} ms`).join(', ');
  yield {
    kind: 'race-timing-changed',
    level: 'dangerous',
    coordinate: before.name,
    message: `The race ${before.name} now starts ${describe(is)} instead of ${describe(was)}.`,
    before: placeAt(before.edges[0]?.span, 'old delays'),
    after: placeAt(after.edges[0]?.span, 'new delays'),
    touch: { in: 'before', type: before.name },
  };
}
