import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Backend } from 'openworkflow/internal';
import { bigIntAsText, sameJson } from '../../base/json-schema/same-json.js';
import { chainSignature, durableChains } from '../../compiler/api/chains/api-chains.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { wireView } from '../../compiler/schema/wire-view.js';
import type { EventHub } from '../brokers/event-hub.js';
import { namedChains } from '../call/chains/named-chains.js';
import { type ChainCaller, createChainRunner } from '../call/chains/run-chain.js';
import type { Environment } from '../call/environment.js';
import { ProblemError } from '../call/problem.js';
import { loadPeer } from '../load/load-peer.js';
import { digest, identify } from '../repeats/caller-identity.js';
import { RepeatRefused, readKey, refused } from '../repeats/repeat-refused.js';
import { chainWorkflow, runOfChain, tellRun } from './chain-workflow.js';
import { followEvents } from './follow-events.js';
import { lease, openBackend, runWorkflow, whileAway } from './open-backend.js';
import { attemptsOf, chainRunOf, listRuns, readRun } from './read-run.js';
import type { KeptRun, Run, Runs, RunsOptions } from './runs.js';
import { checkWaits } from './wait-for-turn.js';

/** The number of runs that a process works on at a time; runs that wait take none. */
const concurrency = 4;

/** The pause between two reads of a run, in milliseconds: another process may work on it. */
const interval = 500;

/** The number of runs in which those of a caller are looked for, and of those that are read at a time. */
const [mostRead, pageSize] = [500, 25];

/** Opens the runs of a server, and goes on with those that are open. */
export async function createRuns(environment: Environment, options: RunsOptions, hub: EventHub): Promise<Runs> {
  const { schema, limits } = environment;
  const way = { protocol: 'rest', tellsNames: limits.introspection } as const;
  const chains = namedChains(schema, way);
  const runner = createChainRunner(environment, way);
  const health = { isUp: true };
  const opened = await openBackend(options, health);
  const backend = 'url' in options ? whileAway(opened, 0) : opened;
  const worked = 'url' in options ? whileAway(opened, lease) : opened;
  const { Worker } = await loadPeer(['openworkflow'], () => import('openworkflow'));
  const wire = wireView(schema);
  const versions = new Map(durableChains(wire).map((chain) => [chain.name, digest(chainSignature(wire, chain))]));
  // The engine looks for work every second; whoever begins or cancels a run should not wait for that.
  const wake = (): void => {
    worker.tick().catch(environment.monitor.fault);
  };
  const waits = new Map([...versions.keys()].map((name) => [name, chains.get(name)?.waits ?? []]));
  const follower = followEvents({ backend, hub, waits, wake });
  const site = { environment, runner, chains, backend: worked, follower };
  const workflows = [runOfChain(site), ...[...versions].map(([name, version]) => chainWorkflow(site, name, version))];
  const worker = new Worker({ backend: worked, workflows, concurrency });
  await worker.start();
  const { monitor } = environment;
  /** Tells of the last runs: others may have worked on them, or this process before it was followed. */
  const tellRuns = async (): Promise<void> => {
    const { data } = await backend.listWorkflowRuns({ workflowName: runWorkflow, limit: pageSize });
    for (const run of data.reverse()) {
      const { chain, version } = run.input as unknown as KeptRun;
      if (versions.get(chain) === version) await tellRun(site, run);
    }
  };
  let isDraining = false;
  monitor.followRuns?.(() => {
    tellRuns().catch((error: unknown) => {
      if (!isDraining) monitor.fault(error);
    });
  });
  return {
    get isUp() {
      return health.isUp;
    },
    get isDraining() {
      return isDraining;
    },
    drain() {
      isDraining = true;
    },
    async start(chain, inputs, caller, name) {
      const { plan } = await runner.admit(chain.runnable, inputs, caller);
      const named = new Set(plan.map(({ step }) => step));
      for (const { of, by } of chain.undos)
        if (named.has(of) && !(await runner.isOpenTo(caller, by)))
          throw new ProblemError({
            status: 403,
            detail: `The caller may not call ${by.name}, which undoes ${of.name}.`,
          });
      // The owner of an event is known when it comes, and a run that goes on would tell of it.
      for (const { of, event, field } of chain.waits)
        if (named.has(of) && (event.operation.owner !== undefined || !(await runner.isOpenTo(caller, event, [field]))))
          throw new ProblemError({
            status: 403,
            detail: `The caller may not follow ${event.name}, for which ${of.name} waits.`,
          });
      checkWaits(chain.waits, plan);
      const since = chain.waits.length === 0 ? undefined : follower.now;
      const given = caller.key ?? caller.header('idempotency-key');
      const owner = ownerOf(caller, given !== undefined);
      const kept: KeptRun = {
        chain: name,
        version: versions.get(name) as string,
        inputs: inputs ?? {},
        plan: plan.map(({ step }) => step.name),
        owner,
        principal: withoutExpiry(caller),
        isTrusted: caller.isTrusted === true,
        nonce: randomUUID(),
        ...(since !== undefined && { since }),
        ...(chain.undos.some(({ of }) => named.has(of)) && { isUndoable: true }),
      };
      const run = await createRun(backend, kept, given === undefined ? null : digest(owner, checkedKey(given)));
      const { nonce, chain: first, inputs: before } = run.input as unknown as KeptRun;
      if (nonce !== kept.nonce) {
        if (first !== name || !sameJson(before as JsonValue, kept.inputs as JsonValue))
          throw problemOfRepeat(refused('IDEMPOTENCY_KEY_REUSED'));
        caller.isReplayed = true;
      }
      wake();
      return readRun(backend, run);
    },
    async read(id, caller, chain) {
      return readRun(backend, await find(backend, id, caller, chain));
    },
    async *follow(first, caller, signal, after) {
      let last = after;
      for (let run = first; ; run = await readRun(backend, await find(backend, first.id, caller))) {
        const id = digest(JSON.stringify(run)).slice(0, 16);
        if (id !== last) yield { id, run };
        last = id;
        if (run.endedAt !== undefined || isDraining) return;
        await pause(interval, undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) return;
      }
    },
    async list(caller) {
      const owner = ownerOf(caller, false);
      const own: Run[] = [];
      if (owner === '') return own;
      let read = 0;
      for await (const run of listRuns(backend, { workflowName: runWorkflow, limit: pageSize })) {
        if ((run.input as unknown as KeptRun).owner === owner) own.push(await readRun(backend, run));
        if (++read === mostRead) break;
      }
      return own;
    },
    async cancel(id, caller) {
      const run = await find(backend, id, caller);
      if (!(await cancelRun(backend, run.id))) throw new ProblemError({ status: 409, detail: 'The run has ended.' });
      wake();
      return readRun(backend, await find(backend, id, caller));
    },
    async close() {
      isDraining = true;
      follower.stop();
      await worker.stop();
      await backend.stop();
    },
  };
}

/** Begins a run; with the key of one of the last 24 hours, it is that. */
export function createRun(backend: Backend, kept: KeptRun, idempotencyKey: string | null) {
  return backend.createWorkflowRun({
    workflowName: runWorkflow,
    version: null,
    idempotencyKey,
    config: {},
    context: null,
    input: kept as never,
    parentStepAttemptNamespaceId: null,
    parentStepAttemptId: null,
    availableAt: null,
    deadlineAt: null,
  });
}

/** Cancels a run: that of its steps ends at once, and the run itself goes on to undo them. False if it has ended. */
export async function cancelRun(backend: Backend, id: string): Promise<boolean> {
  const chain = await chainRunOf(backend, await attemptsOf(backend, id));
  try {
    await backend.cancelWorkflowRun({ workflowRunId: chain?.run.id ?? id });
    return true;
  } catch (error) {
    const { status } = (chain?.run ?? (await backend.getWorkflowRun({ workflowRunId: id }))) as { status: string };
    if (status !== 'completed' && status !== 'failed') throw error;
    return false;
  }
}

/** The run of a caller. Another's is not told from one that does not exist. */
async function find(backend: Backend, id: string, caller: ChainCaller, chain?: string) {
  const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
  const run = isId ? await backend.getWorkflowRun({ workflowRunId: id }) : null;
  if (run?.workflowName === runWorkflow) {
    const kept = run.input as unknown as KeptRun;
    if (kept.owner === ownerOf(caller, false) && (chain ?? kept.chain) === kept.chain) return run;
  }
  throw new ProblemError({ status: 404, detail: 'There is no such run.' });
}

/** Whom a run belongs to, as idempotency keys do; a caller that cannot be told apart has no key. */
function ownerOf(caller: ChainCaller, hasKey: boolean): string {
  try {
    return identify(caller).caller;
  } catch (error) {
    if (hasKey || !(error instanceof RepeatRefused)) throw problemOfRepeat(error);
    return '';
  }
}

function checkedKey(given: string): string {
  try {
    return readKey(given);
  } catch (error) {
    throw problemOfRepeat(error);
  }
}

function problemOfRepeat(error: unknown): unknown {
  if (!(error instanceof RepeatRefused)) return error;
  const { status, detail, code, headers } = error;
  return new ProblemError({ status, detail, members: { code }, headers: Object.entries(headers).flat() });
}

/** A run may take longer than the credentials that it began with are valid. Claims are kept as JSON, which has no BigInt. */
function withoutExpiry({ principal }: ChainCaller): KeptRun['principal'] {
  if (principal === null) return null;
  const { expiresAt: _, ...kept } = principal;
  return JSON.parse(JSON.stringify(kept, bigIntAsText));
}
