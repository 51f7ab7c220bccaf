import type { FlowRule } from './flow-rule.js';
import { argumentAsJson } from './flow-rules/argument-as-json.js';
import { forkNeverFires } from './flow-rules/fork-never-fires.js';
import { nodeOutOfReach } from './flow-rules/node-out-of-reach.js';
import { processTypeClash } from './flow-rules/process-type-clash.js';
import { raceWithOneBranch } from './flow-rules/race-with-one-branch.js';

/** THE flow rules, in the order in which they are asked. */
export const flowRules: readonly FlowRule[] = [
  forkNeverFires,
  raceWithOneBranch,
  nodeOutOfReach,
  processTypeClash,
  argumentAsJson,
];
