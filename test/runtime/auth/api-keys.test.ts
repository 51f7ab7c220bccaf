import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AuthenticationError, apiKeys } from '../../../src/index.js';
import { now, tryWith } from './tokens.js';

const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');
const keys = [
  { id: 'billing', sha256: sha256('k-billing'), scopes: ['orders:read'] },
  { id: 'reports', sha256: sha256('k-reports').toUpperCase() },
  { id: 'old', sha256: sha256('k-old'), expiresAt: now() - 1 },
];

describe('API keys', () => {
  test('are found by their hash', async () => {
    const authenticator = apiKeys({ keys });
    expect(await tryWith(authenticator, { 'x-api-key': 'k-billing' })).toEqual({
      id: 'billing',
      scopes: ['orders:read'],
    });
    expect(await tryWith(authenticator, { 'x-api-key': 'k-reports' })).toEqual({ id: 'reports' });
    expect(await tryWith(authenticator, {})).toBeNull();
    expect(await tryWith(authenticator, { authorization: 'Bearer k-billing' })).toBeNull();
    expect(authenticator.scheme).toEqual({ type: 'apiKey', header: 'X-API-Key' });
  });

  test('that are unknown, expired, too long or a list are rejected without being shown', async () => {
    const authenticator = apiKeys({ header: 'Service-Key', keys });
    for (const [key, message] of [
      ['k-unknown', 'The API key is unknown.'],
      ['', 'The API key is unknown.'],
      [sha256('k-billing'), 'The API key is unknown.'],
      ['k-billing, k-reports', 'The API key is unknown.'],
      ['k-old', 'The API key has expired.'],
      ['x'.repeat(100_000), 'The API key is too long.'],
    ] as const) {
      const error = await tryWith(authenticator, { 'service-key': key });
      expect(error).toBeInstanceOf(AuthenticationError);
      expect((error as Error).message).toBe(message);
    }
  });

  test('may be looked up by their hash only', async () => {
    const asked: string[] = [];
    const authenticator = apiKeys({
      lookup: async (hash) => {
        asked.push(hash);
        return hash === sha256('k-1') ? { id: 'one' } : null;
      },
    });
    expect(await tryWith(authenticator, { 'x-api-key': 'k-1' })).toEqual({ id: 'one' });
    expect(await tryWith(authenticator, { 'x-api-key': 'k-2' })).toBeInstanceOf(AuthenticationError);
    expect(asked).toEqual([sha256('k-1'), sha256('k-2')]);
  });

  test('with invalid options are rejected', () => {
    const wrong = [
      {},
      { keys, lookup: () => null },
      { keys: [{ id: '', sha256: sha256('a') }] },
      { keys: [{ id: 'a', sha256: 'k-plain' }] },
      { header: 'a b', keys },
      { keys: 7 },
    ];
    for (const options of wrong) expect(() => apiKeys(options as never)).toThrow(TypeError);
  });
});
