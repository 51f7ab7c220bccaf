import { namedChains, stepsOf } from '../../call/chains/named-chains.js';
import { createChainRunner } from '../../call/chains/run-chain.js';
import type { Environment } from '../../call/environment.js';
import { ProblemError } from '../../call/problem.js';
import { jsonAnswer } from '../answer.js';
import type { Resource, Route } from '../exchange.js';
import { jsonBody } from './json-body.js';
import { createRunResources, type OpenRuns, runAnswer } from './runs.js';

/** Makes the resources of the chains of the API: `POST /api/chains/{name}` runs one. */
export function createChainResources(
  environment: Environment,
  runs: OpenRuns | undefined,
): ReadonlyMap<string, Resource> {
  const { schema, limits } = environment;
  const way = { protocol: 'rest', tellsNames: limits.introspection } as const;
  const { run } = createChainRunner(environment, way);
  const resources = new Map<string, Resource>();
  for (const [name, chain] of namedChains(schema, way)) {
    const { path, runnable, isDurable } = chain;
    const route: Route = {
      // The runner compares the caller with all steps.
      access: {},
      ...jsonBody(limits),
      async run(exchange) {
        if (isDurable && runs !== undefined)
          return runAnswer(202, await (await runs()).start(chain, exchange.json, exchange, name));
        const outcome = await run(runnable, exchange.json, exchange);
        const steps = stepsOf(outcome);
        const { failure } = outcome;
        if (failure === undefined) return jsonAnswer(200, JSON.stringify({ steps }));
        const { problem, step } = failure;
        const members = { ...problem.members, ...(step !== undefined && { failed: step }), steps };
        throw new ProblemError({ ...problem, members });
      },
    };
    resources.set(path, { allow: 'POST, OPTIONS', routes: new Map([['POST', route]]), isShared: true });
  }
  return runs === undefined ? resources : new Map([...resources, ...createRunResources(runs)]);
}
