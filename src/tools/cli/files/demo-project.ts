import type { ProjectConfig } from '../../../runtime/config/project-config.js';

/**
 * The project of `dev --demo`: without the modules that change data, and without what it shares with other processes, the
 * broker and Redis. Its database is that of the mock. Example calls are no load to be limited.
 */
export function demoProject(project: ProjectConfig | undefined): ProjectConfig {
  const { events: _, idempotency, ...server } = project?.server ?? {};
  const keys = idempotency && { idempotency: { ...idempotency, store: 'memory' } };
  return { ...project, resolvers: false, channels: false, server: { ...server, ...keys, rateLimits: [] } };
}
