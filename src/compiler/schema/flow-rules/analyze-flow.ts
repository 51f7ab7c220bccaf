import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import { argumentAsJson } from './argument-as-json.js';
import { edgeWithoutAuth } from './edge-without-auth.js';
import { eventNeverArrives } from './event-never-arrives.js';
import type { FlowRule, ProjectedTopology } from './flow-rule.js';
import { foldOfRequiredFields } from './fold-of-required-fields.js';
import { forkNeverFires } from './fork-never-fires.js';
import { joinedArguments } from './joined-arguments.js';
import { listOfSingleReads } from './list-of-single-reads.js';
import { nodeOutOfReach } from './node-out-of-reach.js';
import { processTypeClash } from './process-type-clash.js';
import { raceWithOneBranch } from './race-with-one-branch.js';
import { sourceArguments } from './source-arguments.js';

const flowRules: readonly FlowRule[] = [
  forkNeverFires,
  eventNeverArrives,
  raceWithOneBranch,
  nodeOutOfReach,
  processTypeClash,
  argumentAsJson,
  foldOfRequiredFields,
  sourceArguments,
  joinedArguments,
  listOfSingleReads,
  edgeWithoutAuth,
];

/** Runs the flow rules on a topology without errors: findings about a partial schema would be guesses. */
export function analyzeFlow(topology: ProjectedTopology): readonly Diagnostic[] {
  return flowRules.flatMap((rule) => rule(topology));
}
