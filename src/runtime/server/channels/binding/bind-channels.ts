import { type Diagnostic, diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../../base/source/span.js';
import { type GraphIR, type GraphNode, isInternalNode } from '../../../../compiler/graph/graph-ir.js';
import { appendTo } from '../../../../compiler/graph/maps.js';
import { createSuggester } from '../../../../compiler/graph/suggest.js';
import type { GqlIoBinding, GqlOperation, GqlSchema } from '../../../../compiler/schema/gql-schema.js';
import type { ChannelAccess, ChannelDirection, RuntimeIoChannel } from './channel.js';

export interface ChannelRoute {
  readonly channel: RuntimeIoChannel;
  readonly node: GraphNode;
  readonly operation: GqlOperation;
  readonly access: ChannelAccess;
}

/** The place of findings about channels, which are in a program and not in a topology. */
const channelsPlace = wholeFile('channels');

const accessOf: Readonly<Record<'in' | 'out', readonly ChannelAccess[]>> = {
  in: ['read', 'subscribe'],
  out: ['write'],
};
const waysOf: Readonly<Record<ChannelDirection, readonly ('in' | 'out')[]>> = {
  in: ['in'],
  out: ['out'],
  inout: ['in', 'out'],
};

/**
 * Binds channels to the operations of a topology.
 *
 * A channel serves the operations that end in its node: `read` the queries, `subscribe` the subscriptions, `write` the
 * mutations. At a root, which no edge leads to, it serves the queries and subscriptions that begin there, unless their
 * target has a channel of its own. If no mutation ends in the node, `write` takes the events of the FORK edges into it.
 *
 * Mistakes are GG5006 to GG5010, and a channel with a mistake serves nothing.
 */
export function bindChannels(ir: GraphIR, schema: GqlSchema, channels: readonly RuntimeIoChannel[]) {
  const diagnostics: Diagnostic[] = [];
  const placed = placeChannels(ir, channels, diagnostics);
  const bound = placed.map((place) => ({ ...place, found: findOperations(ir, schema, place.channel) }));
  const atTarget = new Set(bound.flatMap(({ found }) => found.filter(({ isTarget }) => isTarget).map(routeKey)));
  const routes: ChannelRoute[] = [];
  const isPublic = (name: string) => !schema.internal?.queries.some((query) => query.name === name);
  const bindings = bound.flatMap(({ channel, node, found }): GqlIoBinding[] => {
    // A channel at the target takes precedence over one at the root.
    const served = found.filter((one) => one.isTarget || !atTarget.has(routeKey(one)));
    const missing = missingOperations(channel, served);
    if (missing !== undefined) {
      const { direction } = channel;
      diagnostics.push(diagnose('GG5007', { node: node.id, direction, missing }, node.span));
    }
    routes.push(...served.map(({ operation, access }) => ({ channel, node, operation, access })));
    if (isInternalNode(node)) return [];
    const operations = served.filter(({ operation: { kind, name } }) => kind !== 'query' || isPublic(name));
    return [
      {
        node: node.id,
        direction: channel.direction,
        transport: channel.transport,
        operations: operations.map(({ operation: { kind, name }, access }) => ({ kind, name, access })),
      },
    ];
  });
  reportRivals(routes, diagnostics);
  return { bindings, routes, diagnostics };
}

interface FoundOperation {
  readonly operation: GqlOperation;
  readonly access: ChannelAccess;
  /** Whether the operation ends in the node, or begins there. */
  readonly isTarget: boolean;
}

function placeChannels(ir: GraphIR, channels: readonly RuntimeIoChannel[], diagnostics: Diagnostic[]) {
  const taken = new Set<string>();
  return channels.flatMap((channel) => {
    const problem = problemOf(channel);
    if (problem !== undefined) {
      diagnostics.push(diagnose('GG5010', { node: String(channel?.node), problem }, channelsPlace));
      return [];
    }
    const node = ir.nodes.get(channel.node);
    if (node === undefined) {
      const suggestion = createSuggester(ir.nodes.keys()).nearest(channel.node);
      diagnostics.push(diagnose('GG5006', { node: channel.node, suggestion }, channelsPlace));
      return [];
    }
    const ways = waysOf[channel.direction];
    const twice = ways.find((way) => taken.has(`${way} ${node.id}`));
    if (twice !== undefined) {
      diagnostics.push(diagnose('GG5008', { node: node.id, way: twice }, node.span));
      return [];
    }
    for (const way of ways) taken.add(`${way} ${node.id}`);
    return [{ channel, node }];
  });
}

/** The mistake in a channel object, for programs without type checking. */
function problemOf(channel: RuntimeIoChannel): string | undefined {
  if (typeof channel !== 'object' || channel === null) return 'it must be an object';
  const { node, direction, transport, timeout, badRecords = 'skip' } = channel;
  if (typeof node !== 'string') return 'node must be the id of a node';
  if (!Object.hasOwn(waysOf, direction)) return `direction must be in, out or inout, not ${String(direction)}`;
  if (typeof transport !== 'string' || transport === '') return 'transport must be a non-empty string';
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) {
    return 'timeout must be a positive number of milliseconds';
  }
  if (badRecords !== 'skip' && badRecords !== 'fail') {
    return `badRecords must be skip or fail, not ${String(badRecords)}`;
  }
  const given = (['read', 'write', 'subscribe'] as const).filter((access) => channel[access] !== undefined);
  const wrong = given.find((access) => typeof channel[access] !== 'function');
  if (wrong !== undefined) return `${wrong} must be a function`;
  const needed = waysOf[direction].map((way) => accessOf[way]);
  const barred = given.find((access) => !needed.flat().includes(access));
  if (barred !== undefined) return `the direction '${direction}' does not allow ${barred}`;
  const lacking = needed.find((accesses) => !accesses.some((access) => given.includes(access)));
  return lacking && `the direction '${direction}' needs ${lacking.join(' or ')}`;
}

function findOperations(
  { edges }: GraphIR,
  { queries, mutations, subscriptions, internal }: GqlSchema,
  channel: RuntimeIoChannel,
): readonly FoundOperation[] {
  const id = channel.node;
  const isRoot = !edges.some(({ targets }) => targets.some((target) => target.id === id));
  const find = (access: ChannelAccess, operations: readonly GqlOperation[]): FoundOperation[] => {
    if (channel[access] === undefined) return [];
    const ending = operations.filter(({ edges: own }) => own.some(({ to }) => to === id));
    if (ending.length > 0) return ending.map((operation) => ({ operation, access, isTarget: true }));
    if (!isRoot || access === 'write') return [];
    const begins = ({ edges: own }: GqlOperation) => own.some(({ from }) => from.includes(id));
    return operations.filter(begins).map((operation) => ({ operation, access, isTarget: false }));
  };
  const folded = find('write', mutations);
  return [
    ...find('read', internal === undefined ? queries : [...queries, ...internal.queries]),
    ...folded,
    // A mutation that ends here has already written what its FORK edges carry.
    ...(folded.length > 0 ? [] : find('write', subscriptions)),
    ...find('subscribe', subscriptions),
  ];
}

function missingOperations(channel: RuntimeIoChannel, served: readonly FoundOperation[]): string | undefined {
  const lacks = (accesses: readonly ChannelAccess[]): boolean =>
    !served.some(({ access }) => accesses.includes(access));
  const { direction } = channel;
  const incoming = (['read', 'subscribe'] as const).filter((access) => channel[access] !== undefined);
  if (direction !== 'out' && lacks(incoming)) {
    const kinds = incoming.map((access) => (access === 'read' ? 'query' : 'subscription'));
    return `no ${kinds.join(' or ')} ends there, or begins there if it is a root`;
  }
  if (direction !== 'in' && lacks(accessOf.out)) return 'no mutation or subscription ends there';
  return undefined;
}

/** If channels at two roots lead to one operation, its record is ambiguous. */
function reportRivals(routes: readonly ChannelRoute[], diagnostics: Diagnostic[]): void {
  const byKey = new Map<string, ChannelRoute[]>();
  for (const route of routes) appendTo(byKey, routeKey(route), route);
  for (const rivals of byKey.values()) {
    const [first] = rivals;
    if (first === undefined || rivals.length === 1) continue;
    const nodes = rivals.map(({ node }) => node.id).join(' and ');
    const { kind, name } = first.operation;
    const labels = rivals.slice(1).map(({ node }) => ({ span: node.span, message: 'and here' }));
    diagnostics.push(diagnose('GG5009', { operation: `The ${kind} ${name}`, nodes }, first.node.span, { labels }));
  }
}

function routeKey({ operation, access }: Pick<ChannelRoute, 'operation' | 'access'>): string {
  return `${access} ${operation.kind} ${operation.name}`;
}
