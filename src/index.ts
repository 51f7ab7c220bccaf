/**
 * gg-svc: one `.gg` topology in; a GraphQL schema, an OpenAPI 3.1 document, a Postman collection and a
 * running API out.
 *
 * Importing this module loads the compiler alone: neither graphql-js nor any server package.
 *
 * @packageDocumentation
 */

export type { Analysis, AnalyzeOptions, SourceInput } from './analyze.js';
export { type ApiKey, type ApiKeysOptions, apiKeys } from './auth/api-keys.js';
export type { AuthConfig } from './auth/auth-config.js';
export { AuthenticationError, AuthenticationUnavailableError } from './auth/authentication-error.js';
export { type BearerJwtOptions, bearerJwt } from './auth/bearer-jwt.js';
export type { Caller, RequestContext } from './auth/caller.js';
export type { AuthenticateOption, Authenticator } from './auth/guard.js';
export type { OwnerOptions } from './auth/owner.js';
export type { Authenticate, Credentials, Principal } from './auth/principal.js';
export type {
  BrokerEvent,
  BrokerListener,
  BrokerLog,
  BrokerState,
  DeliveredEvent,
  EventBroker,
  EventPosition,
  LogPage,
} from './brokers/broker.js';
export type { BrokerName, EventsConfig } from './brokers/brokers.js';
export type { EventSinks, EventTargetLike } from './brokers/event-hub.js';
export { type MemoryEvents, type MemoryEventsOptions, memoryEvents } from './brokers/memory.js';
export { type NatsEventsOptions, natsEvents } from './brokers/nats.js';
export { type PostgresEventsOptions, postgresEvents } from './brokers/postgres.js';
export { type RedisEventsOptions, redisEvents } from './brokers/redis.js';
export type { RedisClient } from './brokers/redis-scripts.js';
export { type RedisStreamEventsOptions, redisStreamEvents } from './brokers/redis-streams.js';
export { type Compilation, type CompileOptions, compile } from './compile.js';
export type { McpOptions } from './config/mcp-options.js';
export {
  defineConfig,
  type LogConfig,
  type MetricsConfig,
  type ProjectConfig,
  type ScalarConfig,
} from './config/project-config.js';
export type {
  CorsOptions,
  IdempotencyOptions,
  RateClient,
  RateLimit,
  TrafficOptions,
  TrafficStore,
} from './config/traffic-options.js';
export type { Severity } from './diagnostics/codes/define.js';
export type { DiagnosticCode } from './diagnostics/codes.js';
export type { Diagnostic, DiagnosticFix, DiagnosticLabel } from './diagnostics/diagnostic.js';
export type { Outcome } from './diagnostics/outcome.js';
export type { Collection } from './emit/collection/format.js';
export { schemaToCollection } from './emit/collection.js';
export type { EmitOptions } from './emit/emitter.js';
export type { ArtifactFile, Artifacts } from './emit/emitters.js';
export { schemaToGraphQL } from './emit/graphql.js';
export { schemaToOpenAPI } from './emit/openapi.js';
export { schemaToTypeScript, type TypeScriptOptions } from './emit/typescript/typescript.js';
export { signalOf } from './execute/resolvers/abort-signal.js';
export type {
  BatchResolver,
  FieldValue,
  OperationRequest,
  Resolver,
  Resolvers,
  SubscriptionResolver,
  TypeResolvers,
} from './execute/resolvers/contract.js';
export type { FederationProjectionLayer } from './federation/layer.js';
export { buildFederationProjectionLayer } from './federation/node/build-layer.js';
export type { FederationProjectionSource } from './federation/source.js';
export { generateSchema } from './generate-schema.js';
export type { JsonValue } from './graph/json-value.js';
export type { EnginePlugins } from './hooks/engine-plugins.js';
export type {
  GuardedOperation,
  OperationGuard,
  OperationGuards,
  ResolverGuard,
} from './hooks/operation-guards.js';
export type { HookEvent, HookOperation, HookRequest, HookResult, ServerHooks } from './hooks/server-hooks.js';
export {
  type AlphaFrameworkOptions,
  type AlphaServer,
  createAlphaServer,
  createAlphaServerAdapter,
} from './hosts/alpha/alpha-server.js';
export {
  createBetaHttpServer,
  createBetaNodeRequestListener,
  createBetaServerAdapter,
} from './hosts/beta.js';
export { type AlphaExpressOptions, createAlphaExpressMiddleware } from './hosts/express.js';
export { type AlphaFastifyOptions, createAlphaFastifyPlugin } from './hosts/fastify.js';
export { type Drainable, type DrainOptions, drainHttpServer } from './hosts/node/drain.js';
export { type AttachedSubscriptions, attachSubscriptions } from './hosts/websocket/attach-subscriptions.js';
export type { LimitOptions } from './limits/limits.js';
export type { ImportOptions } from './load/import-reach.js';
export type { TopologyInput } from './load/load-topologies.js';
export { TopologyError } from './load/topology-error.js';
export type { LineLogger, LogOptions, LogStream } from './logs/logs.js';
export type { FaultPlace } from './logs/watch.js';
export type { GqlSchema } from './schema/gql-schema.js';
export type { SchemaFragment } from './schema/merge-schemas.js';
export {
  buildRuntimeIoProjectionLayer,
  type RuntimeIoProjectionLayer,
  type RuntimeIoProjectionSource,
} from './server/channels/runtime-io-layer.js';
export type {
  FetchCompatibleGraphQLServer,
  GqlServer,
  SubscriptionName,
  SubscriptionPayload,
} from './server/gql-server.js';
export { ConfigError, type LoadedConfig, loadConfig } from './server/load-config.js';
export type { GqlServerOptions, ProjectionLayer } from './server/options.js';
export { createGqlServer } from './server/service.js';
export type { WatchOptions } from './server/watching.js';
export type { LineMap, SourceFile } from './source/source-file.js';
export type { Span } from './source/span.js';
export type { GraphAST } from './syntax/ast.js';
export { isSvcTracingEnabled, type TraceEnv } from './tracing/environment.js';
export type { SvcAttributes, SvcAttributeValue, SvcSpan, SvcSpanOptions, SvcTracer } from './tracing/span.js';
export { initSvcMetricsFromEnv } from './tracing/svc-metrics.js';
export { initSvcTracingFromEnv, svcTracer, withSvcSpan } from './tracing/svc-tracing.js';
export type { MaybePromise } from './values/maybe-promise.js';
