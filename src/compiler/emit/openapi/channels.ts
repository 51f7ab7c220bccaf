import type { GqlIoBinding, GqlIoOperation, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';

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
