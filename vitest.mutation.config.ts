import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { graphqlAlias } from './vitest.config.js';

/** Runs the golden cases last: the tests of the area are faster, and the first failure ends the run of a mutant. */
class GoldenLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isGolden = ({ moduleId }: TestSpecification) => moduleId.endsWith('golden.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !isGolden(file)), ...sorted.filter(isGolden)];
  }
}

const { MUTATION_AREA: area = '' } = process.env;

/** No golden case has a bundle, and the adapter in `src/federation/node` is not mutated. */
const include =
  area === 'federation' ? ['test/federation/*.test.ts'] : [`test/${area}/**/*.test.ts`, 'test/golden.test.ts'];

// The tests that Stryker runs for each mutant of one area of `src` (see scripts/mutation.mjs).
export default defineConfig({
  resolve: { alias: graphqlAlias },
  test: {
    include,
    exclude: [
      '**/*.long.test.ts',
      // Random topologies would give another score in each run, and large ones take most of the time.
      'test/compiler/schema/{projection.property,scale}.test.ts',
      // Verifies thousands of bundles; other tests tell the findings apart.
      'test/federation/flipped-bits.test.ts',
    ],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    // The files share their modules, as in `npm test`: loading them again for each file takes longer than the tests.
    isolate: false,
    sequence: { sequencer: GoldenLast },
  },
});
