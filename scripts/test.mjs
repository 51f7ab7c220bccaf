// Runs everything that a change has to pass: `npm test`. With `long` it runs the slow suites instead:
// `npm run test:long`. With `again` it repeats the tests of `npm test` on another Node.js, with what `npm test` has
// built. Every step runs, even after a failed one, so that one run reports every problem. The last lines name what
// failed, and count the tests; a failed step that has no failed test counts as one failure.

import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'gg-svc-test-'));

/** A step with Vitest, with its results in a report as well. */
const vitest = (name, ...args) => {
  const report = join(scratch, `${name}.json`);
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return [name, ['node_modules/vitest/vitest.mjs', 'run', ...args, ...output], report];
};

const unit = ['--project=unit', '--project=isolated', '--project=graphql-17'];

// The steps of one list run in turn. `checks` are two lists that run side by side, because each step keeps only
// one processor busy. The type check covers `src`, so the build does not repeat it.
const plans = {
  quick: {
    checks: [
      [
        ['build', ['scripts/build.mjs', '--noCheck']],
        ['package', ['scripts/check-package.mjs']],
        ['docs', ['node_modules/typedoc/bin/typedoc']],
      ],
      [
        ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
        ['types of web', ['node_modules/typescript/bin/tsc', '-p', 'web']],
        ['types of workers', ['node_modules/typescript/bin/tsc', '-p', 'web/playground/worker']],
        ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
        ['unused', ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors']],
      ],
    ],
    suites: [vitest('tests', ...unit, '--coverage')],
  },
  again: { checks: [], suites: [vitest('tests', ...unit)] },
  long: {
    checks: [[['build', ['scripts/build.mjs', '--noCheck']]]],
    suites: [
      vitest('tests', '--project=long', '--project=browser'),
      ['apollo', ['test/external/apollo/run.mjs']],
      ['clients', ['test/external/clients/run.mjs']],
      ['runtimes', ['test/external/runtimes/run.mjs']],
    ],
    // Beside the others, on the second processor.
    beside: [vitest('models', '--project=models')],
  },
};

const { checks, suites, beside = [] } = plans[process.argv[2] ?? 'quick'];
const ended = [];

const runInTurn = async (steps) => {
  for (const step of steps) {
    const { output, status } = await run(step[1], 'pipe');
    console.log(`\n== ${step[0]}\n${output}`);
    ended.push({ step, status });
  }
};

await Promise.all(checks.map(runInTurn));
const running = runInTurn(beside);
for (const step of suites) {
  console.log(`\n== ${step[0]}`);
  const { status } = await run(step[1], 'inherit');
  ended.push({ step, status });
}
await running;

const results = ended.map(({ step: [name, , report], status }) => ({ name, status, ...readResults(report) }));
rmSync(scratch, { recursive: true, force: true });

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failures = results
  .flatMap(({ name, status, failed }) => (status !== 0 && failed.length === 0 ? [name] : failed))
  .map((name) => `failed: ${name}`);
const result = [...failures, `${passed} passed, ${failures.length} failed`].join('\n');
console.log(`\n${result}`);
if (process.env.TEST_RESULTS !== undefined) appendFileSync(process.env.TEST_RESULTS, `${result}\n`);
process.exitCode = results.every(({ status }) => status === 0) && passed > 0 ? 0 : 1;

/** Runs a Node program. Its errors go where its output goes, so that the log keeps their order. */
function run(args, output) {
  return new Promise((resolve) => {
    const stdio = output === 'pipe' ? 'pipe' : ['inherit', 'inherit', 1];
    const child = spawn(process.execPath, args, { cwd: root, stdio });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
    child.on('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString() }));
  });
}

/** The number of tests that passed, and those that failed: file, name and the first line of the reason. */
function readResults(report) {
  if (report === undefined) return { passed: 0, failed: [] };
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const failed = testResults.flatMap(({ name, assertionResults, message, status }) => {
      const file = relative(root, name);
      const tests = assertionResults.filter((test) => test.status === 'failed');
      if (status === 'failed' && tests.length === 0) return [`${file}: ${firstLine(message)}`];
      return tests.map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages.join('\n'))}`);
    });
    return { passed: numPassedTests, failed };
  } catch {
    // The run ended before it could write its report; the step itself counts as failed.
    return { passed: 0, failed: [] };
  }
}

function firstLine(text) {
  return stripVTControlCharacters(text).split('\n', 1)[0];
}
