import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { argumentAsJson } from './argument-as-json.js';
import type { FlowRule, ProjectedTopology } from './flow-rule.js';
import { forkNeverFires } from './fork-never-fires.js';
import { nodeOutOfReach } from './node-out-of-reach.js';
import { processTypeClash } from './process-type-clash.js';
import { raceWithOneBranch } from './race-with-one-branch.js';

/** The flow rules, in the order in which they run. */
const flowRules: readonly FlowRule[] = [
  forkNeverFires,
  raceWithOneBranch,
  nodeOutOfReach,
  processTypeClash,
  argumentAsJson,
];

/**
 * Runs every flow rule on a topology. They report what can never happen and probable mistakes. The topology must have no
 * errors; findings about one that is projected in part would be guesses.
 */
export function analyzeFlow(topology: ProjectedTopology): readonly Diagnostic[] {
  return flowRules.flatMap((rule) => rule(topology));
}
