import { defineConfig } from 'vitest/config';

/** Tests that need modules of their own: they replace some, or register global state. */
const isolated = [
  'test/tracing/**/*.test.ts',
  'test/call/removed-checks.test.ts',
  'test/server/channels/transports/partial-writes.test.ts',
  'test/server/channels/transports/writers-together.test.ts',
  // Spies on the timers of the process.
  'test/server/workers.test.ts',
  // Replaces the timer of all open connections, those of earlier files included.
  'test/hosts/node/connections.test.ts',
];

/**
 * Yoga loads the CommonJS copy of graphql. Without this alias vitest would load the ESM copy beside it, and graphql-js
 * refuses a schema that another copy made.
 */
export const graphqlAlias = [{ find: /^graphql$/, replacement: 'graphql/index.js' }];

/** Properties with many thousand runs. */
const models = ['test/call/non-interference.long.test.ts'];

/** These limits end what hangs. A busy machine must not reach them, so no test has a shorter one of its own. */
const patience = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: 120_000 } },
};

export default defineConfig({
  resolve: { alias: graphqlAlias },
  test: {
    ...patience,
    // `npm test` runs `unit`, `isolated` and `graphql-17`, `npm run test:long` runs `long` and `browser`.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'test/bench/**',
            '**/*.long.test.ts',
            '**/*.browser.test.ts',
            ...isolated,
          ],
          // Test files share their modules: loading those again for each file takes longer than the tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      {
        // The release of graphql-js that `npm install graphql` gives, in Yoga and all other packages as well.
        resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql-17/index.js' }] },
        test: {
          name: 'graphql-17',
          include: [
            'test/execute/**/*.test.ts',
            'test/limits/**/*.test.ts',
            'test/scalars/**/*.test.ts',
            'test/conformance/conformance.test.ts',
          ],
          exclude: ['**/*.long.test.ts'],
          isolate: false,
          ...patience,
          server: {
            deps: { inline: [/graphql-yoga/, /@graphql-tools/, /@envelop/, /graphql-ws/, /graphql-sse/] },
          },
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
      // Runs beside the others: it takes as long as all of them.
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
        'src/diagram/**': { lines: 100, branches: 95 },
        'src/diff/**': { lines: 100, branches: 95 },
        'src/format/**': { lines: 100, branches: 95 },
        'src/language-server/**': { lines: 98, branches: 92 },
        'src/federation/*.ts': { lines: 100, branches: 100 },
        'src/provenance/**': { lines: 100, branches: 95 },
        'src/syntax/**': { lines: 100, branches: 95 },
        'src/graph/**': { lines: 100, branches: 95 },
        'src/schema/**': { lines: 100, branches: 95 },
        'src/emit/**': { lines: 100, branches: 95 },
      },
    },
  },
});
