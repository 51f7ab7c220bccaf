import type { EdgeRule } from './edge-rule.js';
import { foldRule } from './fold.js';
import { forkRule } from './fork.js';
import { processRule } from './process.js';
import { raceRule } from './race.js';

/** The rules by edge type. Edges of any other type do not project. */
export const edgeRules: ReadonlyMap<string, EdgeRule> = new Map(
  [processRule, foldRule, forkRule, raceRule].map((rule: EdgeRule) => [rule.edgeType, rule]),
);
