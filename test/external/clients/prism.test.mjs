import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('Prism accepts the REST traffic of the conformance suite for the OpenAPI document', () => {
  const program = fileURLToPath(new URL('node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));
  const { status, stdout } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/conformance/beta-node.test.ts', '-t', 'REST|errors|limits'],
    { cwd: root, env: { ...process.env, CONFORMANCE_PRISM: program, NO_COLOR: '1' }, encoding: 'utf8' },
  );
  assert.equal(status, 0, stdout);
  assert.match(stdout, /Tests +\d\d+ passed/);
});
