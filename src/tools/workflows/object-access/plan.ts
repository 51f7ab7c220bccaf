import { eventsOfMutations } from '../../../compiler/api/chains/chains.js';
import type { ArazzoStep, ArazzoWorkflow } from '../../../compiler/emit/arazzo/format.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { operationsOfSteps } from '../step-operations.js';
import type { Way } from './ask.js';
import { itemType, type OtherUser } from './rules.js';

/** A step of a workflow, without the events that follow it, unless they are probed. */
export interface PlannedStep {
  readonly workflow: ArazzoWorkflow;
  readonly step: ArazzoStep;
  readonly operation: GqlOperation;
}

/** One operation that other users replay, and the steps that make its objects. */
export interface Probe {
  readonly operation: GqlOperation;
  readonly script: readonly PlannedStep[];
  /** The script without the mutation that makes objects for a query, for one that cannot make them twice. */
  readonly shorter?: readonly PlannedStep[];
  /** The request of the first user; of a subscription, that of the mutation that publishes the event. */
  readonly last: PlannedStep;
}

/**
 * Plans a probe for each operation of the workflows and each of their subscriptions. Queries are first, and mutations are
 * probed before the first user makes the same call, because a row can be deleted only once.
 */
export function planProbes(schema: GqlSchema, workflows: readonly ArazzoWorkflow[]): readonly Probe[] {
  const operationOf = operationsOfSteps(schema);
  const shortest = new Map<GqlOperation, readonly PlannedStep[]>();
  for (const workflow of workflows) {
    const steps = workflow.steps.map(({ 'x-events': _, ...step }) => {
      return { workflow, step, operation: operationOf(step) };
    });
    for (const [at, { operation }] of steps.entries()) {
      const known = shortest.get(operation);
      if (known === undefined || at + 1 < known.length) shortest.set(operation, steps.slice(0, at + 1));
    }
  }
  const makers = [...shortest.values()].toSorted((one, other) => one.length - other.length);
  const probeOf = (operation: GqlOperation, path: readonly PlannedStep[]): Probe => {
    const script = path.slice(0, -1);
    const last = path.at(-1) as PlannedStep;
    if (operation.kind !== 'query') return { operation, script, last };
    const isMade = (one: PlannedStep | undefined) =>
      one?.operation.kind === 'mutation' && itemType(one.operation) === itemType(operation);
    // One that takes an object of the type changes it, and may do so only once.
    const maker = makers.find(
      (steps) =>
        isMade(steps.at(-1)) && !steps.slice(0, -1).some((one) => itemType(one.operation) === itemType(operation)),
    );
    const done = new Set(maker?.map(({ step }) => step.stepId));
    if (maker === undefined) return { operation, script, last };
    const further = script.filter(({ step }) => !done.has(step.stepId));
    return { operation, script: [...maker, ...further], shorter: script, last };
  };
  const events = eventsOfMutations(schema);
  const all = [...shortest].map(([operation, path]) => probeOf(operation, path));
  const streams = new Map<GqlOperation, Probe>();
  for (const { operation: mutation, script, last } of all)
    if (mutation.kind === 'mutation')
      for (const operation of events.get(mutation.name) ?? [])
        if (!((streams.get(operation)?.script.length ?? Infinity) <= script.length))
          streams.set(operation, { operation, script, last: withEvent(last, operation) });
  const isDelete = ({ operation }: Probe) => operation.route?.method === 'DELETE' || operation.writes === 'delete';
  const ofKind = (kind: GqlOperation['kind']) => all.filter(({ operation }) => operation.kind === kind);
  const mutations = ofKind('mutation').toSorted((one, other) => Number(isDelete(one)) - Number(isDelete(other)));
  return [...ofKind('query'), ...streams.values(), ...mutations];
}

/** The step with the receipt of its event by the first user: the others would have got it by then. */
function withEvent(planned: PlannedStep, { name }: GqlOperation): PlannedStep {
  const { step, workflow } = planned;
  const { 'x-events': events = [] } = workflow.steps.find(({ stepId }) => stepId === step.stepId) ?? {};
  return { ...planned, step: { ...step, 'x-events': events.filter(({ subscription }) => subscription === name) } };
}

/** A request of another user, and what the rules say of it. */
export interface Trial {
  readonly user: OtherUser;
  readonly way: Way;
  /** Whether the user names itself as the owner. */
  readonly isSwapped: boolean;
}

/** The requests of other users for one operation: with the arguments of the first, and in place of it. */
export function trialsOf(operation: GqlOperation, otherUsers: readonly OtherUser[], ways: readonly Way[]) {
  const used = ways.filter((way) => way !== 'WebSocket' || operation.kind === 'subscription');
  const canSwap = operation.arguments.some(({ name }) => name === operation.owner);
  return otherUsers.flatMap((user) =>
    used.flatMap((way) => {
      const trial = { user, way, isSwapped: false };
      return canSwap && user.owner?.id !== undefined ? [trial, { ...trial, isSwapped: true }] : [trial];
    }),
  );
}
