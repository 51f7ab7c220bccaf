import type { EdgeRule } from './edge-rule.js';
import { foldRule } from './edge-rules/fold.js';
import { forkRule } from './edge-rules/fork.js';
import { processRule } from './edge-rules/process.js';
import { raceRule } from './edge-rules/race.js';

/** THE rules, by edge type. Edges of any other type are kept in the topology and project nothing. */
export const edgeRules: ReadonlyMap<string, EdgeRule> = new Map(
  [processRule, foldRule, forkRule, raceRule].map((rule: EdgeRule) => [rule.edgeType, rule]),
);
