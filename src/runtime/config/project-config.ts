import type { EventFormat } from '../../compiler/api/cloud-event.js';
import type { ArazzoVersion } from '../../compiler/emit/arazzo/receive-steps.js';
import type { ArtifactFile } from '../../compiler/emit/emitter.js';
import type { OpenApiVersion } from '../../compiler/emit/openapi/extensions.js';
import type { GqlApiInfo } from '../../compiler/schema/gql-schema.js';
import type { AuthConfig } from '../auth/auth-config.js';
import type { EventsConfig } from '../brokers/brokers.js';
import type { LimitOptions } from '../limits/limits.js';
import type { ImportOptions } from '../load/import-reach.js';
import type { LogOptions } from '../logs/logs.js';
import type { TrafficOptions } from './traffic-options.js';

/**
 * The project file: `gg-svc.config.ts`, `gg-svc.config.mjs` or `gg-svc.config.json`. Options of the command line and of
 * programs win over it. Paths are relative to the file.
 */
export interface ProjectConfig {
  /** The topology: paths, globs and URLs. */
  readonly sources?: readonly string[];
  /** The files, folders and URLs that topologies may import beyond the project of the named files. */
  readonly imports?: ImportOptions;
  /** The metadata of the API: title, version, description, contact, license, servers, tags. */
  readonly info?: GqlApiInfo;
  /** The Postman collection; its name is by default the title of the API. */
  readonly collection?: { readonly name?: string };
  /** Whether there are federation queries, or the signed bundle and the trust policy of their records. */
  readonly federation?: boolean | { readonly bundle: string; readonly trust: string };
  /** Custom scalars by name: the TypeScript type, or that and the implementation. */
  readonly scalars?: Readonly<Record<string, string | ScalarConfig>>;
  /** The resolvers module; `false` ignores the one next to the topology. */
  readonly resolvers?: string | false;
  /** The channels module; `false` ignores the one next to the topology. */
  readonly channels?: string | false;
  /** Whether everything without effect is an error. */
  readonly strict?: boolean;
  /** `gg-svc check` fails if there are more warnings. */
  readonly maxWarnings?: number;
  /** The documents that are written, and their files. */
  readonly outputs?: {
    /** The directory of the artifacts, for `build`. */
    readonly directory?: string;
    /** The artifacts that `build` writes. Default: all. */
    readonly files?: readonly (ArtifactFile | 'api.map.json')[];
    /** The version of the OpenAPI document. Default: 3.1. */
    readonly openapi?: OpenApiVersion;
    /** The version of the workflows. Default: 1.0. */
    readonly arazzo?: ArazzoVersion;
    /** The file of the TypeScript types, for `types` and `dev`. */
    readonly types?: string;
    /** Whether values of resolvers must have each nullable field, as a value or null. Default: false. */
    readonly strictNulls?: boolean;
    /** Whether the types have the paths that mutations and events make stale. Default: false. */
    readonly invalidation?: boolean;
  };
  /** The server of `serve` and `dev`. */
  readonly server?: TrafficOptions & {
    /** The port; 0 picks a free one. */
    readonly port?: number;
    /** The address to listen on. */
    readonly bind?: string;
    /** The host names that `dev` answers, beside localhost and addresses; `.example.com` stands for all below it. */
    readonly allowedHosts?: readonly string[];
    /** GraphQL Yoga (`beta`) or Apollo Server (`alpha`). */
    readonly engine?: 'beta' | 'alpha';
    /** The HTTP framework. */
    readonly host?: 'node' | 'express' | 'fastify';
    /** The path of GraphQL. Default: `/graphql`. */
    readonly endpoint?: string;
    /** The public URL of the API, for the collection. */
    readonly baseUrl?: string;
    /** Whether the start page and the documents are served. */
    readonly documents?: boolean;
    /** The format of events over REST. Default: `json`. */
    readonly eventFormat?: EventFormat;
    readonly limits?: LimitOptions;
    /** How callers authenticate. */
    readonly auth?: AuthConfig;
    /** The context module; `false` ignores the one next to the topology. */
    readonly context?: string | false;
    /** The broker that carries and keeps events. */
    readonly events?: EventsConfig;
    /** The database that keeps the rows of stored nodes. */
    readonly store?: StoreConfig;
    /** The database that keeps the runs of durable chains. Default: that of the store. */
    readonly runs?: StoreConfig;
    /** Whether agents can use the API at `/mcp`. Default: on in `dev`, off in `serve`. */
    readonly mcp?: boolean | McpOptions;
    /** OpenTelemetry metrics; `serve` and `dev` give Prometheus an endpoint of its own. */
    readonly metrics?: boolean | MetricsConfig;
    /** Access and error lines as JSON. */
    readonly logs?: boolean | LogConfig;
  };
  /** The callers of `gg-svc token --as` and `gg-svc test`, by their ids. */
  readonly callers?: Readonly<Record<string, CallerConfig>>;
  /** The command `diff`. */
  readonly diff?: {
    /** The waiver file. */
    readonly waivers?: string;
    /** The level of changes that fail. */
    readonly failOn?: 'breaking' | 'dangerous' | 'safe' | 'never';
  };
}

/** A database in the project file: a file of SQLite, or PostgreSQL. */
export interface StoreConfig {
  /** The file of SQLite, relative to the project file; `:memory:` for one that ends with the process. */
  readonly file?: string;
  /** The environment variable that has the URL of PostgreSQL. */
  readonly urlFrom?: string;
}

/** The metrics of `serve` and `dev` in the project file. */
export interface MetricsConfig {
  /** Where Prometheus reads `/metrics`. Default: `localhost:9464`. */
  readonly prometheus?: {
    /** The address. Default: `localhost`. */
    readonly host?: string;
    /** The port. Default: 9464. */
    readonly port?: number;
  };
}

/** The server for agents, over the Model Context Protocol. */
export interface McpOptions {
  /**
   * The tools: one for each family of operations whose ids lead to each other (`chains`), one for each query and
   * mutation (`operations`), or two that find and run any of them (`find`). Default: `chains`.
   */
  readonly tools?: 'chains' | 'operations' | 'find';
}

/** The logs in the project file: a file or a standard stream is the destination. */
export interface LogConfig extends Omit<LogOptions, 'destination' | 'logger'> {
  /** `stdout` (the default), `stderr`, or the path of a file. */
  readonly destination?: string;
}

/** A caller in the project file, for development. */
export interface CallerConfig {
  /** The roles of the caller. */
  readonly roles?: readonly string[];
  /** The scopes of the caller. */
  readonly scopes?: readonly string[];
  /** Further claims of its tokens. */
  readonly claims?: Readonly<Record<string, string | boolean | readonly string[]>>;
}

/** A custom scalar in the project file. */
export interface ScalarConfig {
  /** The TypeScript type in resolvers. */
  readonly type?: string;
  /** The TypeScript type as JSON over REST, if different. */
  readonly restType?: string;
  /** A `GraphQLScalarType`; only in a module. */
  readonly implementation?: object;
}

/**
 * Returns the project file as it is, with its type checked.
 *
 * @example
 * ```ts
 * // gg-svc.config.ts
 * import { defineConfig } from 'gg-svc';
 *
 * export default defineConfig({
 *   sources: ['bookstore.gg'],
 *   info: { title: 'Bookstore', version: '1.0.0' },
 *   outputs: { directory: 'api', types: 'bookstore.types.ts' },
 *   server: { port: 8080 },
 * });
 * ```
 */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  return config;
}
