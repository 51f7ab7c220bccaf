import type { Resource, Route } from './exchange.js';
import { problemAnswer } from './problem.js';
import type { Site } from './steps.js';

/**
 * Makes a site that leaves every path and method to one route: a server of another package. The steps check what
 * arrives and mask what fails.
 */
export function createForeignSite(route: Route): Site {
  const resource: Resource = {
    allow: '',
    routes: { get: () => route },
    refuse: (_, problem) => problemAnswer(problem),
  };
  return {
    health: new Map(),
    resources: { get: () => resource },
    loading: Promise.resolve(),
    explainMissing: () => '',
    preventsCsrf: false,
    masksErrors: true,
    isDraining: false,
  };
}
