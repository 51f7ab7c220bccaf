import { shortened } from '../../../base/diagnostics/shown-value.js';
import type { ArazzoStep, ArazzoWorkflow } from '../../../compiler/emit/arazzo/format.js';
import { remember } from '../../../compiler/graph/maps.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { routeCoordinate } from '../../../compiler/schema/route-path.js';
import type { Owner, OwnerOptions } from '../../../runtime/auth/owner.js';
import type { Facts } from '../expressions.js';
import { inputsOf, type RunOptions, runSteps, type StepOutputs, type WorkflowApi } from '../run-workflow.js';
import { valuesOf } from '../step-arguments.js';
import { createStepCallers, type SignedCaller, type StepCaller } from '../step-callers.js';
import { OwnedObjects } from './judge.js';
import { type OwnInputs, ownInputs } from './own-inputs.js';
import type { PlannedStep } from './plan.js';

/** The users and inputs of the chains that make objects for the first user. */
export interface ChainRunnerOptions {
  readonly api: WorkflowApi;
  /** As REST spells its values. */
  readonly schema: GqlSchema;
  /** The first user, and the callers that do for it what it may not. */
  readonly callers: readonly [SignedCaller, ...SignedCaller[]];
  readonly owner: NonNullable<Owner['id']>;
  /** The names of arguments and fields that hold an owner. */
  readonly names: ReadonlySet<string>;
  readonly owners: OwnerOptions | undefined;
  readonly run: RunOptions;
}

/** The inputs of a run: the examples, or others by a seed; the inputs in `kept` stay examples. */
export interface Variation {
  readonly seed?: string;
  readonly kept?: ReadonlySet<string>;
}

/** The objects and outputs of a chain that has run. */
export type PreparedChain = Exclude<Awaited<ReturnType<ReturnType<typeof createChainRunner>['prepare']>>, string>;

export function createChainRunner(setup: ChainRunnerOptions) {
  const { api, schema, callers, owner, names, owners, run } = setup;
  const [first] = callers;

  /** The inputs of workflows for a variation, and the senders of their requests. */
  const inputsFor = ({ seed, kept = new Set() }: Variation) => {
    const made = new Map<ArazzoWorkflow, OwnInputs & { senderOf: (one: ArazzoStep | string) => StepCaller }>();
    return (workflow: ArazzoWorkflow) =>
      remember(made, workflow, () => {
        const defaults = inputsOf(workflow, { ...run, callers: () => first });
        const options = { owner, names, given: run.inputs };
        const varied = ownInputs(schema, workflow, defaults, { ...options, ...(seed && { variation: seed }) });
        const isKept = ([name]: [string, unknown]) => kept.has(`${workflow.workflowId}.${name}`);
        const examples = ownInputs(schema, workflow, defaults, options);
        const inputs = { ...varied.inputs, ...Object.fromEntries(Object.entries(examples.inputs).filter(isKept)) };
        const choose = createStepCallers(schema, callers, owners, varied.isOwn);
        const senderOf = (one: ArazzoStep | string) => choose(typeof one === 'string' ? { subscription: one } : one);
        return { inputs, isOwn: varied.isOwn, senderOf };
      });
  };

  return {
    /** The inputs and senders of a whole workflow with the examples. */
    ofWorkflow: inputsFor({}),
    /**
     * Runs steps, and gives the arguments of the last one, which it does not run. A text says why they cannot be had.
     */
    async prepare(script: readonly PlannedStep[], last: PlannedStep, variation: Variation) {
      const parts = inputsFor(variation);
      const all = [...script, last];
      const plannedOf = new Map(all.map((planned) => [planned.step, planned]));
      const senderOf = (step: ArazzoStep) => parts((plannedOf.get(step) as PlannedStep).workflow).senderOf(step);
      const mine = new OwnedObjects(schema, first.id, owner, names);
      const outputs: StepOutputs = new Map();
      const chain: string[] = [];
      const options: RunOptions = {
        ...run,
        callers: (one) =>
          'subscription' in one ? parts(last.workflow).senderOf(one.subscription) : senderOf(one as ArazzoStep),
        onPassed: (step, facts) => {
          const { operation } = plannedOf.get(step) as PlannedStep;
          const sender = senderOf(step);
          const isMaker = operation.kind === 'mutation' && sender === first;
          mine.add(operation, facts.response?.body, isMaker);
          chain.push(describeCall(operation, sender.id, valuesOf(schema, operation, step, facts)));
        },
      };
      const scripted = ({ step, workflow }: PlannedStep) => ({ step, inputs: parts(workflow).inputs });
      const results = await runSteps(api, script.map(scripted), outputs, options);
      const failed = results.find(({ outcome }) => outcome === 'failed');
      if (failed !== undefined) return `${failed.request} as ${failed.caller} fails: ${failed.problems[0]}`;
      const facts: Facts = { inputs: parts(last.workflow).inputs, outputs };
      return {
        mine,
        chain,
        facts,
        inputs: all.flatMap(({ workflow }) =>
          Object.keys(workflow.inputs?.properties ?? {}).map((name) => `${workflow.workflowId}.${name}`),
        ),
        /** Runs the last step. */
        finish: () => runSteps(api, [scripted(last)], outputs, options),
      };
    },
  };
}

/** `POST /api/book as ada {"slotId":"1"}`, in one line that is not long. */
export function describeCall(operation: GqlOperation, user: string, values: unknown): string {
  const text = JSON.stringify(values);
  const shown = text === '{}' ? '' : ` ${shortened(text, longestValues)}`;
  return `${routeCoordinate(operation)} as ${user}${shown}`;
}

const longestValues = 160;
