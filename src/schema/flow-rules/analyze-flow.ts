import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { ProjectedTopology } from './flow-rule.js';
import { flowRules } from './flow-rules.js';

/**
 * Asks every flow rule about a topology: what can never happen, and what is probably meant otherwise.
 * The topology must have no errors; what a half-projected one lets flow would be guesses.
 */
export function analyzeFlow(topology: ProjectedTopology): readonly Diagnostic[] {
  return flowRules.flatMap((rule) => rule(topology));
}
