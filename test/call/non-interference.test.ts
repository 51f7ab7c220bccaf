import { afterEach, test, vi } from 'vitest';
import { checkNonInterference } from './non-interference.js';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a caller learns nothing of values that it may not read, whatever it sends', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await checkNonInterference(500);
});
