import { consoleMonitor } from '../logs/monitor.js';
import type { Resource, Route } from './exchange.js';
import type { Site } from './steps.js';

/**
 * Makes a site with one route for every path and method: a server of another package. The steps still check requests
 * and mask errors.
 */
export function createForeignSite(route: Route): Site {
  const resource: Resource = { allow: '', routes: { get: () => route } };
  return {
    health: new Map(),
    resources: { get: () => resource },
    loading: Promise.resolve(),
    explainMissing: () => '',
    preventsCsrf: false,
    masksErrors: true,
    isDraining: false,
    monitor: consoleMonitor,
  };
}
