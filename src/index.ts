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
export { signalOf } from './execute/abort-signal.js';
export type {
  EventSinks,
  EventTargetLike,
  FieldValue,
  OperationRequest,
  Resolver,
  Resolvers,
  SubscriptionResolver,
  TypeResolvers,
} from './execute/contract.js';
export type { LimitOptions } from './execute/limits/limits.js';
export type { FederationRole } from './federation/bundle.js';
export type { FederationProjectionLayer, FederationQueries } from './federation/layer.js';
export { buildFederationProjectionLayer } from './federation/node/build-layer.js';
export {
  type FederationBundleOptions,
  type FederationBundleSource,
  openFederationBundle,
} from './federation/node/bundle-source.js';
export { FederationError } from './federation/node/federation-error.js';
export {
  type FederationVerification,
  type VerifyOptions,
  verifyFederationBundle,
} from './federation/node/verify-bundle.js';
export {
  buildPathProof,
  type PathProofVerification,
  verifyPathProof,
} from './federation/node/verify-path-proof.js';
export type {
  FederationChain,
  FederationIngressEndpoint,
  FederationLookup,
  FederationPathProof,
  FederationRoute,
  FederationRouteHop,
  FederationSnapshot,
  FederationWitnessHead,
} from './federation/records.js';
export type {
  FederationAnswer,
  FederationProjectionSource,
  FederationSourceStatus,
} from './federation/source.js';
export type { FederationTrustPolicy, RoleTrust } from './federation/trust-policy.js';
export { formatTopology } from './format/format-topology.js';
export { generateSchema } from './generate-schema.js';
export type { JsonValue } from './graph/json-value.js';
export type { ListTypeRef, NamedTypeRef, NonNullTypeRef, TypeRef } from './graph/type-ref.js';
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
export type { TopologyInput } from './load/load-topologies.js';
export { TopologyError } from './load/topology-error.js';
export { type ApiMap, type MappedDocuments, type Places, schemaToApiMap } from './provenance/api-map.js';
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
export type { ChannelCall, ChannelDirection, RuntimeIoChannel } from './server/channels/binding/channel.js';
export { ChannelError, type ChannelFault } from './server/channels/channel-error.js';
export { type ChildProcessOptions, createChildProcessChannel } from './server/channels/child-process.js';
export { createHttpJsonChannel, type HttpJsonOptions } from './server/channels/http-json.js';
export { createJsonFileChannel, type JsonFileOptions } from './server/channels/json-file.js';
export { createJsonLinesChannel, type JsonLinesOptions } from './server/channels/json-lines.js';
export { createStreamChannel, type StreamOptions } from './server/channels/node-streams.js';
export {
  buildRuntimeIoProjectionLayer,
  type RuntimeIoProjectionLayer,
  type RuntimeIoProjectionSource,
} from './server/channels/runtime-io-layer.js';
export { createTimerChannel, type Tick, type TimerOptions } from './server/channels/timer.js';
export type {
  FetchCompatibleGraphQLServer,
  GqlServer,
  GqlServerOptions,
  ProjectionLayer,
  SubscriptionName,
  SubscriptionPayload,
} from './server/options.js';
export { createGqlServer } from './server/service.js';
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
