import type { EdgeSetting } from './edge-setting.js';

/**
 * `owner: 'patientId'`: callers must authenticate, and the argument of this name, or without one the field of the
 * result, must be their own id. That there is one is checked with the whole schema (GG3076).
 */
export const ownerSetting: EdgeSetting = {
  key: 'owner',
  kinds: ['query', 'mutation', 'subscription'],
  detail: 'the argument, or the field of the result, that must be the id of the caller',
  snippet: "'",
  expected: 'the name of an argument in quotes',
  read: ({ value: owner }) =>
    typeof owner === 'string' && owner !== '' ? { auth: 'required', owner } : undefined,
};
