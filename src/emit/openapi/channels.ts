import type { GqlIoBinding, GqlIoOperation, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';

/** A channel to the outside world that serves an operation, as `x-io` of the operation says it. */
export interface OperationChannel {
  /** The id of the node that has the channel. */
  readonly node: string;
  readonly direction: GqlIoBinding['direction'];
  readonly transport: string;
  /** What it does for the operation; `write` for a subscription: it takes the events. */
  readonly access: GqlIoOperation['access'];
}

/** What a document says of the outside world. */
export interface IoExtension {
  /** Every channel with the operations that it serves, subscriptions among them; absent where there is none. */
  'x-io'?: readonly GqlIoBinding[];
}

/** The channels that serve an operation, in the order of the table. */
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
