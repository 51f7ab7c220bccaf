import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Yoga loads the CommonJS copy of graphql; without this alias vitest would load a second, ESM copy
    // beside it, and graphql-js refuses a schema that was made by another copy.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', '**/node_modules/**'],
    testTimeout: 60_000,
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
