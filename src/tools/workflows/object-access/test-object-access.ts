import { setTimeout as pause } from 'node:timers/promises';
import type { ArazzoStep, ArazzoWorkflow } from '../../../compiler/emit/arazzo/format.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { routeCoordinate } from '../../../compiler/schema/route-path.js';
import { wireView } from '../../../compiler/schema/wire-view.js';
import { createOwners, type OwnerOptions } from '../../../runtime/auth/owner.js';
import { mcpPath } from '../../../runtime/mcp/mcp.js';
import { MissingValue } from '../expressions.js';
import { type RunOptions, runWorkflow, type WorkflowApi, type WorkflowResult } from '../run-workflow.js';
import type { Values } from '../step-arguments.js';
import type { SignedCaller } from '../step-callers.js';
import { type AskedApi, createAsker } from './ask.js';
import { createChainRunner, describeCall, type PreparedChain, type Variation } from './chain-runner.js';
import { guardedFields, judgeField } from './guarded-fields.js';
import { judge, type Problem } from './judge.js';
import { type Probe, planProbes, type Trial, trialsOf } from './plan.js';
import { createProbeValues } from './probe-values.js';
import { hasResult, type OtherUser, ownerNames, ruleOf } from './rules.js';

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
  options: ObjectAccessOptions,
): Promise<ObjectAccessResult> {
  const { run, users, helpers, owners, seed, variations, onWorkflow } = options;
  const schema = wireView(api.schema);
  const ownerOf = createOwners(owners);
  const [first, ...others] = users as [SignedCaller, ...SignedCaller[]];
  const chains = createChainRunner({
    ...{ api, schema, owners, run },
    callers: [first, ...helpers],
    // Data that the first user owns although it acts for every owner has its id.
    owner: ownerOf(first.principal)?.id ?? first.id,
    names: ownerNames(schema),
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

  const otherUsers: readonly OtherUser[] = [
    ...others.map((user) => ({ ...user, owner: ownerOf(user.principal) })),
    { id: 'a caller without credentials', token: undefined, principal: null, owner: ownerOf(null) },
  ];
  const replays = new Replays(schema, first, await createAsker(api, first, run), chains, options);
  const probes = planProbes(schema, workflows);
  for (let at = 0; at <= variations; at++)
    for (const probe of probes) await replays.replay(probe, otherUsers, at === 0 ? {} : { seed: `${seed} ${at}` });
  return { workflows: results, ...replays.result(), seed };
}

/** The replays of requests by other users, and what was wrong with their answers. */
class Replays {
  readonly #found = new Map<string, ObjectAccessFinding & { readonly over: string[] }>();
  readonly #open = new Set<string>();
  readonly #exempt = new Map<string, ObjectAccessResult['exempt'][number]>();
  readonly #untested = new Map<string, string>();
  readonly #replayed = new Set<string>();
  readonly #valuesFor: ReturnType<typeof createProbeValues>;

  constructor(
    private readonly schema: GqlSchema,
    private readonly first: SignedCaller,
    private readonly asker: Awaited<ReturnType<typeof createAsker>>,
    private readonly chains: ReturnType<typeof createChainRunner>,
    private readonly options: Pick<ObjectAccessOptions, 'run' | 'silence'>,
  ) {
    this.#valuesFor = createProbeValues(schema, ownerNames(schema));
    if (asker.hasOtherTools) this.#untested.set(`POST ${mcpPath}`, 'its tools are not those of the topology');
  }

  result() {
    return {
      findings: [...this.#found.values()].toSorted(
        (one, other) => Number(one.severity === 'warning') - Number(other.severity === 'warning'),
      ),
      open: [...this.#open],
      exempt: [...this.#exempt.values()],
      untested: [...this.#untested].map(([operation, reason]) => ({ operation, reason })),
      replayed: this.#replayed.size,
      requests: this.asker.requests,
    };
  }

  /** Makes all requests of the other users for an operation; variations leave out those that cannot say more. */
  async replay(probe: Probe, otherUsers: readonly OtherUser[], variation: Variation): Promise<void> {
    const { operation } = probe;
    const isFirst = variation.seed === undefined;
    // The inputs change neither who may subscribe, nor whether a way has a check, and whether there are credentials.
    if (!isFirst && operation.kind === 'subscription') return;
    const users = isFirst ? otherUsers : otherUsers.slice(0, -1);
    const skip = (reason: string): void => {
      if (isFirst) this.#untested.set(routeCoordinate(operation), reason);
    };
    let [used, prepared] = [probe, undefined as PreparedChain | undefined];
    for (const trial of trialsOf(operation, users, isFirst ? this.asker.ways : ['REST'])) {
      if (this.options.run.signal.aborted) return;
      if (!isFirst && this.#isFound(operation, trial.user)) continue;
      if (prepared === undefined) {
        const made = await this.#prepare(used, variation);
        if (typeof made === 'string') {
          skip(made);
          return;
        }
        [used, prepared] = made;
      }
      const tried = await this.#try(used, prepared, trial);
      if (typeof tried === 'string') {
        skip(tried);
        continue;
      }
      this.#replayed.add(`${operation.kind} ${operation.name} ${trial.user.id}`);
      if (tried.problem !== undefined)
        await this.#note(used, trial, variation, tried.problem, chainOf(used, trial, prepared, tried.values));
      if (tried.isSpoiled) prepared = undefined;
    }
  }

  #isFound(operation: GqlOperation, user: OtherUser): boolean {
    return [...this.#found.values()].some(
      (one) => one.operation === routeCoordinate(operation) && one.user === user.id,
    );
  }

  /** Runs the steps before an operation, or fewer of them if these fail; a text says why they fail. */
  async #prepare(probe: Probe, variation: Variation): Promise<readonly [Probe, PreparedChain] | string> {
    const { operation, script, shorter, last } = probe;
    let [used, made] = [probe, await this.chains.prepare(script, last, variation)];
    if (typeof made === 'string' && shorter !== undefined) {
      used = { operation, script: shorter, last };
      made = await this.chains.prepare(shorter, last, variation);
    }
    if (typeof made === 'string') return made;
    if (operation.kind === 'query') await this.#addOwn(used, made).catch(() => undefined);
    return [used, made];
  }

  /** Adds the objects that the first user gets itself and that name it. */
  async #addOwn(probe: Probe, prepared: PreparedChain): Promise<void> {
    const user = { ...this.first, owner: undefined };
    const values = this.#valuesFor(probe, prepared, { user, way: 'REST', isSwapped: false });
    const answer = await this.asker.ask('REST', probe.operation, values, user);
    if (answer?.isSuccess) prepared.mine.add(probe.operation, answer.result, false);
  }

  /** The findings of one trial; a text if it could not be made. */
  async #try(probe: Probe, prepared: PreparedChain, trial: Trial) {
    const { schema, asker } = this;
    const { operation } = probe;
    const { user, way } = trial;
    try {
      const values = this.#valuesFor(probe, prepared, trial);
      const rule = ruleOf(schema, operation, values, user);
      const coordinate = routeCoordinate(operation);
      if (rule.kind === 'open') this.#open.add(coordinate);
      if (rule.kind === 'exempt')
        this.#exempt.set(`${user.id} ${operation.name}`, { user: user.id, operation: coordinate });
      const isHarmless = operation.kind === 'query' || (rule.kind !== 'open' && rule.kind !== 'exempt');
      const isMutation = operation.kind === 'mutation';
      let [ofField, hasRun] = [undefined as Problem | undefined, false];
      if (operation.kind !== 'subscription' && isHarmless && rule.kind !== 'refused' && way === 'GraphQL')
        for (const field of guardedFields(schema, operation, user)) {
          // With a field that nobody like the user may select, a mutation is refused before it changes anything.
          if (isMutation && (hasRun || field.without !== 'field')) continue;
          const asked = await asker.askField(operation, values, user, field.selection);
          ofField ??= judgeField(schema, operation, field, asked, prepared.mine);
          hasRun = isMutation && asked.isSuccess;
        }
      const answer = isHarmless && !hasRun ? await this.#attempt(probe, prepared, values, trial) : undefined;
      const problem = (answer && judge(operation, values, rule, answer, prepared.mine, user)) ?? ofField;
      const isSpoiled =
        operation.kind === 'subscription'
          ? answer !== undefined
          : isMutation && (hasRun || (answer?.isSuccess === true && hasResult(answer.result)));
      return { problem, values, isSpoiled };
    } catch (error) {
      if (this.options.run.signal.aborted || error instanceof MissingValue) return (error as Error).message;
      return `no answer over ${way}: ${(error as Error).message}`;
    }
  }

  /** Makes one request of another user, or follows its stream while the first user makes the last one and gets the event. */
  async #attempt({ operation }: Probe, prepared: PreparedChain, values: Values, { user, way }: Trial) {
    if (operation.kind !== 'subscription') return this.asker.ask(way, operation, values, user);
    const done = new AbortController();
    try {
      const next = await this.asker.follow(way, operation, values, user, done.signal);
      if (next === undefined) return undefined;
      await prepared.finish();
      // In parts: while the process has no turn, a timer expires, but no event is read.
      const quiet = async (): Promise<undefined> => {
        for (let part = 0; part < 4; part++) await pause(this.options.silence / 4);
      };
      // An agent reads what is there; streams end only with the signal.
      const event = await (way === 'MCP' ? next() : Promise.race([next(), quiet()]));
      return { isSuccess: event !== undefined, status: 200, result: event };
    } finally {
      done.abort();
    }
  }

  async #note(
    probe: Probe,
    trial: Trial,
    variation: Variation,
    { severity, reason }: Problem,
    chain: readonly string[],
  ): Promise<void> {
    const { operation } = probe;
    const key = `${operation.kind} ${operation.name} ${trial.user.id} ${severity} ${trial.isSwapped}`;
    const known = this.#found.get(key);
    if (known !== undefined) {
      if (!known.over.includes(trial.way)) known.over.push(trial.way);
      return;
    }
    const least = await this.#shrink(probe, trial, variation, severity);
    const shown =
      least === undefined
        ? { reason, chain }
        : { reason: least.problem.reason, chain: chainOf(probe, trial, least.prepared, least.values) };
    const place = { operation: routeCoordinate(operation), user: trial.user.id, over: [trial.way] };
    this.#found.set(key, { severity, ...shown, ...place });
  }

  /** The shortest chain, with the fewest varied inputs, that leads to the same problem. */
  async #shrink(probe: Probe, trial: Trial, variation: Variation, severity: Problem['severity']) {
    let [best, kept] = [probe, variation.kept ?? new Set<string>()];
    const fails = async (one: Probe, inputs: ReadonlySet<string>) => {
      const prepared = await this.chains.prepare(one.script, one.last, { ...variation, kept: inputs });
      if (typeof prepared === 'string') return undefined;
      const tried = await this.#try(one, prepared, trial);
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
  }
}

/** The requests that lead to a finding, as they are shown. */
function chainOf({ operation, last }: Probe, { user }: Trial, prepared: PreparedChain, values: Values) {
  const call = describeCall(operation, user.id, values);
  // The first user's call comes after the subscription.
  return operation.kind === 'subscription'
    ? [...prepared.chain.slice(0, -1), call, prepared.chain.at(-1) ?? routeCoordinate(last.operation)]
    : [...prepared.chain, call];
}
