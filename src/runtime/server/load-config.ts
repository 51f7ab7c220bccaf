import { dirname, resolve } from 'node:path';
import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { OptionError } from '../../base/diagnostics/option-error.js';
import { wholeFile } from '../../base/source/span.js';
import { defined } from '../../base/values/defined.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { authenticatorsOf } from '../auth/auth-config.js';
import { brokerOf } from '../brokers/brokers.js';
import type { ProjectConfig, StoreConfig } from '../config/project-config.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
import type { RunsOptions } from '../runs/runs.js';
import { postgresStore } from '../store/postgres.js';
import { sqliteStore } from '../store/sqlite.js';
import { checkResolvers } from './check-resolvers.js';
import type { GqlServerOptions } from './options.js';

/** The project file, and what it means for a server. */
export interface LoadedConfig {
  /** Its absolute path. */
  readonly path: string;
  /** As written: paths are relative to it. */
  readonly config: ProjectConfig;
  /** Options of a server: sources by absolute paths, and all settings but those of the command line. */
  readonly serverOptions: Omit<GqlServerOptions, 'federation'> & { readonly federation?: false };
}

/** Thrown if the project file has errors. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** @param diagnostics - The errors (GG5040 to GG5043). */
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ code, message, hint }) => [code, message, hint].filter(Boolean).join(' ')).join('\n'));
  }
}

/**
 * Reads the project file: the nearest `gg-svc.config.ts`, `.mjs` or `.json` in the working directory or above it, up to
 * the root of the package or the repository.
 *
 * @param options - `directory`: where the search begins; `path`: the file itself, instead of a search.
 * @returns Undefined if there is none.
 * @throws {ConfigError} If it cannot be read or has mistakes.
 *
 * @example
 * ```ts
 * import { createGqlServer, loadConfig } from 'gg-svc';
 *
 * const project = await loadConfig();
 * if (project === undefined) throw new Error('There is no project file.');
 * const server = createGqlServer({ ...project.serverOptions, limits: { timeout: 5_000 } });
 * ```
 */
export async function loadConfig(
  options: { readonly directory?: string; readonly path?: string } = {},
): Promise<LoadedConfig | undefined> {
  const { placePaths, readConfig } = await import('../config/read-config.js');
  const { value, diagnostics } = await readConfig(options.directory ?? process.cwd(), options.path);
  if (diagnostics.length > 0) throw new ConfigError(diagnostics);
  if (value === undefined) return undefined;
  const { config, path } = value;
  const placed = placePaths(value);
  const { sources = [], imports, collection, federation, server = {} } = placed;
  try {
    const serverOptions = {
      ...serverOptionsOf(placed),
      ...eventsOf(placed),
      ...storeOf(placed, dirname(path)),
      ...authenticationOf(placed, dirname(path)),
      topologies: sources,
      ...defined({
        imports,
        collectionName: collection?.name,
        baseUrl: server.baseUrl,
        federation: federation === false ? federation : undefined,
      }),
    };
    return { path, config, serverOptions };
  } catch (error) {
    throw error instanceof OptionError ? new ConfigError([settingError(error, path)]) : error;
  }
}

/** The finding about a setting of the project file that an option of the server refuses. */
export function settingError({ option, expected }: OptionError, path: string): Diagnostic {
  return diagnose('GG5042', { path, key: `server.${option}`, expected }, wholeFile(path));
}

/**
 * The broker of the events of a server.
 *
 * @throws {OptionError} If the settings do not fit it.
 */
export function eventsOf({ server = {} }: ProjectConfig): Pick<GqlServerOptions, 'events'> {
  return server.events === undefined ? {} : { events: brokerOf(server.events, process.env) };
}

/**
 * The database of the stored nodes of a server, and that of the runs of its durable chains.
 *
 * @param directory - The folder of relative paths.
 * @param migrated - Hears the steps that a file of SQLite took to the tables of the topology; without it, none are taken.
 * @throws {OptionError} If the settings do not fit.
 */
export function storeOf(
  { server = {} }: ProjectConfig,
  directory: string,
  migrated?: (steps: readonly string[]) => void,
): Pick<GqlServerOptions, 'store' | 'runs'> {
  const { store, runs } = server;
  const place = runs && placeOf('runs', runs, directory);
  if (store === undefined) return { ...(place && { runs: place }) };
  const stored = placeOf('store', store, directory);
  return {
    store: 'url' in stored ? postgresStore(stored) : sqliteStore({ ...stored, ...(migrated && { migrated }) }),
    ...(place && { runs: place }),
  };
}

/** The file of SQLite by its absolute path, or the URL of PostgreSQL. */
function placeOf(option: 'store' | 'runs', { file, urlFrom }: StoreConfig, directory: string): RunsOptions {
  if ((file === undefined) === (urlFrom === undefined))
    throw new OptionError(option, 'have either “file” or “urlFrom”');
  if (file !== undefined) return { file: file === ':memory:' ? file : resolve(directory, file) };
  const url = process.env[urlFrom ?? ''];
  if (url === undefined || url === '')
    throw new OptionError(`${option}.urlFrom`, `name an environment variable that is set; ${urlFrom} is not`);
  return { url };
}

/**
 * How callers authenticate.
 *
 * @param directory - What paths are relative to.
 * @throws {OptionError} If the settings cannot be used.
 */
export function authenticationOf({ server = {} }: ProjectConfig, directory: string) {
  const made = authenticatorsOf(server.auth ?? {}, directory, process.env);
  return made.length === 0 ? {} : { authenticate: made };
}

/** The options of a server that the project file sets and the command line has no options for. */
export function serverOptionsOf({ info, scalars = {}, server = {} }: ProjectConfig, given?: Resolvers) {
  const implemented = Object.entries(scalars).flatMap(([name, scalar]) =>
    typeof scalar === 'object' && scalar.implementation !== undefined ? [[name, scalar.implementation]] : [],
  );
  const resolvers = { ...Object.fromEntries(implemented), ...given };
  // Those before the rest are settings of the command line, or made elsewhere.
  const { port, bind, allowedHosts, engine, host, baseUrl, auth, context, events, store, runs, metrics, ...own } =
    server;
  return defined({
    info,
    ...own,
    // Exporters are those of the command line, or of the program.
    metrics: metrics === undefined ? undefined : metrics !== false,
    resolvers: Object.keys(resolvers).length === 0 ? undefined : resolvers,
  });
}

/** The resolvers, or the guards, that a schema has places for: those of a module for another topology than its own. */
export function fittingTo(schema: GqlSchema, resolvers: Resolvers): Resolvers {
  const fits = (some: Resolvers) => checkResolvers(schema, some).length === 0;
  return Object.fromEntries(
    Object.entries(resolvers).map(([type, entry]) => {
      if (fits({ [type]: entry })) return [type, entry];
      const own = Object.entries(entry as object).filter(([name, one]) => fits({ [type]: { [name]: one } }));
      return [type, Object.fromEntries(own)];
    }),
  );
}
