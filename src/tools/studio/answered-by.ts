import { operationCoordinate, rootTypeOf } from '../../compiler/api/operation-coordinate.js';
import { findLeftOut } from '../../compiler/emit/typescript/left-out.js';
import { ifGiven } from '../../compiler/graph/maps.js';
import { fedSubscriptions } from '../../compiler/schema/fed-subscriptions.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { Resolvers } from '../../runtime/execute/resolvers/contract.js';

export interface AnsweringModules {
  readonly resolvers?: { readonly path: string; readonly given: Resolvers };
}

/** Finds the source of the answers of each operation, in the order in which a server looks; by schema coordinate. */
export function findAnswers(schema: GqlSchema, { resolvers }: AnsweringModules) {
  const channels = channelsOf(schema);
  const feeds = new Map(
    fedSubscriptions(schema).map(({ subscription, mutations }) => [
      subscription.name,
      `the events of ${mutations.map(({ mutation }) => mutation.name).join(', ')}`,
    ]),
  );
  const leftOut = findLeftOut(schema);

  const answerTo = (operation: GqlOperation): string | undefined => {
    const { kind, name, edges } = operation;
    if (resolvers !== undefined && isGiven(resolvers.given, operation)) return `the resolver in ${resolvers.path}`;
    const channel = channels.get(operationCoordinate(operation));
    if (channel !== undefined) return channel;
    if (kind === 'subscription') return feeds.get(name) ?? 'the events that the program publishes';
    if (edges.length === 0) return 'a layer of the server';
    return leftOut.operation(operation) ? 'the constants and races of the topology' : undefined;
  };

  return Object.fromEntries(
    allOperations(schema).flatMap((operation) =>
      ifGiven(answerTo(operation), (answer) => [operationCoordinate(operation), answer]),
    ),
  );
}

function isGiven(resolvers: Resolvers, { kind, name }: GqlOperation): boolean {
  const root = rootTypeOf(kind);
  const fields: object = (Object.hasOwn(resolvers, root) ? resolvers[root] : undefined) ?? {};
  return Object.hasOwn(fields, name) && (fields as Record<string, unknown>)[name] !== undefined;
}

/** The channels by the operations that they answer. With `write`, a subscription only publishes. */
function channelsOf({ io = [] }: GqlSchema): ReadonlyMap<string, string> {
  return new Map(
    io.flatMap(({ node, transport, operations }) =>
      operations
        .filter(({ kind, access }) => kind !== 'subscription' || access === 'subscribe')
        .map((operation) => [operationCoordinate(operation), `the channel ${transport} of ${node}`]),
    ),
  );
}
