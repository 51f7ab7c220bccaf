/**
 * gg-svc: one `.gg` topology in; a GraphQL schema, an OpenAPI 3.1 document, a Postman collection and a
 * running API out.
 *
 * Importing this module loads the compiler and the server, but neither graphql-js nor an optional package: the first
 * server does that. `gg-svc/compiler` is the compiler alone.
 *
 * @packageDocumentation
 */

export type { MigrationPlan } from './analysis/store/migrations/plan.js';
export type { RowCheck, Step as MigrationStep } from './analysis/store/migrations/table-change.js';
export type { StoreModel } from './analysis/store/model.js';
export type { Severity } from './base/diagnostics/codes/define.js';
export type { DiagnosticCode } from './base/diagnostics/codes.js';
export type { Diagnostic, DiagnosticFix, DiagnosticLabel, Outcome } from './base/diagnostics/diagnostic.js';
export type { LineMap, SourceFile } from './base/source/source-file.js';
export type { Span } from './base/source/span.js';
export { isSvcTracingEnabled, type TraceEnv } from './base/tracing/environment.js';
export type {
  SvcAttributes,
  SvcAttributeValue,
  SvcSpan,
  SvcSpanOptions,
  SvcTracer,
} from './base/tracing/span.js';
export { initSvcTracingFromEnv } from './base/tracing/start-tracing.js';
export { initSvcMetricsFromEnv } from './base/tracing/svc-metrics.js';
export { svcTracer, withSvcSpan } from './base/tracing/svc-tracing.js';
export type { MaybePromise } from './base/values/maybe-promise.js';
export type { Analysis, AnalyzeOptions, SourceInput } from './compiler/analyze.js';
export { generateSchema } from './compiler/analyze.js';
export { type Compilation, type CompileOptions, compile } from './compiler/compile.js';
export type { ArazzoDescription } from './compiler/emit/arazzo/format.js';
export { schemaToWorkflows } from './compiler/emit/arazzo.js';
export { type AsyncApiDocument, type AsyncApiOptions, schemaToAsyncAPI } from './compiler/emit/asyncapi.js';
export type { Collection } from './compiler/emit/collection/format.js';
export { schemaToCollection } from './compiler/emit/collection.js';
export type { ArtifactFile, EmitOptions } from './compiler/emit/emitter.js';
export type { Artifacts } from './compiler/emit/emitters.js';
export { schemaToGraphQL } from './compiler/emit/graphql.js';
export { schemaToOpenAPI } from './compiler/emit/openapi.js';
export { schemaToTypeScript, type TypeScriptOptions } from './compiler/emit/typescript/typescript.js';
export type { JsonValue } from './compiler/graph/json-value.js';
export type { GqlSchema } from './compiler/schema/gql-schema.js';
export type { SchemaFragment } from './compiler/schema/merge-schemas.js';
export type { GraphAST } from './compiler/syntax/ast.js';
export type { FederationProjectionLayer } from './federation/layer.js';
export { buildFederationProjectionLayer } from './federation/node/build-layer.js';
export type { FederationProjectionSource } from './federation/source.js';
export { type ApiKey, type ApiKeysOptions, apiKeys } from './runtime/auth/api-keys.js';
export type { AuthConfig, JwtConfig } from './runtime/auth/auth-config.js';
export { AuthenticationError, AuthenticationUnavailableError } from './runtime/auth/authentication-error.js';
export { type BearerJwtOptions, bearerJwt } from './runtime/auth/bearer-jwt.js';
export type { Caller, RequestContext } from './runtime/auth/caller.js';
export type { AuthenticateOption, Authenticator } from './runtime/auth/guard.js';
export type { OwnerOptions } from './runtime/auth/owner.js';
export type { Authenticate, Credentials, Principal } from './runtime/auth/principal.js';
export type {
  BrokerEvent,
  BrokerListener,
  BrokerLog,
  BrokerState,
  DeliveredEvent,
  EventBroker,
  EventPosition,
  LogPage,
  SharedLog,
  SharedStatement,
} from './runtime/brokers/broker.js';
export type { BrokerName, EventsConfig } from './runtime/brokers/brokers.js';
export type { EventSinks, EventTargetLike } from './runtime/brokers/event-hub.js';
export { type MemoryEvents, type MemoryEventsOptions, memoryEvents } from './runtime/brokers/memory.js';
export { type NatsEventsOptions, natsEvents } from './runtime/brokers/nats.js';
export { type PostgresEventsOptions, postgresEvents } from './runtime/brokers/postgres.js';
export { type RedisEventsOptions, redisEvents } from './runtime/brokers/redis.js';
export type { RedisClient } from './runtime/brokers/redis-scripts.js';
export { type RedisStreamEventsOptions, redisStreamEvents } from './runtime/brokers/redis-streams.js';
export type { StepResult } from './runtime/call/chains/named-chains.js';
export {
  type CallerConfig,
  defineConfig,
  type LogConfig,
  type McpOptions,
  type MetricsConfig,
  type ProjectConfig,
  type ScalarConfig,
  type StoreConfig,
} from './runtime/config/project-config.js';
export type {
  CorsOptions,
  IdempotencyOptions,
  RateClient,
  RateLimit,
  TrafficOptions,
  TrafficStore,
} from './runtime/config/traffic-options.js';
export { signalOf } from './runtime/execute/resolvers/abort-signal.js';
export type {
  BatchResolver,
  FieldValue,
  OperationRequest,
  Resolver,
  Resolvers,
  SubscriptionResolver,
  TypeResolvers,
} from './runtime/execute/resolvers/contract.js';
export type { EnginePlugins, YogaPlugin } from './runtime/hooks/engine-plugins.js';
export type {
  GuardedOperation,
  OperationGuard,
  OperationGuards,
  ResolverGuard,
} from './runtime/hooks/operation-guards.js';
export type {
  HookEvent,
  HookOperation,
  HookRequest,
  HookResult,
  ServerHooks,
} from './runtime/hooks/server-hooks.js';
export {
  type AlphaFrameworkOptions,
  type AlphaServer,
  createAlphaServer,
  createAlphaServerAdapter,
} from './runtime/hosts/alpha/alpha-server.js';
export {
  createBetaHttpServer,
  createBetaNodeRequestListener,
  createBetaServerAdapter,
} from './runtime/hosts/beta.js';
export { type AlphaExpressOptions, createAlphaExpressMiddleware } from './runtime/hosts/express.js';
export { type AlphaFastifyOptions, createAlphaFastifyPlugin } from './runtime/hosts/fastify.js';
export { type Drainable, type DrainOptions, drainHttpServer } from './runtime/hosts/node/drain.js';
export {
  type AttachedSubscriptions,
  attachSubscriptions,
} from './runtime/hosts/websocket/attach-subscriptions.js';
export type { LimitOptions } from './runtime/limits/limits.js';
export type { ImportOptions } from './runtime/load/import-reach.js';
export type { TopologyInput } from './runtime/load/load-topologies.js';
export { TopologyError } from './runtime/load/topology-error.js';
export type { LineLogger, LogOptions, LogStream } from './runtime/logs/logs.js';
export type { FaultPlace } from './runtime/logs/monitor.js';
export type { Run, RunsOptions } from './runtime/runs/runs.js';
export {
  buildRuntimeIoProjectionLayer,
  type RuntimeIoProjectionLayer,
  type RuntimeIoProjectionSource,
} from './runtime/server/channels/runtime-io-layer.js';
export type {
  FetchCompatibleGraphQLServer,
  GqlServer,
  SubscriptionName,
  SubscriptionPayload,
} from './runtime/server/gql-server.js';
export { ConfigError, type LoadedConfig, loadConfig } from './runtime/server/load-config.js';
export type { TelemetryOptions as WatchOptions } from './runtime/server/open-telemetry.js';
export type { GqlServerOptions, ProjectionLayer } from './runtime/server/options.js';
export type { ChainInputs, ChainOptions, ChainResult } from './runtime/server/run-for-program.js';
export { createGqlServer } from './runtime/server/service.js';
export { type PostgresStoreOptions, postgresStore } from './runtime/store/postgres.js';
export { type SqliteStoreOptions, sqliteStore } from './runtime/store/sqlite.js';
export type { MigrateOptions, Migration, Store, StoreRows } from './runtime/store/store.js';
export { StoreError } from './runtime/store/store-error.js';
export type { FileHead, GgFile } from './runtime/uploads/uploaded-file.js';
