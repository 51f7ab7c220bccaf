import { test, vi } from 'vitest';
import { checkNonInterference } from './non-interference.js';

// One of two files, which run side by side.
test('a caller learns nothing of values that it may not read, in 10,000 of 20,000 random worlds', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await checkNonInterference(10_000);
  vi.restoreAllMocks();
}, 3_600_000);
