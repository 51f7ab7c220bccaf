import { accessSync, constants, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that need modules of their own: they replace some, or change global state that others use. */
const isolated = [
  'test/runtime/server/channels/transports/partial-writes.test.ts',
  'test/runtime/server/channels/transports/writers-together.test.ts',
  // Spies on the timers of the process.
  'test/runtime/server/workers.test.ts',
  // Replaces the timer of all open connections, those of earlier files included.
  'test/runtime/hosts/node/connections.test.ts',
];

/**
 * Yoga loads the CommonJS copy of graphql. Without this alias vitest would load the ESM copy beside it, and graphql-js
 * refuses a schema that another copy made.
 */
export const graphqlAlias = [{ find: /^graphql$/, replacement: 'graphql/index.js' }];

/**
 * What starts first: files that start programs, which costs more the more memory the worker has, and then those that take
 * longest, so that no worker has one left when the others have ended. Until vitest knows the times of files from an earlier
 * run, it would start the largest ones first.
 */
const early = [
  /\/tools\/(?:cli\/(?:globs|commands\/(?:check|dev|diff|docs|graph|serve))|workflows)/,
  /\/(?:call\/non-interference|conformance\/|fuzz\/)/,
  /./,
];

/** Starts files in this order, project by project. */
class EarlyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => early.findIndex((one) => one.test(moduleId));
    const sorted = await super.sort(files);
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((one, other) => rank(one) - rank(other)),
    );
  }
}

/** The release of graphql-js that `npm install graphql` gives, in Yoga and all other packages as well. */
const graphql17 = { alias: [{ find: /^graphql$/, replacement: 'graphql-17/index.js' }] };
const serverOfGraphql17 = {
  deps: { inline: [/graphql-yoga/, /@graphql-tools/, /@envelop/, /graphql-ws/, /graphql-sse/] },
};

/** The property with most runs. */
const models = ['test/runtime/call/non-interference.long.test.ts'];

const everywhere = {
  setupFiles: ['test/setup.ts'],
  // With more space for new objects, workers collect garbage less often, which is a part of their processor time.
  execArgv: ['--max-semi-space-size=64'],
  // A safety net for tests that hang. A busy machine must not reach these limits, so tests have no shorter ones.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: 120_000 } },
};

/** Where tests make folders: in memory, if there is room. Commands wait until the files that they write are on the disk. */
function temporaryFolder(): string {
  const inMemory = '/dev/shm';
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > 2 ** 30 ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}

export default defineConfig({
  resolve: { alias: graphqlAlias },
  test: {
    ...everywhere,
    // Vitest would leave one processor to itself.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: EarlyFirst },
    // Transforming modules is a tenth of the processor time. The projects and the next run take those that did not change;
    // the name of a cached module is a hash of its text and of this file.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.gg-svc/modules' },
    // `npm test` runs `unit` and `isolated`; `npm run test:long` runs the others.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/bench/**', '**/*.long.test.ts', '**/*.browser.test.ts', ...isolated],
          // Test files share their modules: loading those again for each file takes longer than the tests.
          isolate: false,
          env: { TMPDIR: temporaryFolder() },
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      {
        resolve: graphql17,
        test: {
          name: 'graphql-17',
          include: [
            'test/runtime/execute/**/*.test.ts',
            'test/runtime/limits/**/*.test.ts',
            'test/runtime/scalars/**/*.test.ts',
          ],
          exclude: ['**/*.long.test.ts'],
          isolate: false,
          ...everywhere,
          server: serverOfGraphql17,
        },
      },
      {
        resolve: graphql17,
        test: {
          name: 'graphql-17-long',
          include: ['test/conformance/beta-node.test.ts'],
          ...everywhere,
          server: serverOfGraphql17,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          exclude: ['**/node_modules/**', ...models],
        },
      },
      // Runs beside the others.
      { extends: true, test: { name: 'models', include: models } },
      // Headless Chromium against the built command line.
      {
        extends: true,
        test: { name: 'browser', include: ['test/**/*.browser.test.ts'] },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // No table of every file: it would bury what failed. `npx vitest run --coverage
      // --coverage.reporter=text` prints it.
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        'src/analysis/diagram/**': { lines: 100, branches: 95 },
        'src/analysis/diff/**': { lines: 100, branches: 95 },
        'src/compiler/format/**': { lines: 100, branches: 95 },
        'src/tools/language-server/**': { lines: 98, branches: 92 },
        'src/federation/*.ts': { lines: 100, branches: 100 },
        'src/analysis/provenance/**': { lines: 100, branches: 95 },
        'src/compiler/syntax/**': { lines: 100, branches: 95 },
        'src/compiler/graph/**': { lines: 100, branches: 95 },
        'src/compiler/schema/**': { lines: 100, branches: 95 },
        'src/compiler/emit/**': { lines: 100, branches: 95 },
      },
    },
  },
});
