import { describeSources } from './describe-edges.js';
import type { UnionRule } from './edge-rule.js';

/** RACE → a union of the sources for each target; operations return it in place of the target's type. */
export const raceRule: UnionRule = {
  edgeType: 'RACE',
  produces: 'union',
  defaultDescription: (group) => `Union (race) of ${describeSources(group)} for ${group.target.id}`,
};
