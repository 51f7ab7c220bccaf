import { randomBytes } from 'node:crypto';
import pc from 'picocolors';
import { isWebUrl } from '../../../base/source/parse-url.js';
import type { ArazzoDescription, ArazzoWorkflow } from '../../../compiler/emit/arazzo/format.js';
import { schemaToWorkflows } from '../../../compiler/emit/arazzo.js';
import { schemaToOpenAPI } from '../../../compiler/emit/openapi.js';
import { didYouMean } from '../../../compiler/graph/suggest.js';
import type { SigningOptions } from '../../../runtime/auth/auth-config.js';
import { bearerJwt } from '../../../runtime/auth/bearer-jwt.js';
import { createHostListener } from '../../../runtime/hosts/node/listeners.js';
import { isPattern } from '../../../runtime/load/globs.js';
import { runWorkflow, type StepResult, type WorkflowResult } from '../../workflows/run-workflow.js';
import { createStepCallers } from '../../workflows/step-callers.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import { ownSigning, readSigning } from '../files/signing.js';
import { replaceFile } from '../files/write-files.js';
import { listen } from '../serving/listen.js';
import { createLoaders, openChannels } from '../serving/modules.js';
import { openApi } from '../serving/open-api.js';
import { moduleOptions } from '../serving/server-options.js';
import { callerOptions, listCallers, readCaller } from '../terminal/callers.js';
import {
  type CliCommand,
  type CliOptions,
  choice,
  type Invocation,
  repeatable,
  UsageError,
  withDefault,
} from '../terminal/command.js';
import { count } from '../terminal/count.js';
import { type CliIo, exitCodes, usesColor } from '../terminal/io.js';
import { readNumber, readPairs, readText } from '../terminal/option-values.js';
import { requireValid } from '../terminal/report-findings.js';

export const command: CliCommand = {
  project: 'options',
  options: {
    '--url <url>': 'test a running server',
    '-i, --input <name=value>': repeatable('value of an input; repeatable'),
    '-H, --header <name: value>': repeatable('header of every request; repeatable'),
    '--as <id>': 'id of the caller that sends the requests (default: those of the project file)',
    ...callerOptions,
    '--timeout <ms>': withDefault('time limit for an answer, and for an event after it', '10000'),
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
    const callers = chooseCallers(options, given);
    // A secret of this run: the server that it starts accepts its tokens beside those of the project.
    const isOwn = callers.length > 0 && given.url === undefined;
    const own = isOwn ? ownSigning('gg-svc test', randomBytes(32)) : undefined;
    const stop = new AbortController();
    const forget = io.onStop(() => stop.abort());
    const api = await openTestedApi({ operands: sources, options, io }, given.url, own);
    try {
      if (api === undefined) return exitCodes.findings;
      const arazzo = schemaToWorkflows(api.schema, '');
      const workflows = chooseWorkflows(arazzo, names);
      checkInputs(workflows, given.inputs, callers.length > 0);
      const documents = { openapi: schemaToOpenAPI(api.schema, ''), origin: api.origin };
      const { owners } = options.project?.server ?? {};
      const signing = () => own ?? readSigning(options, io);
      const senders =
        callers.length === 0 ? undefined : await createStepCallers(api.schema, callers, signing(), owners);
      const run = { ...given, callers: senders, signal: stop.signal, clock: io.clock };
      return await runAll(documents, workflows, run, options, io);
    } finally {
      forget();
      await api?.close();
    }
  },
};

async function runAll(
  documents: Parameters<typeof runWorkflow>[0],
  workflows: readonly ArazzoWorkflow[],
  run: Parameters<typeof runWorkflow>[2],
  options: CliOptions,
  io: CliIo,
): Promise<number> {
  const out = readText(options, 'out');
  const isShown = options.format === 'text' && out === undefined;
  const color = isShown && usesColor(io.env, io.stdoutIsTerminal);
  const results: WorkflowResult[] = [];
  for (const workflow of workflows) {
    if (run.signal.aborted) break;
    const result = await runWorkflow(documents, workflow, run);
    results.push(result);
    if (isShown) io.stdout(printResult(result, color));
  }
  if (isShown) io.stdout(printSummary(results));
  else {
    const report = workflowReporters[options.format as keyof typeof workflowReporters](results);
    if (out === undefined) io.stdout(report);
    else {
      await replaceFile(out, report, io);
      io.stdout(`${printSummary(results)}wrote ${out}\n`);
    }
  }
  if (run.signal.aborted) io.stderr(`Stopped after ${results.length} of ${workflows.length} workflows.\n`);
  return !run.signal.aborted && results.every(({ passed }) => passed) ? exitCodes.fine : exitCodes.findings;
}

function chooseWorkflows(arazzo: ArazzoDescription | undefined, names: readonly string[]) {
  const all = arazzo?.workflows ?? [];
  const known = all.map(({ workflowId }) => workflowId);
  for (const name of names)
    if (!known.includes(name))
      throw new UsageError(`The topology has no workflow ${name}.${didYouMean(name, known)}`);
  if (all.length === 0)
    throw new UsageError('The topology has no workflows: it has no query and no mutation.');
  return names.length === 0 ? all : all.filter(({ workflowId }) => names.includes(workflowId));
}

/** The callers of requests: the one of the command line, or else those of the project file; none if a token is given. */
function chooseCallers(options: CliOptions, { inputs, headers }: ReturnType<typeof readOptions>) {
  const named = readCaller(options);
  const hasToken =
    Object.hasOwn(inputs, 'token') || Object.keys(headers).some((name) => /^authorization$/i.test(name));
  if (named === undefined) return hasToken ? [] : listCallers(options);
  if (hasToken) throw new UsageError('--as sends a token of its own: omit the other one.');
  return [named];
}

function checkInputs(
  workflows: readonly ArazzoWorkflow[],
  given: Readonly<Record<string, string>>,
  hasCallers: boolean,
): void {
  const known = new Set(workflows.flatMap(({ inputs }) => Object.keys(inputs?.properties ?? {})));
  for (const name of Object.keys(given))
    if (!known.has(name)) throw new UsageError(`No workflow has an input ${name}.${didYouMean(name, known)}`);
  for (const { workflowId, inputs } of workflows) {
    const missing = inputs?.required?.find(
      (name) => !Object.hasOwn(given, name) && !(hasCallers && name === 'token'),
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

/** One line for a workflow that passes; its steps, with their problems, for one that fails. */
function printResult(result: WorkflowResult, color: boolean): string {
  const { green, red, dim } = pc.createColors(color);
  const { workflow, passed, steps, milliseconds } = result;
  const events = steps.flatMap((step) => step.events);
  const what = [count(steps.length, 'step'), ...(events.length === 0 ? [] : [count(events.length, 'event')])];
  const head = `${passed ? green('✓') : red('✗')} ${workflow} ${dim(`(${what.join(', ')}, ${Math.round(milliseconds)} ms)`)}\n`;
  if (passed) return head;
  const lines = steps.flatMap((step) => {
    const mark = { passed: green('✓'), failed: red('✗'), skipped: dim('-') }[step.outcome];
    return [`    ${mark} ${describeStep(step)}`, ...step.problems.map((problem) => `        ${problem}`)];
  });
  return `${head}${lines.join('\n')}\n`;
}

function describeStep({ request, caller, outcome, status, events, milliseconds }: StepResult): string {
  if (outcome === 'skipped') return `${request} skipped`;
  const received = events.map((event) => `, event ${event}`).join('');
  const sender = caller === undefined ? '' : ` as ${caller}`;
  return `${request}${sender}${status === undefined ? '' : ` ${status}`}${received} (${Math.round(milliseconds)} ms)`;
}

/** `2 workflows passed, 1 failed: 7 steps, 3 events (82 ms)`. */
function printSummary(results: readonly WorkflowResult[]): string {
  const passed = results.filter((result) => result.passed).length;
  const failed = results.length - passed;
  const steps = results.flatMap((result) => result.steps).filter(({ outcome }) => outcome !== 'skipped');
  const events = steps.flatMap((step) => step.events).length;
  const took = Math.round(results.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  return `${count(passed, 'workflow')} passed, ${failed} failed: ${count(steps.length, 'step')}, ${count(events, 'event')} (${took} ms)\n`;
}

const workflowReporters = {
  text: (results: readonly WorkflowResult[]): string =>
    results.map((result) => printResult(result, false)).join('') + printSummary(results),
  json: (results: readonly WorkflowResult[]): string =>
    `${JSON.stringify({ workflows: results }, null, 2)}\n`,
  junit: printJUnit,
};

/** A test suite for each workflow and a test case for each step, in the form that CI systems read. */
function printJUnit(results: readonly WorkflowResult[]): string {
  const suites = results.map(({ workflow, steps, milliseconds }) => {
    const cases = steps.map(({ step, outcome, problems, milliseconds: took }) => {
      const inner =
        outcome === 'failed'
          ? `<failure message="${xml(problems[0] ?? '')}">${xml(problems.join('\n'))}</failure>`
          : outcome === 'skipped'
            ? '<skipped/>'
            : '';
      const head = `<testcase classname="${xml(workflow)}" name="${xml(step)}" time="${seconds(took)}"`;
      return inner === '' ? `    ${head}/>` : `    ${head}>${inner}</testcase>`;
    });
    const having = (outcome: StepResult['outcome']) =>
      steps.filter((step) => step.outcome === outcome).length;
    return [
      `  <testsuite name="${xml(workflow)}" tests="${steps.length}" failures="${having('failed')}" skipped="${having('skipped')}" time="${seconds(milliseconds)}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gg-svc">\n${suites.join('\n')}\n</testsuites>\n`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Characters that XML 1.0 cannot contain are replaced (section 2.2). */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Serves the API of a topology on a free port of this machine, or takes the one at a URL.
 *
 * @param secret - Signs tokens that the API accepts, on a free port.
 * @returns undefined if the topology or its modules have errors, which have been reported.
 */
async function openTestedApi(
  started: Invocation,
  url: string | undefined,
  secret: SigningOptions | undefined,
) {
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
