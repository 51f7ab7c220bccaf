import { argumentAsJson } from './argument-as-json.js';
import type { FlowRule } from './flow-rule.js';
import { forkNeverFires } from './fork-never-fires.js';
import { nodeOutOfReach } from './node-out-of-reach.js';
import { processTypeClash } from './process-type-clash.js';
import { raceWithOneBranch } from './race-with-one-branch.js';

/** THE flow rules, in the order in which they are asked. */
export const flowRules: readonly FlowRule[] = [
  forkNeverFires,
  raceWithOneBranch,
  nodeOutOfReach,
  processTypeClash,
  argumentAsJson,
];
