// `npm test` runs the tests, `npm run coverage` measures what they cover, `npm run check` holds everything else that a
// change has to pass, and `npm run test:long` runs the slow suites. Every step runs, even after a failed one, so that one
// run reports every problem. The last lines name what failed, and count the tests, or the steps of a plan
// without tests. A failed step that has no failed test counts as one failure.

import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { timeOfPrograms } from './processor-time.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'gg-svc-test-'));

/** A step with Vitest, with its results in a report as well. */
const vitest = (name, ...args) => {
  const report = join(scratch, `${name}.json`);
  const reporters = ['default', './scripts/slowest-files.mjs', 'json'].map((one) => `--reporter=${one}`);
  const output = [...reporters, `--outputFile.json=${report}`];
  return [name, ['node_modules/vitest/vitest.mjs', 'run', ...args, ...output], report];
};

const tests = ['--project=unit', '--project=isolated'];
const build = ['build', ['scripts/build.mjs']];
// Two test files must not build at the same time.
const ensureBuilt = ['build', ['scripts/ensure-built.mjs']];

// A plan is a list of phases, and a phase a list of chains, which lanes share: each step of a chain needs what the
// steps before it have made, and keeps one processor busy.
const plans = {
  tests: [[[ensureBuilt, vitest('tests', ...tests)]]],
  coverage: [[[ensureBuilt, vitest('tests', ...tests, '--coverage')]]],
  check: [
    [
      [
        // The build takes its types from here.
        ['types', ['node_modules/typescript-7/bin/tsc', '-b']],
        build,
        ['package', ['scripts/check-package.mjs']],
        ['docs', ['node_modules/typedoc/bin/typedoc']],
      ],
      [
        ['types of web', ['node_modules/typescript-7/bin/tsc', '-p', 'web']],
        ['types of workers', ['node_modules/typescript-7/bin/tsc', '-p', 'web/playground/worker']],
        ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
        ['unused', ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors']],
      ],
    ],
  ],
  long: [
    [[ensureBuilt]],
    [
      [vitest('slow tests', '--project=long', '--maxWorkers=1')],
      [vitest('graphql-17', '--project=graphql-17', '--project=graphql-17-long', '--maxWorkers=1')],
      [vitest('browser', '--project=browser', '--maxWorkers=1')],
      // Each draws 10,000 worlds of its own.
      [vitest('models', '--project=models', '--maxWorkers=1')],
      [vitest('more models', '--project=models', '--maxWorkers=1')],
      [['apollo', ['test/external/apollo/run.mjs']]],
      [['clients', ['test/external/clients/run.mjs']]],
      [['runtimes', ['test/external/runtimes/run.mjs']]],
    ],
  ],
};

/** Two processors have two lanes. The slow tests mostly wait, so that two others run beside them. */
const lanes = { long: 3 };

const ended = [];
/** The processor time of the ended programs, as far as it is that of a step. */
let counted = 0;

/** Runs chains until there are none left. Only one lane may write while its steps run; the others write afterwards. */
const runLane = async (chains, writes) => {
  for (let chain = chains.shift(); chain !== undefined; chain = chains.shift()) {
    for (const step of chain) {
      if (writes) console.log(`\n== ${step[0]}`);
      const result = await run(step[1], writes);
      if (!writes) console.log(`\n== ${step[0]}\n${result.output}`);
      ended.push({ step, ...result });
    }
  }
};

const [plan = 'tests'] = process.argv.slice(2);
const begin = performance.now();
// `test/arbitraries/runs.ts` reads it. A part of the code may be covered by few runs alone.
if (plan === 'coverage') process.env.ALL_RUNS = '1';
for (const chains of plans[plan]) {
  await Promise.all(Array.from({ length: lanes[plan] ?? 2 }, (_, lane) => runLane(chains, lane === 0)));
}

/** Whether tests are counted; the checks have none, so that their steps are. */
const hasTests = ended.some(({ step: [, , report] }) => report !== undefined);
console.log(`\n${plan}: ${seconds(performance.now() - begin)}, ${seconds(timeOfPrograms())} of processor time`);
if (ended.length > 1) {
  for (const { step, time, processorTime } of ended) {
    console.log(`  ${step[0]}: ${seconds(time)}, ${seconds(processorTime)} of processor time`);
  }
}

const results = ended.map(({ step: [name, , report], status, output }) => {
  const counts = report === undefined ? { passed: status === 0 && !hasTests ? 1 : 0, failed: [] } : readResults(report);
  const failed = status !== 0 && counts.failed.length === 0 ? [name, ...reasonsIn(output)] : counts.failed;
  return { status, passed: counts.passed, failed };
});
rmSync(scratch, { recursive: true, force: true });

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failures = results.flatMap(({ failed }) => failed).map((name) => `failed: ${name}`);
const result = [...failures, `${passed} passed, ${failures.length} failed`].join('\n');
console.log(`\n${result}`);
if (process.env.TEST_RESULTS !== undefined) appendFileSync(process.env.TEST_RESULTS, `${result}\n`);
process.exitCode = results.every(({ status }) => status === 0) && passed > 0 ? 0 : 1;

/** Runs a Node program. Its errors go where its output goes. */
function run(args, writes) {
  const begin = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'pipe', 'pipe'] });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        chunks.push(chunk);
        if (writes) process.stdout.write(chunk);
      });
    }
    let processorTime = 0;
    child.on('exit', () => {
      // The system adds the time of a program when it has ended, so that what was not counted yet is of this one.
      processorTime = timeOfPrograms() - counted;
      counted += processorTime;
    });
    child.on('close', (status) => {
      const time = performance.now() - begin;
      resolve({ status, time, processorTime, output: Buffer.concat(chunks).toString() });
    });
  });
}

/** Why a run of Vitest failed that has no failed test: a threshold of the coverage, or an error outside of tests. */
function reasonsIn(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  return lines.filter((line) => /^(?:ERROR: |Unhandled )/.test(line.trim())).slice(0, 5);
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The number of tests that passed, and those that failed: file, name and reason. */
function readResults(report) {
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const failed = testResults.flatMap(({ name, assertionResults, message, status }) => {
      const file = relative(root, name);
      const tests = assertionResults.filter((test) => test.status === 'failed');
      if (status === 'failed' && tests.length === 0) return [`${file}: ${reasonOf(message)}`];
      return tests.map((test) => `${file}: ${test.fullName}: ${reasonOf(test.failureMessages.join('\n'))}`);
    });
    return { passed: numPassedTests, failed };
  } catch {
    // The run ended before it could write its report; the step itself counts as failed.
    return { passed: 0, failed: [] };
  }
}

/** The first line of an error. For a property also its seed, its counterexample and the error of that. */
function reasonOf(text) {
  const [first, ...others] = stripVTControlCharacters(text).split('\n');
  const ofProperty = others.filter((line) => /^(?:\{ seed: |Counterexample: |Got )/.test(line.trim()));
  return [first, ...ofProperty.slice(0, 3).map((line) => line.trim().slice(0, 1000))].join(' ');
}
