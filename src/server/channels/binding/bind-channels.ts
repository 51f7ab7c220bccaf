import { type Diagnostic, diagnose } from '../../../diagnostics/diagnostic.js';
import type { GraphIR, GraphNode } from '../../../graph/graph-ir.js';
import { createSuggester } from '../../../graph/suggest.js';
import type { GqlIoBinding, GqlOperation, GqlSchema } from '../../../schema/gql-schema.js';
import type { ChannelAccess, RuntimeIoChannel } from './channel.js';
import { accessOf, channelsPlace, checkChannel } from './check-channel.js';

/** What one channel does for one operation. */
export interface ChannelRoute {
  readonly channel: RuntimeIoChannel;
  readonly node: GraphNode;
  readonly operation: GqlOperation;
  readonly access: ChannelAccess;
}

/** What became of binding channels to a topology. */
export interface BoundChannels {
  /** The table, one row for each channel, in the order of the channels. */
  readonly bindings: readonly GqlIoBinding[];
  readonly routes: readonly ChannelRoute[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Binds channels to the operations of a topology.
 *
 * A channel serves the operations that end in its node: `read` the queries, `subscribe` the subscriptions,
 * `write` the mutations. At a root, into which no edge leads, it serves the queries and subscriptions that
 * begin there, unless the node that they lead to has a channel of its own. A `write` at a node where no mutation
 * ends takes the events of the FORK edges that lead there.
 *
 * What does not fit is told: GG5006 to GG5010, and a channel with a mistake serves nothing.
 */
export function bindChannels(
  ir: GraphIR,
  schema: GqlSchema,
  channels: readonly RuntimeIoChannel[],
): BoundChannels {
  const diagnostics: Diagnostic[] = [];
  const placed = placeChannels(ir, channels, diagnostics);
  const bound = placed.map((place) => ({ ...place, found: findOperations(ir, schema, place.channel) }));
  const atTarget = new Set(
    bound.flatMap(({ found }) => found.filter(({ isTarget }) => isTarget).map(routeKey)),
  );
  const routes: ChannelRoute[] = [];
  const bindings = bound.map(({ channel, node, found }): GqlIoBinding => {
    // The node that an edge leads to is nearer to its operation than the root that it comes from.
    const served = found.filter((one) => one.isTarget || !atTarget.has(routeKey(one)));
    const missing = missingOperations(channel, served);
    if (missing !== undefined) {
      const { direction } = channel;
      diagnostics.push(diagnose('GG5007', { node: node.id, direction, missing }, node.span));
    }
    routes.push(...served.map(({ operation, access }) => ({ channel, node, operation, access })));
    return {
      node: node.id,
      direction: channel.direction,
      transport: channel.transport,
      operations: served.map(({ operation: { kind, name }, access }) => ({ kind, name, access })),
    };
  });
  reportRivals(routes, diagnostics);
  return { bindings, routes, diagnostics };
}

/** A channel with the node that it belongs to. */
interface PlacedChannel {
  readonly channel: RuntimeIoChannel;
  readonly node: GraphNode;
}

/** An operation that a channel could serve. */
interface FoundOperation {
  readonly operation: GqlOperation;
  readonly access: ChannelAccess;
  /** Whether the operation ends in the node, rather than beginning there. */
  readonly isTarget: boolean;
}

/** Keeps the channels that are sound, at nodes that are there, one for each way. */
function placeChannels(
  ir: GraphIR,
  channels: readonly RuntimeIoChannel[],
  diagnostics: Diagnostic[],
): readonly PlacedChannel[] {
  const taken = new Set<string>();
  return channels.flatMap((channel) => {
    const problem = checkChannel(channel);
    if (problem !== undefined) {
      diagnostics.push(problem);
      return [];
    }
    const node = ir.nodes.get(channel.node);
    if (node === undefined) {
      const suggestion = createSuggester(ir.nodes.keys()).nearest(channel.node);
      diagnostics.push(diagnose('GG5006', { node: channel.node, suggestion }, channelsPlace));
      return [];
    }
    const ways = channel.direction === 'inout' ? ['in', 'out'] : [channel.direction];
    const twice = ways.find((way) => taken.has(`${way} ${node.id}`));
    if (twice !== undefined) {
      const way = twice === 'in' ? 'come in' : 'go out';
      diagnostics.push(diagnose('GG5008', { node: node.id, way }, node.span));
      return [];
    }
    for (const way of ways) taken.add(`${way} ${node.id}`);
    return [{ channel, node }];
  });
}

function findOperations(
  { edges }: GraphIR,
  { queries, mutations, subscriptions }: GqlSchema,
  channel: RuntimeIoChannel,
): readonly FoundOperation[] {
  const id = channel.node;
  const isRoot = !edges.some(({ targets }) => targets.some((target) => target.id === id));
  const find = (access: ChannelAccess, operations: readonly GqlOperation[]): FoundOperation[] => {
    if (channel[access] === undefined) return [];
    const ending = operations.filter(endsIn(id));
    if (ending.length > 0) return ending.map((operation) => ({ operation, access, isTarget: true }));
    if (!isRoot || access === 'write') return [];
    const begins = ({ edges: own }: GqlOperation) => own.some(({ from }) => from.includes(id));
    return operations.filter(begins).map((operation) => ({ operation, access, isTarget: false }));
  };
  const folded = find('write', mutations);
  return [
    ...find('read', queries),
    ...folded,
    // Where a mutation ends, what its FORK edges carry on has been written by then.
    ...(folded.length > 0 ? [] : find('write', subscriptions)),
    ...find('subscribe', subscriptions),
  ];
}

function endsIn(id: string): (operation: GqlOperation) => boolean {
  return ({ edges }) => edges.some(({ to }) => to === id);
}

/** What a channel was given for and finds nothing of; undefined when each of its ways has an operation. */
function missingOperations(channel: RuntimeIoChannel, served: readonly FoundOperation[]): string | undefined {
  const lacks = (accesses: readonly ChannelAccess[]): boolean =>
    !served.some(({ access }) => accesses.includes(access));
  const { direction } = channel;
  const incoming = (['read', 'subscribe'] as const).filter((access) => channel[access] !== undefined);
  if (direction !== 'out' && lacks(incoming)) {
    const kinds = incoming.map((access) => (access === 'read' ? 'query' : 'subscription'));
    return `no ${kinds.join(' or ')} ends there, or begins there as at a root`;
  }
  if (direction !== 'in' && lacks(accessOf.out)) return 'no mutation or subscription ends there';
  return undefined;
}

/** Two roots with channels may lead to one operation; nobody could say whose record it gives. */
function reportRivals(routes: readonly ChannelRoute[], diagnostics: Diagnostic[]): void {
  const byKey = new Map<string, ChannelRoute[]>();
  for (const route of routes) {
    const key = routeKey(route);
    byKey.set(key, [...(byKey.get(key) ?? []), route]);
  }
  for (const rivals of byKey.values()) {
    const [first] = rivals;
    if (first === undefined || rivals.length === 1) continue;
    const nodes = rivals.map(({ node }) => node.id).join(' and ');
    const { kind, name } = first.operation;
    const labels = rivals.slice(1).map(({ node }) => ({ span: node.span, message: 'and here' }));
    diagnostics.push(
      diagnose('GG5009', { operation: `The ${kind} ${name}`, nodes }, first.node.span, { labels }),
    );
  }
}

function routeKey({ operation, access }: Pick<ChannelRoute, 'operation' | 'access'>): string {
  return `${access} ${operation.kind} ${operation.name}`;
}
