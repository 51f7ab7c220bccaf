import { afterEach, expect, test, vi } from 'vitest';
import { callSteps } from '../../../src/runtime/call/steps.js';
import type { FieldResolver } from '../../../src/runtime/execute/resolvers/default-resolvers.js';
import { checkNonInterference, repeatingChanges } from './non-interference.js';

/** The checks that are removed for a test. */
const removed = vi.hoisted(() => new Set<string>());

vi.mock('../../../src/runtime/auth/owner.js', async (load) => {
  const real = await load<typeof import('../../../src/runtime/auth/owner.js')>();
  const createOwners: typeof real.createOwners = (options) => {
    const ownerOf = real.createOwners(options);
    return (principal) => {
      const owner = ownerOf(principal);
      return owner && removed.has('the id of an owner') ? { ...owner, owns: () => true } : owner;
    };
  };
  return { ...real, createOwners };
});

vi.mock('../../../src/runtime/execute/resolvers/owned.js', async (load) => {
  const real = await load<typeof import('../../../src/runtime/execute/resolvers/owned.js')>();
  const ownedField: typeof real.ownedField = (names, read, resolver): FieldResolver =>
    real.ownedField(removed.has('the owner of a field') ? [] : names, read, resolver);
  const ownedResult: typeof real.ownedResult = (names, resolver): FieldResolver =>
    real.ownedResult(removed.has('the owner of a result') ? [] : names, resolver);
  return { ...real, ownedField, ownedResult };
});

vi.mock('../../../src/runtime/execute/subscriptions/sharing-key.js', async (load) => {
  const real = await load<typeof import('../../../src/runtime/execute/subscriptions/sharing-key.js')>();
  const createSharingKeys: typeof real.createSharingKeys = (usesContext) => {
    const keyOf = real.createSharingKeys(usesContext);
    return (args) => keyOf(removed.has('the owner of a shared stream') ? { ...args, rootValue: undefined } : args);
  };
  return { ...real, createSharingKeys };
});

vi.mock('../../../src/runtime/repeats/caller-identity.js', async (load) => {
  const real = await load<typeof import('../../../src/runtime/repeats/caller-identity.js')>();
  const identify: typeof real.identify = (call) =>
    removed.has('the caller of a repeat') ? { caller: 'all', account: 'all' } : real.identify(call);
  return { ...real, identify };
});

afterEach(() => {
  removed.clear();
});

async function expectLeak(search: Parameters<typeof checkNonInterference>[1] = {}): Promise<void> {
  // The smallest world takes longer to find than the first one.
  const found = checkNonInterference(2000, { endOnFailure: true, ...search });
  await expect(found).rejects.toThrow('Property failed');
}

test.each(['reach', 'demand', 'judge'])('a caller learns something without the step %s', async (name) => {
  const changed = callSteps as unknown[];
  const at = callSteps.findIndex((step) => step.name === name);
  const [step] = changed.splice(at, 1);
  try {
    await expectLeak();
  } finally {
    changed.splice(at, 0, step);
  }
});

test.each(['the id of an owner', 'the owner of a field', 'the owner of a result'])(
  'a caller learns something without the check of %s',
  async (check) => {
    removed.add(check);
    await expectLeak();
  },
);

test.each(['the owner of a shared stream', 'the caller of a repeat'])(
  'a caller that repeats mutations learns something without the check of %s',
  async (check) => {
    removed.add(check);
    await expectLeak({ change: repeatingChanges });
  },
);
