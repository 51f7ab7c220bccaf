import type { ArazzoStep, ArazzoWorkflow } from '../../../compiler/emit/arazzo/format.js';
import { operationIds } from '../../../compiler/emit/openapi/operations.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import { routeCoordinate } from '../../../compiler/schema/route-path.js';
import { wireView } from '../../../compiler/schema/wire-view.js';
import { createOwners, type OwnerOptions } from '../../../runtime/auth/owner.js';
import { MissingValue } from '../expressions.js';
import { type RunOptions, runWorkflow, type WorkflowApi, type WorkflowResult } from '../run-workflow.js';
import type { SignedCaller } from '../step-callers.js';
import { type AskedApi, type Attempt, createAsker } from './ask.js';
import { createChainRunner, describeCall, type PreparedChain, type Variation } from './chain-runner.js';
import { guardedFields, judgeField } from './guarded-fields.js';
import { judge, type Problem } from './judge.js';
import { type Probe, planProbes } from './plan.js';
import { createProbeValues } from './probe-values.js';
import { hasResult, type OtherUser, ownerNames, ruleOf } from './rules.js';
import type { Values } from './step-arguments.js';
import { type Trial, trialsOf } from './trials.js';

export interface ObjectAccessOptions {
  readonly run: RunOptions;
  /** The user that owns the objects, and those that must not get them. */
  readonly users: readonly SignedCaller[];
  /** Callers that send the requests that the first user may not send. */
  readonly helpers: readonly SignedCaller[];
  readonly owners: OwnerOptions | undefined;
  readonly seed: number;
  /** How often the inputs are varied, after the run with the examples. */
  readonly variations: number;
  /** How long a stream must be silent after the mutation, in milliseconds. */
  readonly silence: number;
  readonly onWorkflow?: (result: WorkflowResult) => void;
}

/** A wrong answer, and the shortest chain of requests that leads to it. */
export interface ObjectAccessFinding extends Problem {
  /** `GET /api/visit`. */
  readonly operation: string;
  readonly user: string;
  /** The ways that gave it: `REST`, `GraphQL`, `WebSocket`, `MCP`. */
  readonly over: readonly string[];
  readonly chain: readonly string[];
}

export interface ObjectAccessResult {
  readonly workflows: readonly WorkflowResult[];
  readonly findings: readonly ObjectAccessFinding[];
  /** The operations that every caller may call. */
  readonly open: readonly string[];
  /** The users that act for every owner, with the operations in question. */
  readonly exempt: readonly { readonly user: string; readonly operation: string }[];
  /** The operations that no user could replay, and why. */
  readonly untested: readonly { readonly operation: string; readonly reason: string }[];
  /** The number of replayed operations, of each user. */
  readonly replayed: number;
  readonly requests: number;
  readonly seed: number;
}

/**
 * Runs workflows as the first user, and then each of their operations as the other users and as a caller without
 * credentials, with the ids of the first: by the rules of the topology, nobody else gets its objects.
 */
export async function testObjectAccess(
  api: WorkflowApi & AskedApi,
  workflows: readonly ArazzoWorkflow[],
  { run, users, helpers, owners, seed, variations, silence, onWorkflow }: ObjectAccessOptions,
): Promise<ObjectAccessResult> {
  const schema = wireView(api.schema);
  const ownerOf = createOwners(owners);
  const [first, ...others] = users as [SignedCaller, ...SignedCaller[]];
  const otherUsers: readonly OtherUser[] = [
    ...others.map((user) => ({ ...user, owner: ownerOf(user.principal) })),
    { id: 'a caller without credentials', token: undefined, principal: null, owner: ownerOf(null) },
  ];
  const byId = new Map([...operationIds(schema)].map(([{ operation }, id]) => [id, operation]));
  const operationOf = ({ operationId }: ArazzoStep) => byId.get(operationId) as GqlOperation;
  // Data that the first user owns although it acts for every owner has its id.
  const owner = ownerOf(first.principal)?.id ?? first.id;
  const names = ownerNames(schema);
  const chains = createChainRunner({
    api,
    schema,
    callers: [first, ...helpers],
    owner,
    names,
    owners,
    operationOf,
    run,
  });
  const results: WorkflowResult[] = [];
  for (const workflow of workflows) {
    if (run.signal.aborted) break;
    const { inputs, senderOf } = chains.ofWorkflow(workflow);
    const callers: RunOptions['callers'] = (one) =>
      senderOf('subscription' in one ? one.subscription : (one as ArazzoStep));
    const result = await runWorkflow(api, workflow, { ...run, callers }, inputs);
    results.push(result);
    onWorkflow?.(result);
  }

  const asker = await createAsker(api, first, run);
  const found = new Map<string, ObjectAccessFinding & { readonly over: string[] }>();
  const open = new Set<string>();
  const exempt = new Map<string, { readonly user: string; readonly operation: string }>();
  const untested = new Map<string, string>();
  const replayed = new Set<string>();

  const valuesFor = createProbeValues(schema, names);

  /** Adds the objects that the first user gets itself and that name it. */
  const addOwn = async (probe: Probe, prepared: PreparedChain): Promise<void> => {
    const user = { ...first, owner: undefined };
    const values = valuesFor(probe, prepared, { user, way: 'REST', isSwapped: false });
    const answer = await asker.ask('REST', probe.operation, values, user);
    if (answer?.isSuccess) prepared.mine.add(probe.operation, answer.result, false);
  };

  /** Makes one request of another user, or follows its stream while the first user makes the last one. */
  const attempt = async (
    probe: Probe,
    prepared: PreparedChain,
    values: Values,
    { user, way }: Trial,
  ): Promise<Attempt | undefined> => {
    const { operation } = probe;
    if (operation.kind !== 'subscription') return asker.ask(way, operation, values, user);
    const done = new AbortController();
    try {
      const next = await asker.follow(way, operation, values, user, done.signal);
      if (next === undefined) return undefined;
      await prepared.finish();
      const quiet = new Promise<undefined>((resolve) => setTimeout(resolve, silence, undefined));
      const event = await Promise.race([next(), quiet]);
      return { isSuccess: event !== undefined, status: 200, result: event };
    } finally {
      done.abort();
    }
  };

  /** What is wrong with one trial; a text if it could not be made. */
  const tryOnce = async (probe: Probe, prepared: PreparedChain, trial: Trial) => {
    const { operation } = probe;
    try {
      const values = valuesFor(probe, prepared, trial);
      const rule = ruleOf(schema, operation, values, trial.user);
      if (rule.kind === 'open') open.add(routeCoordinate(operation));
      if (rule.kind === 'exempt')
        exempt.set(`${trial.user.id} ${operation.name}`, {
          user: trial.user.id,
          operation: routeCoordinate(operation),
        });
      const isHarmless = operation.kind === 'query' || (rule.kind !== 'open' && rule.kind !== 'exempt');
      const answer = isHarmless ? await attempt(probe, prepared, values, trial) : undefined;
      let problem = answer && judge(operation, values, rule, answer, prepared.mine, trial.user);
      if (operation.kind === 'query' && rule.kind !== 'refused' && trial.way === 'GraphQL')
        for (const field of guardedFields(schema, operation, trial.user))
          problem ??= judgeField(
            schema,
            operation,
            field,
            await asker.askField(operation, values, trial.user, field.selection),
            prepared.mine,
          );
      const isSpoiled =
        operation.kind !== 'query' &&
        (operation.kind === 'subscription'
          ? answer !== undefined
          : answer?.isSuccess === true && hasResult(answer.result));
      return { problem, values, isSpoiled };
    } catch (error) {
      if (run.signal.aborted || error instanceof MissingValue) return (error as Error).message;
      return `no answer over ${trial.way}: ${(error as Error).message}`;
    }
  };

  /** Whether a shorter chain, or with fewer varied inputs, leads to the same problem. */
  const shrink = async (probe: Probe, trial: Trial, variation: Variation, severity: Problem['severity']) => {
    let [best, kept] = [probe, variation.kept ?? new Set<string>()];
    const fails = async (one: Probe, inputs: ReadonlySet<string>) => {
      const prepared = await chains.prepare(one.script, one.last, { ...variation, kept: inputs });
      if (typeof prepared === 'string') return undefined;
      const tried = await tryOnce(one, prepared, trial);
      return typeof tried === 'object' && tried.problem?.severity === severity
        ? { ...tried, prepared, problem: tried.problem }
        : undefined;
    };
    let least = await fails(best, kept);
    if (least === undefined) return undefined;
    for (const step of probe.script.toReversed()) {
      const shorter = { ...best, script: best.script.filter((one) => one !== step) };
      const result = await fails(shorter, kept);
      if (result !== undefined) [best, least] = [shorter, result];
    }
    for (const input of variation.seed === undefined ? [] : new Set(least.prepared.inputs)) {
      const fewer = new Set([...kept, input]);
      const result = await fails(best, fewer);
      if (result !== undefined) [kept, least] = [fewer, result];
    }
    return least;
  };

  const note = async (
    probe: Probe,
    trial: Trial,
    variation: Variation,
    { severity, reason }: Problem,
    chain: readonly string[],
  ) => {
    const { operation } = probe;
    const key = `${operation.kind} ${operation.name} ${trial.user.id} ${severity} ${trial.isSwapped}`;
    const known = found.get(key);
    if (known !== undefined) {
      if (!known.over.includes(trial.way)) known.over.push(trial.way);
      return;
    }
    const least = await shrink(probe, trial, variation, severity);
    const shown =
      least === undefined
        ? { reason, chain }
        : { reason: least.problem.reason, chain: chainOf(probe, trial, least.prepared, least.values) };
    found.set(key, {
      severity,
      ...shown,
      operation: routeCoordinate(operation),
      user: trial.user.id,
      over: [trial.way],
    });
  };
  const chainOf = (
    { operation, last }: Probe,
    { user }: Trial,
    prepared: PreparedChain,
    values: Values,
  ): readonly string[] => {
    const call = describeCall(operation, user.id, values);
    // The first user's call comes after the subscription.
    return operation.kind === 'subscription'
      ? [...prepared.chain.slice(0, -1), call, prepared.chain.at(-1) ?? routeCoordinate(last.operation)]
      : [...prepared.chain, call];
  };

  const probes = planProbes(schema, workflows, operationOf);
  for (let at = 0; at <= variations; at++) {
    const variation: Variation = at === 0 ? {} : { seed: `${seed} ${at}` };
    for (let probe of probes) {
      // The inputs do not change who may subscribe.
      if (at > 0 && probe.operation.kind === 'subscription') continue;
      let prepared: PreparedChain | undefined;
      // Nor whether a way has a check, and whether there are credentials.
      const [askers, ways] =
        at === 0 ? [otherUsers, asker.ways] : [otherUsers.slice(0, -1), ['REST'] as const];
      for (const trial of trialsOf(probe.operation, askers, ways)) {
        if (run.signal.aborted) break;
        const known = [...found.values()].some(
          ({ operation, user }) =>
            at > 0 && operation === routeCoordinate(probe.operation) && user === trial.user.id,
        );
        if (known) continue;
        if (prepared === undefined) {
          let made = await chains.prepare(probe.script, probe.last, variation);
          if (typeof made === 'string' && probe.shorter !== undefined) {
            probe = { operation: probe.operation, script: probe.shorter, last: probe.last };
            made = await chains.prepare(probe.script, probe.last, variation);
          }
          if (typeof made === 'string') {
            if (at === 0) untested.set(routeCoordinate(probe.operation), made);
            break;
          }
          prepared = made;
          if (probe.operation.kind === 'query') await addOwn(probe, made).catch(() => undefined);
        }
        const tried = await tryOnce(probe, prepared, trial);
        if (typeof tried === 'string') {
          if (at === 0) untested.set(routeCoordinate(probe.operation), tried);
          continue;
        }
        replayed.add(`${probe.operation.kind} ${probe.operation.name} ${trial.user.id}`);
        if (tried.problem !== undefined)
          await note(probe, trial, variation, tried.problem, chainOf(probe, trial, prepared, tried.values));
        if (tried.isSpoiled) prepared = undefined;
      }
    }
  }
  return {
    workflows: results,
    findings: [...found.values()].toSorted(
      (one, other) => Number(one.severity === 'warning') - Number(other.severity === 'warning'),
    ),
    open: [...open],
    exempt: [...exempt.values()],
    untested: [...untested].map(([operation, reason]) => ({ operation, reason })),
    replayed: replayed.size,
    requests: asker.requests,
    seed,
  };
}
