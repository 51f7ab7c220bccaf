// Runs everything that has to hold before a change is taken in: `npm test`. Each step runs even when one
// before it failed, so that one run shows all there is to mend. The last line counts tests and steps.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'gg-svc-test-'));
const report = join(scratch, 'report.json');

const steps = [
  ['build', ['scripts/build.mjs']],
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['docs', ['node_modules/typedoc/bin/typedoc']],
  [
    'tests',
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--coverage',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
  ],
];

const failedSteps = [];
for (const [name, args] of steps) {
  console.log(`\n== ${name}`);
  // What a step says of its errors goes to the same stream as all else, so that a log keeps the order.
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['inherit', 'inherit', 1] });
  if (status !== 0) failedSteps.push(name);
}

const tests = countTests();
rmSync(scratch, { recursive: true, force: true });

// A step that fails without a failed test, such as a missed coverage threshold, counts as one failure.
const silentSteps = failedSteps.filter((name) => name !== 'tests' || tests.failed === 0);
if (failedSteps.length > 0) console.log(`\nfailed: ${failedSteps.join(', ')}`);
console.log(`\n${tests.passed} passed, ${tests.failed + silentSteps.length} failed`);
process.exitCode = failedSteps.length === 0 && tests.passed > 0 ? 0 : 1;

function countTests() {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    // The run broke off before it could write its report; the step itself is counted as failed.
    return { passed: 0, failed: 0 };
  }
}
