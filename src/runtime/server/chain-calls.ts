import type { Calls } from '../call/calls.js';
import { withGraphQLChains } from '../call/chains/graphql-chains.js';
import type { Environment } from '../call/environment.js';
import { withGraphQLRuns } from '../runs/graphql-runs.js';
import type { Runs } from '../runs/runs.js';

/** The calls of a server whose topology has chains. One file is loaded for all of them. */
export function withChains(environment: Environment, calls: Calls, openRuns: (() => Promise<Runs>) | undefined): Calls {
  const chained = withGraphQLChains(environment, calls);
  return openRuns === undefined ? chained : withGraphQLRuns(environment, chained, openRuns);
}
