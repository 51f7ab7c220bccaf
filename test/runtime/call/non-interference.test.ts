import { test } from 'vitest';
import { checkNonInterference } from './non-interference.js';

test('a caller learns nothing of values that it may not read, whatever it sends', async () => {
  await checkNonInterference(500);
});
