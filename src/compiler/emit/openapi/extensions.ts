import type { OpenAPIV3_1 } from 'openapi-types';
import type { GqlAccess, GqlIoBinding, GqlIoOperation, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';

/** The versions of the OpenAPI Specification that documents are written in. */
export const openApiVersions = ['3.1', '3.2'] as const;

export type OpenApiVersion = (typeof openApiVersions)[number];

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
  /** The demands on callers beyond the security requirements; absent without any. */
  'x-access'?: GqlAccess;
  /** The name of the operation; absent if its operation id is the name. */
  'x-operation'?: string;
  /** The channels that serve the operation; absent if there is none. */
  'x-io'?: readonly OperationChannel[];
  /** The operation id of the goal, for the request that runs a chain; absent otherwise. */
  'x-chain'?: string;
  /** Whether the request reads or cancels a run of a durable chain; absent otherwise. */
  'x-run'?: true;
  /** The fields that the operation returns by default; absent for all. */
  'x-fields'?: readonly string[];
  /** The mutation that undoes it in a run of a durable chain; absent without one. */
  'x-undo'?: string;
  /** How often a run tries it again after a failure of the server; absent for the default. */
  'x-retries'?: number;
  /** The event for which a run waits before it; absent without one. */
  'x-awaits'?: string;
  /** The time in which its event must come and its attempts end; absent without a limit. */
  'x-within'?: string;
  /** How long a run pauses before it; absent without a pause. */
  'x-pause'?: string;
  /** The field that tells what an event is about, as in AsyncAPI documents; absent for the default. */
  'x-partition'?: string;
}

export interface TopologyExtension extends OriginExtension {
  /** The subscription that shares the path of the query, as it would be at a path of its own, without its content. */
  'x-stream'?: Partial<OpenAPIV3_1.OperationObject<OriginExtension>>;
  /** The security requirements of the query alone, if those of the subscription are others. */
  'x-security'?: OpenAPIV3_1.SecurityRequirementObject[];
}

export type Operation = OpenAPIV3_1.OperationObject<TopologyExtension>;

/** A channel that serves an operation, as an item of its `x-io`. */
export interface OperationChannel {
  /** The id of the node that the channel is bound to. */
  readonly node: string;
  readonly direction: GqlIoBinding['direction'];
  readonly transport: string;
  /** The access of the operation to the channel. With `write`, a subscription publishes its events to the channel. */
  readonly access: GqlIoOperation['access'];
}

/** The extension of the document that lists channels. */
export interface IoExtension {
  /** Every channel with the operations that it serves, subscriptions included; absent if there is none. */
  'x-io'?: readonly GqlIoBinding[];
}

/** The channels that serve an operation, in the order of the schema's list. */
export function channelsOf(
  { io = [] }: GqlSchema,
  { kind, name }: Pick<GqlOperation, 'kind' | 'name'>,
): readonly OperationChannel[] {
  return io.flatMap(({ node, direction, transport, operations }) =>
    operations
      .filter((operation) => operation.kind === kind && operation.name === name)
      .map(({ access }) => ({ node, direction, transport, access })),
  );
}
