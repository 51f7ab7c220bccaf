import { test } from 'vitest';
import { checkNonInterference } from './non-interference.js';

test('a caller learns nothing of values that it may not read, in 20,000 random worlds', async () => {
  await checkNonInterference(20_000);
}, 3_600_000);
