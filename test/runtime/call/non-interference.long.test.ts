import { test } from 'vitest';
import { checkNonInterference } from './non-interference.js';

// `npm run test:long` runs it twice, on two processors.
test('a caller learns nothing about values that it may not read, in 10,000 random worlds', async () => {
  await checkNonInterference(10_000);
}, 3_600_000);
