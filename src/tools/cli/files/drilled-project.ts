import type { ProjectConfig } from '../../../runtime/config/project-config.js';

type ServerSettings = NonNullable<ProjectConfig['server']>;

/** The settings that `gg-svc drill` gives the servers that it starts, in place of those of the project file. */
export type DrillSettings = Pick<ServerSettings, 'events' | 'store' | 'idempotency'>;

const variable = 'GG_SVC_DRILL';

/** The environment of a server of a drill. */
export function drillEnvironment(settings: DrillSettings): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(settings) };
}

/** The project of a server of a drill; any other one as it is. */
export function drilledProject(project: ProjectConfig | undefined, env: Readonly<Record<string, string | undefined>>) {
  const text = env[variable];
  if (text === undefined) return project;
  // The runs of another database would go on in the servers of a drill, which begins none itself.
  const runs = project?.server?.runs && { runs: { file: ':memory:' } };
  // Two servers would listen on one port for metrics, and the calls of a drill are no load to be limited.
  const server = { ...project?.server, ...runs, ...JSON.parse(text), metrics: false, rateLimits: [] };
  return { ...project, server };
}
