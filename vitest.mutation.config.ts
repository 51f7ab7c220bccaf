import { defineConfig } from 'vitest/config';
import { graphqlAlias } from './vitest.config.js';

// The tests that Stryker runs for each mutant of one area of `src` (see scripts/mutation.mjs).
export default defineConfig({
  resolve: { alias: graphqlAlias },
  test: {
    include: [`test/${process.env.MUTATION_AREA}/**/*.test.ts`, 'test/golden.test.ts'],
    exclude: ['**/*.long.test.ts'],
    testTimeout: 60_000,
    // The files share their modules, as in `npm test`: loading them again for each file takes longer than the tests.
    isolate: false,
  },
});
