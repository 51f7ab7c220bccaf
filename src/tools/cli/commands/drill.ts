import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { isRequired } from '../../../compiler/api/is-required.js';
import type { ArazzoStep } from '../../../compiler/emit/arazzo/format.js';
import { schemaToWorkflows } from '../../../compiler/emit/arazzo.js';
import { schemaToOpenAPI } from '../../../compiler/emit/openapi.js';
import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';
import { defaultEndpoint } from '../../../compiler/schema/server-paths.js';
import { wireView } from '../../../compiler/schema/wire-view.js';
import { type FaultReport, runDrill } from '../../drill/drill.js';
import { faults } from '../../drill/faults.js';
import { DrillServer, ServerFailure } from '../../drill/server.js';
import { type Job, Traffic } from '../../drill/traffic.js';
import { ownInputs } from '../../workflows/object-access/own-inputs.js';
import { ownerNames } from '../../workflows/object-access/rules.js';
import { inputsOf, type RunOptions } from '../../workflows/run-workflow.js';
import { createStepCallers, signCallers } from '../../workflows/step-callers.js';
import { operationsOfSteps } from '../../workflows/step-operations.js';
import { drillEnvironment } from '../files/drilled-project.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import { readSigning } from '../files/signing.js';
import { moduleOptions } from '../serving/server-options.js';
import { listCallers } from '../terminal/callers.js';
import {
  type CliCommand,
  type CliOptions,
  CommandFailure,
  type Invocation,
  repeatable,
  withDefault,
} from '../terminal/command.js';
import { failure } from '../terminal/failure.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readChoice, readNumber } from '../terminal/option-values.js';
import { requireValid } from '../terminal/report-findings.js';
import { printFault } from './drill/drill-report.js';
import { cleanUp, type DrillPlan, openProxies, planAddresses } from './drill/plan-addresses.js';

const names = faults.map(({ name }) => name);

export const command: CliCommand = {
  doing: 'Drilling',
  project: 'files',
  options: {
    '--broker <url>': repeatable('broker for tests; repeatable'),
    '--database <url>': 'database for tests: a URL of PostgreSQL, or a file of SQLite',
    '--only <fault>': (flags) =>
      Object.assign(repeatable('fault to try; repeatable (default: all)')(flags), { argChoices: names }),
    '--rounds <number>': withDefault('how often each fault is tried', '1'),
    '--timeout <ms>': withDefault('time limit for each step', '30000'),
    '--json': 'print the results as JSON',
    ...moduleOptions,
  },
  async run(operands, options, io) {
    const chosen = [options.only ?? []].flat().map((name) => readChoice(name, '--only', names));
    const rounds = readNumber(options.rounds, '--rounds', 1000);
    const timeout = readNumber(options.timeout, '--timeout', 600_000);
    const plan = planAddresses(options, io);
    const tried = faults.filter(({ name }) => name === 'none' || chosen.length === 0 || chosen.includes(name));
    const stop = new AbortController();
    const forget = io.onStop(() => stop.abort(new Error('stopped')));
    try {
      const reports = await drill({ operands, options, io }, plan, stop, (prepared) =>
        runDrill({
          ...prepared,
          faults: tried,
          rounds,
          timeout,
          clock: io.clock,
          onReport: (report) => {
            if (options.json !== true) io.stdout(printFault(report));
          },
        }),
      );
      if (options.json === true) io.stdout(`${JSON.stringify(reports, undefined, 2)}\n`);
      if (stop.signal.aborted) io.stderr('Stopped.\n');
      const isFine = reports.every(({ passed }) => passed) && !stop.signal.aborted;
      return isFine ? exitCodes.fine : exitCodes.findings;
    } catch (error) {
      if (stop.signal.aborted) {
        io.stderr('Stopped.\n');
        return exitCodes.findings;
      }
      throw error instanceof ServerFailure ? new CommandFailure([error.diagnostic]) : error;
    } finally {
      forget();
    }
  },
};

type Prepared = Omit<Parameters<typeof runDrill>[0], 'faults' | 'rounds' | 'timeout' | 'clock' | 'onReport'>;

/** Starts proxies and servers, and stops them in any case. */
async function drill(
  started: Invocation,
  plan: DrillPlan,
  stop: AbortController,
  run: (prepared: Prepared) => Promise<readonly FaultReport[]>,
): Promise<readonly FaultReport[]> {
  const { operands, options, io } = started;
  const topology = requireValid(joinFederation(await readTopology(operands, io, options), options), io);
  if (topology.schema.subscriptions.length === 0)
    throw failure('GG5069', { reason: 'it has no FORK edge' }, options.projectPath ?? 'topology');
  const { settings, env, proxies, database } = await openProxies(plan, options);
  // Before the streams of clients end, what they are told counts no more.
  const done = new AbortController();
  const signal = AbortSignal.any([stop.signal, done.signal]);
  const start = () =>
    spawn(
      process.execPath,
      [fileURLToPath(new URL('dist/tools/cli/gg-svc.js', io.packageRoot)), ...serveArguments(started)],
      {
        cwd: io.directory,
        env: { ...io.env, NOTIFY_SOCKET: '', NO_COLOR: '1', ...env, ...drillEnvironment(settings) },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  const servers = [new DrillServer('first server', start), new DrillServer('second server', start)];
  const kill = () => Promise.all(servers.map((server) => server.stop('SIGKILL')));
  signal.addEventListener('abort', () => void kill(), { once: true });
  try {
    // One after another: the first one makes tables and streams.
    for (const server of servers) await server.start();
    const { schema } = topology;
    const prepared = await prepare(schema, options, io, servers, signal, plan.events.broker !== 'redis');
    return await run({ ...prepared, schema, servers, proxies, database, signal });
  } finally {
    done.abort();
    await kill();
    for (const proxy of proxies) proxy.close();
    await cleanUp(plan, io);
  }
}

/** The command line of a server: that of the drill, on a free port. */
function serveArguments({ operands, options }: Invocation): readonly string[] {
  const given = ['resolvers', 'context', 'channels'].flatMap((name) => {
    const value = options[name];
    return value === false ? [`--no-${name}`] : typeof value === 'string' ? [`--${name}`, value] : [];
  });
  const config =
    options.config === false ? ['--no-config'] : options.config ? ['--config', String(options.config)] : [];
  const mock = options.mock === true ? ['--mock'] : [];
  return ['serve', '--port', '0', '--bind', '127.0.0.1', ...given, ...config, ...mock, '--', ...operands];
}

/**
 * Finds the calls that publish events with the examples of their inputs, and the subscriptions to these events.
 *
 * @throws {CommandFailure} GG5069 if there are none.
 */
async function prepare(
  whole: Parameters<typeof schemaToWorkflows>[0],
  options: CliOptions,
  io: CliIo,
  servers: readonly DrillServer[],
  signal: AbortSignal,
  keepsEvents: boolean,
) {
  const { server = {} } = options.project ?? {};
  const callers = listCallers(options);
  const signed = callers.length === 0 ? [] : await signCallers(callers, readSigning(options, io));
  const choose = signed.length === 0 ? undefined : createStepCallers(whole, signed, server.owners);
  // A caller without a principal is known by its cookie.
  const headers: Readonly<Record<string, string>> = choose ? {} : { cookie: `gg-svc-drill=${randomUUID()}` };
  const headersOf = ({ name }: GqlOperation) =>
    choose ? { authorization: `Bearer ${choose({ subscription: name }).token}` } : headers;
  const hasKeys = server.idempotency !== undefined;
  const run: RunOptions = { inputs: {}, headers, callers: choose, timeout: 20_000, signal, clock: io.clock };
  const openapi = schemaToOpenAPI(whole, '');
  const openSubscriptions = whole.subscriptions.filter((one) => !one.arguments.some(isRequired));
  const canFollow = new Set(openSubscriptions.map(({ name }) => name));
  const operationOf = operationsOfSteps(whole);
  const schema = wireView(whole);
  const ofOwner = { owner: signed[0]?.id ?? '', names: ownerNames(schema), given: {} };
  let reason = 'no mutation has a FORK edge behind it, or each subscription needs arguments';
  const jobs: Job[] = [];
  const publishing = new Set<string>();
  const workflows = schemaToWorkflows(whole, '')?.workflows ?? [];
  for (const workflow of workflows.toSorted((one, other) => one.steps.length - other.steps.length)) {
    const events = new Map(
      workflow.steps.map((step) => {
        const found = (step['x-events'] ?? []).map(({ subscription }) => subscription);
        return [step.stepId, found.filter((name) => canFollow.has(name))];
      }),
    );
    const own = workflow.steps.filter(({ stepId }) => (events.get(stepId) ?? []).length > 0);
    // Longer chains publish nothing new.
    if (own.every(({ operationId }) => publishing.has(operationId))) continue;
    const steps = workflow.steps.map(({ 'x-events': _, ...step }) =>
      hasKeys && operationOf(step).kind === 'mutation' ? { ...step, parameters: withKey(step) } : step,
    );
    const inputs = (number: number) => {
      const varied = ownInputs(schema, workflow, inputsOf(workflow, run), {
        ...ofOwner,
        variation: String(number),
      });
      return { ...varied.inputs, drillKey: randomUUID() };
    };
    const job: Job = { workflow: { ...workflow, steps }, events, inputs };
    const trial = new Traffic({ openapi, servers, jobs: [job], run, hasKeys });
    const failed = (await trial.call()) ?? (await trial.call());
    if (failed === undefined) {
      jobs.push(job);
      for (const { operationId } of own) publishing.add(operationId);
    } else reason = failed;
    signal.throwIfAborted();
  }
  if (jobs.length === 0) throw failure('GG5069', { reason }, options.projectPath ?? 'topology');
  const published = new Set(jobs.flatMap(({ events }) => [...events.values()].flat()));
  const subscriptions = openSubscriptions.filter(({ name }) => published.has(name));
  const traffic = { openapi, jobs, run, hasKeys };
  return { traffic, subscriptions, headersOf, keepsEvents, endpoint: server.endpoint ?? defaultEndpoint };
}

/** The parameters of a step with a key of the run. */
function withKey({ stepId, parameters = [] }: ArazzoStep): NonNullable<ArazzoStep['parameters']> {
  const key = { name: 'Idempotency-Key', in: 'header', value: `{$inputs.drillKey}-${stepId}` } as const;
  return [...parameters.filter(({ name }) => name !== key.name), key];
}
