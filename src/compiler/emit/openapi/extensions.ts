import type { OpenAPIV3_1 } from 'openapi-types';
import type { GqlAccess } from '../../schema/gql-schema.js';
import type { OperationChannel } from './channels.js';

/** One edge that an operation comes from, as an item of `x-topology`. */
export interface TopologyEdge {
  readonly edge: string;
  /** The ids of the source nodes. */
  readonly from: readonly string[];
  /** The id of the target node. */
  readonly to: string;
  /** The line of the edge in its file, from 1; absent if the file is unknown. */
  readonly line?: number;
}

/** The extensions that name the origins of an operation. */
export interface OriginExtension {
  /** The edges of the topology that the operation comes from; absent for an operation of a layer. */
  'x-topology'?: readonly TopologyEdge[];
  /** Who may call the operation, if that is more than the security requirements say; absent if it is not. */
  'x-access'?: GqlAccess;
  /** The channels that serve the operation; absent if there is none. */
  'x-io'?: readonly OperationChannel[];
}

/** The extensions of an operation. */
export interface TopologyExtension extends OriginExtension {
  /** The subscription that shares the path of the query, as it would be at a path of its own, without its content. */
  'x-stream'?: Partial<OpenAPIV3_1.OperationObject<OriginExtension>>;
  /** The security requirements of the query alone, if those of the subscription are others. */
  'x-security'?: OpenAPIV3_1.SecurityRequirementObject[];
}

/** An operation of a document. */
export type Operation = OpenAPIV3_1.OperationObject<TopologyExtension>;
