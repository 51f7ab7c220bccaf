import { afterEach, expect, test, vi } from 'vitest';
import { callSteps } from '../../src/call/steps.js';
import { checkNonInterference } from './non-interference.js';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a caller learns nothing of values that it may not read, whatever it sends', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await checkNonInterference(500);
});

test.each(['reach', 'demand'])('a caller learns something without the step %s', async (name) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const changed = callSteps as unknown[];
  const at = callSteps.findIndex((step) => step.name === name);
  const [removed] = changed.splice(at, 1);
  try {
    await expect(checkNonInterference(500)).rejects.toThrow();
  } finally {
    changed.splice(at, 0, removed);
  }
});
