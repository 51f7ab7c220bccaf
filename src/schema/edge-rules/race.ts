import { allSources } from './describe-edges.js';
import type { UnionRule } from './edge-rule.js';

/** RACE → for each target a union of the sources, which is returned in the target's place. */
export const raceRule: UnionRule = {
  edgeType: 'RACE',
  produces: 'union',
  describe: (group) => `Union (race) of ${allSources(group)} for ${group.target.id}`,
};
