import { describe, expect, test } from 'vitest';
import { defaultLimits, type LimitOptions, resolveLimits } from '../../../src/runtime/limits/limits.js';

describe('limits', () => {
  test('are on by default; introspection is on and masking off in development', () => {
    const others = { batching: 0, csrf: true };
    expect(resolveLimits({}, false)).toEqual({
      ...defaultLimits,
      ...others,
      introspection: true,
      masking: false,
    });
    expect(resolveLimits({}, true)).toEqual({
      ...defaultLimits,
      ...others,
      introspection: false,
      masking: true,
    });
  });

  test('are set and turned off by name', () => {
    const limits = resolveLimits({ depth: 3, cost: false, batching: 5, csrf: false, masking: true }, false);
    expect(limits).toMatchObject({ depth: 3, cost: Infinity, batching: 5, csrf: false, masking: true });
  });

  test.each([
    [{ dept: 3 }, /Unknown limit: limits.dept/],
    [{ depth: 0 }, /limits\.depth must be a number above 0/],
    [{ depth: '3' }, /limits\.depth must be a number/],
    [{ depth: Number.NaN }, /limits\.depth must be a number/],
    [{ batching: true }, /limits\.batching must be a number above 0, or false/],
    [{ csrf: 'no' }, /limits\.csrf must be true or false/],
    [null, /must be an object/],
  ])('reject the invalid option %o', (options, message) => {
    expect(() => resolveLimits(options as LimitOptions, false)).toThrow(message);
  });
});
