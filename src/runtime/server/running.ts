import type { MaybePromise } from '../../base/values/maybe-promise.js';
import { hasChains } from '../../compiler/api/chains/api-chains.js';
import type { GqlSchema, GqlSecurityScheme } from '../../compiler/schema/gql-schema.js';
import { createGuard, schemesOf } from '../auth/guard.js';
import type { OwnerOf } from '../auth/owner.js';
import { type EventBroker, isBroker } from '../brokers/broker.js';
import { carryOverBroker } from '../brokers/broker-carrier.js';
import {
  carryOverTarget,
  createEventHub,
  type EventCarrier,
  type EventHub,
  type EventTargetLike,
  withSinks,
} from '../brokers/event-hub.js';
import { carryInMemory, MemoryEvents, memoryEvents } from '../brokers/memory.js';
import { carryOverPartitions, PartitionedBroker, partitioned, partitionKeys } from '../brokers/partitions.js';
import type { Calls } from '../call/calls.js';
import type { Environment } from '../call/environment.js';
import { readGuards } from '../hooks/operation-guards.js';
import { type Hooks, withEventHook } from '../hooks/server-hooks.js';
import type { Telemetry } from '../http/telemetry/telemetry.js';
import { loadPeer } from '../load/load-peer.js';
import type { Monitor } from '../logs/monitor.js';
import { addSecretHeader } from '../logs/redact.js';
import { createRepeats, createRunRepeats } from '../repeats/repeats.js';
import type { Traffic } from '../traffic/create-traffic.js';
import { openRuns, placeOfRuns } from './open-runs.js';
import type { GqlServerOptions } from './options.js';
import type { Projection } from './project.js';
import { createResources, type ResourceParts } from './resources.js';
import { createChainProgram } from './run-for-program.js';
import { createExports } from './schema-exports.js';

/** A server whose topology is loaded. */
export type Running = ReturnType<typeof run<never>>;

/** The parts that a server opens before its topology is loaded. */
interface RunningParts extends Omit<ResourceParts, 'exports' | 'federation' | 'hasStudio' | 'runs'> {
  readonly telemetry: Telemetry | undefined;
  readonly hooks: Hooks;
  readonly traffic: Traffic;
  readonly owners: OwnerOf;
}

/** Puts the parts of a server together for a topology. Its executable schema is made for the first operation. */
export function run<TContext>(
  projection: Projection<TContext>,
  options: GqlServerOptions<TContext>,
  traits: Omit<Environment, 'schema' | 'execution'>,
  { telemetry, hooks, traffic, owners, ...parts }: RunningParts,
) {
  const { schema, resolvers, sinks, federation } = projection;
  const { limits, monitor } = traits;
  const exports = createExports(schema, traits.endpoint, {
    ...options,
    takesKeys: options.idempotency !== undefined,
    pageSize: limits.pageSize,
  });
  const { authenticate } = options;
  const guard = authenticate && createGuard(authenticate, schemesOf(authenticate) ?? schema.security ?? bearer);
  for (const name of guard?.headers ?? []) addSecretHeader(name);
  const guards = readGuards(options.guards, schema);
  const { events: given = memoryEvents() } = options;
  // The broker to other processes. Without subscriptions, nothing is published.
  const broker = isBroker(given) && schema.subscriptions.length > 0 ? given : undefined;
  const carrier = carrierOf(broker ?? (isBroker(given) ? memoryEvents() : given), schema, monitor);
  const hub = withSinks(withEventHook(createEventHub(carrier, monitor), hooks), sinks);
  const events = telemetry?.trackEvents(hub, broker) ?? hub;
  const place = placeOfRuns(schema, options);
  let loading: Promise<Calls> | undefined;
  let loaded: Calls | undefined;
  const execution = (): MaybePromise<Calls> => {
    if (loaded !== undefined) return loaded;
    loading ??= loadPeer(['graphql'], () =>
      Promise.all([
        import('../execute/execution.js'),
        import('../call/calls.js'),
        import('../traffic/count-calls.js'),
        import('../scalars/standard-scalars.js'),
        telemetry && import('../http/telemetry/track-execution.js'),
        hasChains(schema) && import('./chain-calls.js'),
      ]),
    ).then(
      async ([{ createExecution }, { createCalls }, { countCalls }, { loadStandardScalars }, tracking, chains]) => {
        const maps = [...resolvers, ...(await loadStandardScalars(schema))];
        const execution = createExecution(schema, maps, { limits, events, refusal: projection.stored?.refusal });
        const { rates } = traffic;
        // A demand for keys without the option would have no effect.
        const needsKeys = place !== undefined || schema.mutations.some(({ idempotent }) => idempotent !== undefined);
        const repeats =
          traffic.repeats ?? (needsKeys ? createRepeats({ store: 'memory', ttl: 86_400_000 }, monitor) : undefined);
        const runRepeats = repeats && place && createRunRepeats(repeats, monitor);
        const created = createCalls({
          ...{
            model: schema,
            execution,
            guard,
            owners,
            guards,
            repeats,
            runRepeats,
            monitor,
            pageSize: limits.pageSize,
          },
          hook: hooks.operation,
          count: rates && countCalls(rates),
        });
        const tracked = telemetry === undefined ? created : (tracking?.trackExecution(created, telemetry) ?? created);
        loaded = chains ? chains.withChains(environment, tracked, runs?.open) : tracked;
        return loaded;
      },
    );
    return loading;
  };
  const environment: Environment = { ...traits, schema, execution };
  const runs = place && openRuns(environment, place, events);
  // Only the studio has a recorder.
  const hasStudio = telemetry?.recorder !== undefined;
  const resources = createResources(environment, { ...parts, exports, federation, hasStudio, runs: runs?.open });
  const runChain = createChainProgram(environment, runs?.open);
  const endSubscriptions = (): void => {
    loading?.then((engine) => engine.subscriptions.end()).catch(() => undefined);
  };
  // Before the first operation, the server has neither subscribers nor an executable schema to complete events with.
  const publish: EventHub['publish'] = (...event) => (loaded ?? events).publish(...event);
  const incompleteEvents = () => loaded?.incompleteEvents;
  // Sinks take an event before it is stored.
  const log = Object.keys(sinks).length === 0 ? carrier.shared : undefined;
  projection.stored?.connect?.({ publish, monitor, log });
  return {
    ...{ projection, exports, publish, incompleteEvents, environment, resources, guard, endSubscriptions },
    ...{ broker, runChain, runs },
  };
}

function carrierOf(
  events: EventBroker | EventTargetLike | MemoryEvents,
  schema: GqlSchema,
  monitor: Monitor,
): EventCarrier {
  const join = (carriers: readonly EventCarrier[]) =>
    carryOverPartitions(carriers, partitionKeys(schema), isBroker(events) ? events.shared : undefined);
  if (events instanceof MemoryEvents) {
    return partitioned(events.options.partitions ?? 1, () => carryInMemory(events), join);
  }
  if (events instanceof PartitionedBroker)
    return join(events.partitions.map((partition) => carryOverBroker(partition, monitor)));
  return isBroker(events) ? carryOverBroker(events, monitor) : carryOverTarget(events);
}

/** The scheme of a server that uses no access and has an authenticator of its own. */
const bearer: readonly GqlSecurityScheme[] = [{ type: 'bearer' }];
