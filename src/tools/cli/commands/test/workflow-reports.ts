import pc from 'picocolors';
import type { ObjectAccessResult } from '../../../workflows/object-access/test-object-access.js';
import type { StepResult, WorkflowResult } from '../../../workflows/run-workflow.js';
import { count } from '../../terminal/count.js';

/** One line for a workflow that passes; its steps, with their problems, for one that fails. */
export function printResult(result: WorkflowResult, color: boolean): string {
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
export function printSummary(results: readonly WorkflowResult[]): string {
  const passed = results.filter((result) => result.passed).length;
  const failed = results.length - passed;
  const steps = results.flatMap((result) => result.steps).filter(({ outcome }) => outcome !== 'skipped');
  const events = steps.flatMap((step) => step.events).length;
  const took = Math.round(results.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  return `${count(passed, 'workflow')} passed, ${failed} failed: ${count(steps.length, 'step')}, ${count(events, 'event')} (${took} ms)\n`;
}

/** The formats of the report. */
export const workflowReporters = {
  text: (results: readonly WorkflowResult[], objectAccess?: ObjectAccessResult): string =>
    results.map((result) => printResult(result, false)).join('') +
    (objectAccess === undefined ? '' : printFindings(objectAccess, false)) +
    printSummary(results) +
    (objectAccess === undefined ? '' : printReplays(objectAccess)),
  json: (results: readonly WorkflowResult[], objectAccess?: ObjectAccessResult): string =>
    `${JSON.stringify({ workflows: results, objectAccess }, null, 2)}\n`,
  junit: printJUnit,
};

/** A test suite for each workflow and a test case for each step, in the form that CI systems read. */
function printJUnit(results: readonly WorkflowResult[], objectAccess?: ObjectAccessResult): string {
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
    const having = (outcome: StepResult['outcome']) => steps.filter((step) => step.outcome === outcome).length;
    return [
      `  <testsuite name="${xml(workflow)}" tests="${steps.length}" failures="${having('failed')}" skipped="${having('skipped')}" time="${seconds(milliseconds)}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n');
  });
  if (objectAccess !== undefined) suites.push(printObjectAccessSuite(objectAccess));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gg-svc">\n${suites.join('\n')}\n</testsuites>\n`;
}

/** The wrong answers to other users as a test suite. Warnings pass. */
function printObjectAccessSuite({ findings, replayed }: ObjectAccessResult): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const cases = errors.map(({ operation, user, reason, chain }) => {
    const text = xml([reason, ...chain].join('\n'));
    return `    <testcase classname="object access" name="${xml(`${operation} as ${user}`)}"><failure message="${xml(reason)}">${text}</failure></testcase>`;
  });
  const head = `  <testsuite name="object access" tests="${replayed}" failures="${errors.length}">`;
  return [head, ...cases, '  </testsuite>'].join('\n');
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

/** The wrong answers to other users with their chains, and what was not judged. */
export function printFindings({ findings, open, exempt, untested }: ObjectAccessResult, color: boolean): string {
  const { red, yellow, dim } = pc.createColors(color);
  const lines = findings.flatMap(({ severity, operation, user, over, reason, chain }) => {
    const mark = severity === 'error' ? red('✗') : yellow('!');
    return [
      `${mark} ${operation} as ${user} over ${over.join(', ')}: ${reason}`,
      ...chain.map((call, at) => `    ${at + 1}. ${call}`),
    ];
  });
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [dim(`${title}:`), ...items.map((item) => dim(`    ${item}`))];
  const users = [...new Set(exempt.map(({ user }) => user))].map((user) => {
    const operations = exempt.filter((one) => one.user === user).map(({ operation }) => operation);
    return `${user}: ${operations.join(', ')}`;
  });
  lines.push(
    ...list('open to everyone', open),
    ...list('acts for every owner', users),
    ...list(
      'not replayed',
      untested.map(({ operation, reason }) => `${operation}: ${reason}`),
    ),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** `12 operations replayed: 1 error, 0 warnings (48 requests, seed 1)`. */
export function printReplays({ findings, replayed, requests, seed }: ObjectAccessResult): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const found = `${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}`;
  return `${count(replayed, 'replay')} by other users: ${found} (${count(requests, 'request')}, seed ${seed})\n`;
}
