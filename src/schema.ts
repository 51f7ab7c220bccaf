/**
 * `gg-svc/schema`: the parts of a `GqlSchema` and of the documents that are made from it, and the map from these
 * documents back to the topology.
 *
 * @module schema
 */

export {
  type ApiMap,
  type MappedDocuments,
  type Places,
  schemaToApiMap,
} from './analysis/provenance/api-map.js';
export type {
  ArazzoDescription,
  ArazzoEvent,
  ArazzoParameter,
  ArazzoStep,
  ArazzoWorkflow,
  InputSchema,
} from './compiler/emit/arazzo/format.js';
export type {
  CollectionAuth,
  CollectionAuthPart,
  CollectionEvent,
  CollectionFolder,
  CollectionHeader,
  CollectionItem,
  CollectionQueryPair,
  CollectionRequest,
  CollectionResponse,
  CollectionUrl,
  CollectionVariable,
  FormBody,
  FormBodyPart,
  GraphQLBody,
  JsonBody,
} from './compiler/emit/collection/format.js';
export type {
  IoExtension,
  OperationChannel,
  OriginExtension,
  TopologyEdge,
  TopologyExtension,
} from './compiler/emit/openapi/extensions.js';
export type { ListTypeRef, NamedTypeRef, NonNullTypeRef, TypeRef } from './compiler/graph/type-ref.js';
export type { Constraints, ValueNotes } from './compiler/graph/value-notes.js';
export type {
  GqlAccess,
  GqlApiInfo,
  GqlArgument,
  GqlEdgeOrigin,
  GqlEnumType,
  GqlEnumValueNotes,
  GqlField,
  GqlInputType,
  GqlInterfaceType,
  GqlInternal,
  GqlIoBinding,
  GqlIoOperation,
  GqlNodeOrigin,
  GqlObjectType,
  GqlOldName,
  GqlOperation,
  GqlPage,
  GqlProblemType,
  GqlRacePolicy,
  GqlRenamed,
  GqlRoute,
  GqlScalarType,
  GqlSecurityScheme,
  GqlUnionType,
  GqlVent,
  GqlWrites,
  OperationKind,
} from './compiler/schema/gql-schema.js';
