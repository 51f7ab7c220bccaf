import { test } from 'vitest';
import { checkNonInterference } from './non-interference.js';

test('a caller learns nothing about values that it may not read, for any request', async () => {
  await checkNonInterference(500);
});
