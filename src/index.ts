/**
 * gg-svc: one `.gg` topology in; a GraphQL schema, an OpenAPI 3.1 document, a Postman collection and a
 * running API out.
 *
 * Importing this module loads the compiler alone: neither graphql-js nor any server package.
 *
 * @packageDocumentation
 */

export type { Analysis, AnalyzeOptions, SourceInput } from './analyze.js';
export { type Compilation, type CompileOptions, compile } from './compile.js';
export type { DiagnosticCode } from './diagnostics/codes.js';
export type { Severity } from './diagnostics/define.js';
export type { Diagnostic, DiagnosticFix, DiagnosticLabel } from './diagnostics/diagnostic.js';
export type { Outcome } from './diagnostics/outcome.js';
export type { ChangePlace, ChangeReach, SchemaChange } from './diff/change.js';
export type { ChangeKind } from './diff/change-kinds.js';
export type { ChangeLevel } from './diff/change-level.js';
export { diffSchemas } from './diff/diff-schemas.js';
export type {
  Collection,
  CollectionEvent,
  CollectionFolder,
  CollectionHeader,
  CollectionItem,
  CollectionQueryPair,
  CollectionRequest,
  CollectionResponse,
  CollectionUrl,
  CollectionVariable,
  GraphQLBody,
  JsonBody,
} from './emit/collection/format.js';
export { schemaToCollection } from './emit/collection.js';
export type { EmitOptions } from './emit/emitter.js';
export type { ArtifactFile, Artifacts } from './emit/emitters.js';
export { schemaToGraphQL } from './emit/graphql.js';
export type { IoExtension, OperationChannel } from './emit/openapi/channels.js';
export type { TopologyEdge, TopologyExtension } from './emit/openapi/operations.js';
export { schemaToOpenAPI } from './emit/openapi.js';
export { schemaToTypeScript, type TypeScriptOptions } from './emit/typescript.js';
export { formatTopology } from './format/format-topology.js';
export { generateSchema } from './generate-schema.js';
export type { JsonValue } from './graph/json-value.js';
export type { ListTypeRef, NamedTypeRef, NonNullTypeRef, TypeRef } from './graph/type-ref.js';
export type { FederationRole } from './projection/federation/bundle.js';
export type { FederationProjectionLayer, FederationQueries } from './projection/federation/layer.js';
export type {
  FederationChain,
  FederationIngressEndpoint,
  FederationLookup,
  FederationPathProof,
  FederationRoute,
  FederationRouteHop,
  FederationSnapshot,
  FederationWitnessHead,
} from './projection/federation/records.js';
export type {
  FederationAnswer,
  FederationProjectionSource,
  FederationSourceStatus,
} from './projection/federation/source.js';
export type { FederationTrustPolicy, RoleTrust } from './projection/federation/trust-policy.js';
export type { ChannelCall, ChannelDirection, RuntimeIoChannel } from './projection/runtime-io/channel.js';
export { type ApiMap, type MappedDocuments, type Places, schemaToApiMap } from './provenance/api-map.js';
export { signalOf } from './runtime/abort-signal.js';
export {
  createBetaHttpServer,
  createBetaNodeRequestListener,
  createBetaServerAdapter,
} from './runtime/adapters/beta.js';
export { type AlphaExpressOptions, createAlphaExpressMiddleware } from './runtime/adapters/express.js';
export { type AlphaFastifyOptions, createAlphaFastifyPlugin } from './runtime/adapters/fastify.js';
export { ChannelError, type ChannelFault } from './runtime/channels/channel-error.js';
export { type ChildProcessOptions, createChildProcessChannel } from './runtime/channels/child-process.js';
export { createHttpJsonChannel, type HttpJsonOptions } from './runtime/channels/http-json.js';
export { createJsonFileChannel, type JsonFileOptions } from './runtime/channels/json-file.js';
export { createJsonLinesChannel, type JsonLinesOptions } from './runtime/channels/json-lines.js';
export { createStreamChannel, type StreamOptions } from './runtime/channels/node-streams.js';
export {
  buildRuntimeIoProjectionLayer,
  type RuntimeIoProjectionLayer,
  type RuntimeIoProjectionSource,
} from './runtime/channels/runtime-io-layer.js';
export { createTimerChannel, type Tick, type TimerOptions } from './runtime/channels/timer.js';
export { type Drainable, type DrainOptions, drainHttpServer } from './runtime/drain.js';
export {
  type AlphaFrameworkOptions,
  type AlphaServer,
  createAlphaServer,
  createAlphaServerAdapter,
} from './runtime/engines/alpha-server.js';
export { buildFederationProjectionLayer } from './runtime/federation/build-layer.js';
export {
  type FederationBundleOptions,
  type FederationBundleSource,
  openFederationBundle,
} from './runtime/federation/bundle-source.js';
export { FederationError } from './runtime/federation/federation-error.js';
export {
  buildPathProof,
  type PathProofVerification,
  verifyPathProof,
} from './runtime/federation/path-proof.js';
export {
  type FederationVerification,
  type VerifyOptions,
  verifyFederationBundle,
} from './runtime/federation/verify.js';
export type { LimitOptions } from './runtime/limits/limits.js';
export { type AttachedSubscriptions, attachSubscriptions } from './runtime/live/attach-subscriptions.js';
export type { TopologyInput } from './runtime/load-topologies.js';
export type {
  EventSinks,
  EventTargetLike,
  FetchCompatibleGraphQLServer,
  FieldValue,
  GqlServer,
  GqlServerOptions,
  OperationRequest,
  ProjectionLayer,
  Resolver,
  Resolvers,
  SubscriptionName,
  SubscriptionPayload,
  SubscriptionResolver,
  TypeResolvers,
} from './runtime/options.js';
export { createGqlServer } from './runtime/service.js';
export { TopologyError } from './runtime/topology-error.js';
export type {
  GqlArgument,
  GqlEdgeOrigin,
  GqlEnumType,
  GqlField,
  GqlInputType,
  GqlIoBinding,
  GqlIoOperation,
  GqlNodeOrigin,
  GqlObjectType,
  GqlOperation,
  GqlScalarType,
  GqlSchema,
  GqlUnionType,
  OperationKind,
} from './schema/gql-schema.js';
export type { SchemaFragment } from './schema/merge-schemas.js';
export type { LineMap, SourceFile } from './source/source-file.js';
export type { Span } from './source/span.js';
export type {
  BooleanValue,
  CallChain,
  Comment,
  Document,
  ExportDeclaration,
  GraphAST,
  Hop,
  ImportDeclaration,
  ListValue,
  Located,
  Name,
  NodeGroup,
  NodeTerm,
  NullValue,
  NumberValue,
  Pipeline,
  Property,
  Statement,
  StringValue,
  Value,
  WordValue,
} from './syntax/ast.js';
export { isSvcTracingEnabled, type TraceEnvironment } from './tracing/environment.js';
export type { SvcAttributes, SvcAttributeValue, SvcSpan, SvcSpanOptions, SvcTracer } from './tracing/span.js';
export { initSvcTracingFromEnv, svcTracer, withSvcSpan } from './tracing/svc-tracing.js';
