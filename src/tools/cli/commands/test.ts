import { randomBytes } from 'node:crypto';
import { isWebUrl } from '../../../base/source/parse-url.js';
import type { ArazzoDescription, ArazzoWorkflow } from '../../../compiler/emit/arazzo/format.js';
import { schemaToWorkflows } from '../../../compiler/emit/arazzo.js';
import { schemaToOpenAPI } from '../../../compiler/emit/openapi.js';
import { writeJson } from '../../../compiler/emit/text/write-json.js';
import { didYouMean } from '../../../compiler/graph/suggest.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { defaultEndpoint } from '../../../compiler/schema/server-paths.js';
import type { SigningOptions } from '../../../runtime/auth/auth-config.js';
import { bearerJwt } from '../../../runtime/auth/bearer-jwt.js';
import { createHostListener } from '../../../runtime/hosts/node/listeners.js';
import { attachSubscriptions } from '../../../runtime/hosts/websocket/attach-subscriptions.js';
import { isPattern } from '../../../runtime/load/globs.js';
import { freshInputs } from '../../workflows/fresh-inputs.js';
import { loadScript } from '../../workflows/load-scenario.js';
import { type ObjectAccessResult, testObjectAccess } from '../../workflows/object-access/test-object-access.js';
import {
  inputsOf,
  keyInputs,
  runWorkflow,
  type WorkflowApi,
  type WorkflowResult,
} from '../../workflows/run-workflow.js';
import { createStepCallers, signCallers } from '../../workflows/step-callers.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import { ownSigning, readSigning } from '../files/signing.js';
import { replaceFile } from '../files/write-files.js';
import { listen } from '../serving/listen.js';
import { createLoaders, openChannels } from '../serving/modules.js';
import { openApi } from '../serving/open-api.js';
import { moduleOptions } from '../serving/server-options.js';
import { callerOptions, listCallers, readCallers } from '../terminal/callers.js';
import {
  type CliCommand,
  type CliOptions,
  choice,
  type Invocation,
  repeatable,
  UsageError,
  withDefault,
} from '../terminal/command.js';
import { type CliIo, exitCodes, usesColor } from '../terminal/io.js';
import { readNumber, readPairs, readText } from '../terminal/option-values.js';
import { requireValid } from '../terminal/report-findings.js';
import { printFindings, printReplays, printResult, printSummary, workflowReporters } from './test/workflow-reports.js';

export const command: CliCommand = {
  doing: 'Running workflows',
  project: 'options',
  options: {
    '--url <url>': 'test a running server',
    '-i, --input <name=value>': repeatable('value of an input; repeatable'),
    '-H, --header <name: value>': repeatable('header of every request; repeatable'),
    '--as <id>': repeatable(
      'caller that sends the requests (default: those of the project file); each further one must not get its objects',
    ),
    ...callerOptions,
    '--seed <number>': withDefault('inputs of several --as: equal numbers make equal ones', '1'),
    '--timeout <ms>': withDefault('time limit for an answer, and for an event after it', '10000'),
    '--load': 'write a script for Artillery instead of running the workflows',
    '--duration <seconds>': withDefault('of --load: how long workflows begin', '60'),
    '--rate <number>': withDefault('of --load: the workflows that begin in a second', '5'),
    '-f, --format <format>': choice('output format', ['text', 'json', 'junit']),
    '-o, --out <file>': 'file of the report (default: standard output)',
    ...moduleOptions,
    '--no-federation': 'omit the federation queries',
  },
  async run(operands, options, io) {
    const isFile = (operand: string) => /[./\\]|^-$/.test(operand) || isPattern(operand);
    const files = operands.filter(isFile);
    const names = operands.filter((operand) => !isFile(operand));
    const sources = files.length > 0 ? files : (options.project?.sources ?? []);
    if (sources.length === 0)
      throw new UsageError('test needs a topology: name its files, or list “sources” in the project file.');
    const given = readOptions(options);
    const seed = readNumber(options.seed, '--seed');
    const callers = chooseCallers(options, given);
    // A secret of this run: the server that it starts accepts its tokens beside those of the project.
    const isOwn = callers.length > 0 && given.url === undefined;
    const own = isOwn ? ownSigning('gg-svc test', randomBytes(32)) : undefined;
    const stop = new AbortController();
    const forget = io.onStop(() => stop.abort());
    const isLoad = options.load === true;
    const url = given.url ?? (isLoad ? 'http://127.0.0.1:4000' : undefined);
    const api = await openTestedApi({ operands: sources, options, io }, url, own);
    try {
      if (api === undefined) return exitCodes.findings;
      const arazzo = schemaToWorkflows(api.schema, '');
      const workflows = chooseWorkflows(arazzo, names);
      checkInputs(workflows, given.inputs, callers.length > 0 || isLoad);
      const documents = { openapi: schemaToOpenAPI(api.schema, ''), origin: api.origin };
      if (isLoad) return await writeLoad({ ...documents, schema: api.schema }, workflows, given, options, io);
      const { owners } = options.project?.server ?? {};
      const signing = () => own ?? readSigning(options, io);
      const signed = callers.length === 0 ? [] : await signCallers(callers, signing());
      const run = { ...given, signal: stop.signal, clock: io.clock };
      const users = readCallers(options);
      if (users.length > 1) {
        const { endpoint = defaultEndpoint } = options.project?.server ?? {};
        const asked = { ...documents, schema: api.schema, endpoint };
        const [accessUsers, helpers] = [signed.slice(0, users.length), signed.slice(users.length)];
        const objectAccess = { run, users: accessUsers, helpers, owners, seed, variations, silence };
        return await runAll(workflows, run.signal, options, io, (onWorkflow) =>
          testObjectAccess(asked, workflows, { ...objectAccess, onWorkflow }),
        );
      }
      const senders = signed.length === 0 ? undefined : createStepCallers(api.schema, signed, owners);
      return await runAll(workflows, run.signal, options, io, async (onWorkflow) => {
        for (const workflow of workflows) {
          if (run.signal.aborted) break;
          const using = { ...run, callers: senders };
          const inputs = freshInputs(api.schema, workflow, inputsOf(workflow, using), given.inputs);
          onWorkflow(await runWorkflow(documents, workflow, using, inputs));
        }
        return undefined;
      });
    } finally {
      forget();
      await api?.close();
    }
  },
};

async function writeLoad(
  api: WorkflowApi & { readonly schema: GqlSchema },
  workflows: readonly ArazzoWorkflow[],
  given: ReturnType<typeof readOptions>,
  options: CliOptions,
  io: CliIo,
): Promise<number> {
  const duration = readNumber(options.duration, '--duration', 3600, 1);
  const rate = readNumber(options.rate, '--rate', 1000, 1);
  const script = writeJson(loadScript(api, api.schema, workflows, { ...given, duration, rate }));
  await printOrWrite(script, readText(options, 'out'), io);
  return exitCodes.fine;
}

/** Writes a text into the file that the command line names; else to standard output. */
async function printOrWrite(text: string, out: string | undefined, io: CliIo): Promise<void> {
  if (out !== undefined) await replaceFile(out, text, io);
  io.stdout(out === undefined ? text : `wrote ${out}\n`);
}

/** How often the inputs are varied for other users. */
const variations = 2;
/** How long a stream must be silent, in milliseconds: the event of a mutation arrives sooner. */
const silence = 300;

async function runAll(
  workflows: readonly ArazzoWorkflow[],
  signal: AbortSignal,
  options: CliOptions,
  io: CliIo,
  run: (onWorkflow: (result: WorkflowResult) => void) => Promise<ObjectAccessResult | undefined>,
): Promise<number> {
  const out = readText(options, 'out');
  const isShown = options.format === 'text' && out === undefined;
  const color = isShown && usesColor(io.env, io.stdoutIsTerminal);
  const results: WorkflowResult[] = [];
  const objectAccess = await run((result) => {
    results.push(result);
    if (isShown) io.stdout(printResult(result, color));
  });
  const summary = printSummary(results) + (objectAccess === undefined ? '' : printReplays(objectAccess));
  if (isShown) io.stdout(`${objectAccess === undefined ? '' : printFindings(objectAccess, color)}${summary}`);
  else {
    if (out !== undefined) io.stdout(summary);
    const print = workflowReporters[options.format as keyof typeof workflowReporters];
    await printOrWrite(print(results, objectAccess), out, io);
  }
  if (signal.aborted) io.stderr(`Stopped after ${results.length} of ${workflows.length} workflows.\n`);
  const isFine =
    results.every(({ passed }) => passed) &&
    objectAccess?.findings.some(({ severity }) => severity === 'error') !== true;
  return !signal.aborted && isFine ? exitCodes.fine : exitCodes.findings;
}

function chooseWorkflows(arazzo: ArazzoDescription | undefined, names: readonly string[]) {
  const all = arazzo?.workflows ?? [];
  const known = all.map(({ workflowId }) => workflowId);
  for (const name of names)
    if (!known.includes(name)) throw new UsageError(`The topology has no workflow ${name}.${didYouMean(name, known)}`);
  if (all.length === 0) throw new UsageError('The topology has no workflows: it has no query and no mutation.');
  return names.length === 0 ? all : all.filter(({ workflowId }) => names.includes(workflowId));
}

/** The callers of requests: those of the command line, or else those of the project file; none if a token is given. */
function chooseCallers(options: CliOptions, { inputs, headers }: ReturnType<typeof readOptions>) {
  const named = readCallers(options);
  if (options.load === true && named.length > 0)
    throw new UsageError(
      '--load does not sign tokens: omit --as, and set the environment variable TOKEN for the script.',
    );
  const hasToken = Object.hasOwn(inputs, 'token') || Object.keys(headers).some((name) => /^authorization$/i.test(name));
  if (named.length === 0) return hasToken ? [] : listCallers(options);
  if (hasToken) throw new UsageError('--as sends a token of its own: omit the other one.');
  if (named.length === 1) return named;
  const [twice] = named.filter(({ id }, at) => named.findIndex((one) => one.id === id) < at);
  if (twice !== undefined) throw new UsageError(`--as ${twice.id} is given twice: name another caller.`);
  // The others of the project file send what the first user may not.
  return [...named, ...listCallers(options).filter(({ id }) => named.every((one) => one.id !== id))];
}

function checkInputs(
  workflows: readonly ArazzoWorkflow[],
  given: Readonly<Record<string, string>>,
  hasCallers: boolean,
): void {
  const known = new Set(workflows.flatMap(({ inputs }) => Object.keys(inputs?.properties ?? {})));
  for (const name of Object.keys(given))
    if (!known.has(name)) throw new UsageError(`No workflow has an input ${name}.${didYouMean(name, known)}`);
  for (const workflow of workflows) {
    const { workflowId, inputs } = workflow;
    const keys = keyInputs(workflow);
    const missing = inputs?.required?.find(
      (name) => !Object.hasOwn(given, name) && !(hasCallers && name === 'token') && !keys.includes(name),
    );
    if (missing !== undefined) {
      const other = missing === 'token' ? ', or --as <id>' : '';
      throw new UsageError(
        `The workflow ${workflowId} needs the input ${missing}: pass --input ${missing}=<value>${other}.`,
      );
    }
  }
}

function readOptions(options: CliOptions) {
  const url = readText(options, 'url');
  if (url !== undefined && !isWebUrl(url))
    throw new UsageError(`--url must be a URL such as http://127.0.0.1:4000, not ${url}.`);
  const timeout = readNumber(options.timeout, '--timeout', 2 ** 31 - 1);
  const inputs = readPairs(options.input, '--input', /^(\w+)=(.*)$/s, 'a name and a value, such as name=Ada');
  const expected = 'a name and a value, such as "X-Tenant: acme"';
  return { url, timeout, inputs, headers: readPairs(options.header, '--header', headerForm, expected) };
}

const headerForm = /^([\w!#$%&'*+.^`|~-]+): *([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * Serves the API of a topology on a free port of this machine, or takes the one at a URL.
 *
 * @param secret - Signs tokens that the API accepts, on a free port.
 * @returns undefined if the topology or its modules have errors, which have been reported.
 */
async function openTestedApi(started: Invocation, url: string | undefined, secret: SigningOptions | undefined) {
  const { operands, options, io } = started;
  if (url !== undefined) {
    const topology = await readTopology(operands, io, options);
    const { schema } = requireValid(joinFederation(topology, options), io);
    return { schema, origin: url.replace(/\/+$/, ''), close: () => Promise.resolve() };
  }
  const authenticator = secret && bearerJwt(secret);
  const outside = await openChannels(started);
  const forgetRejections = io.onUnhandledRejection((reason) => {
    io.stderr(`warning: unhandled promise rejection: ${String(reason)}\n`);
  });
  const loaders = createLoaders(io);
  const closeAll = async (): Promise<void> => {
    forgetRejections();
    await outside.close();
    await loaders.dispose(true);
  };
  const federation = options.federation === false ? false : undefined;
  const own = { names: {}, engine: 'beta', federation, outside, authenticator } as const;
  const opened = await openApi(started, own, loaders);
  if (!opened.ok) {
    await closeAll();
    return undefined;
  }
  const { server, schema } = opened;
  const listening = await listen(await createHostListener('node', () => server), 0, '127.0.0.1');
  attachSubscriptions(server, listening.http);
  return {
    schema,
    origin: listening.origin,
    close: async () => {
      // No other client sends requests, so there is nothing to announce.
      await listening.close(server, { notice: 0, grace: 0 });
      await closeAll();
    },
  };
}
