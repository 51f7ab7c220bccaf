import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { readStream } from '../../base/read/read-stream.js';
import { AuthenticationUnavailableError } from './authentication-error.js';

/** How keys of a URL are fetched. Times are in milliseconds. */
export interface RemoteKeysOptions {
  readonly timeout: number;
  /** The time between two requests to the URL, at least. */
  readonly cooldown: number;
}

/** How long keys are used before they are fetched again in the background, in milliseconds. */
const freshTime = 5 * 60_000;

/** The age in milliseconds up to which old keys are used while new ones are fetched. */
const staleTime = 2 * freshTime;

/** The time until the next request after one that failed, in milliseconds, at most. */
const retryTime = 1_000;

/** The maximum size of a key set in bytes, and the maximum number of its keys. */
const maxBytes = 1 << 20;
const maxKeys = 100;

/**
 * Opens the key set (RFC 7517, section 5) of a URL. A key set that was fetched once is used until another one arrives, so
 * an endpoint that fails later refuses no token with a known key. Tokens with unknown keys make it ask again, at most once
 * in each cooldown.
 */
export function createRemoteKeys(url: URL, { timeout, cooldown }: RemoteKeysOptions) {
  let keys: JWTVerifyGetKey | undefined;
  let keysText = '';
  let revision = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  let asking: Promise<void> | undefined;

  /** Fetches the keys; all callers wait for the same request. */
  const ask = (): Promise<void> => {
    asking ??= fetchKeys(url, timeout)
      .then((found) => {
        const text = JSON.stringify(found.keys);
        if (text !== keysText) {
          keys = createLocalJWKSet(found);
          keysText = text;
          revision += 1;
        }
        fetchedAt = performance.now();
        hasFailed = false;
      })
      .catch((error: unknown) => {
        hasFailed = true;
        throw new AuthenticationUnavailableError('The keys cannot be fetched.', { cause: error });
      })
      .finally(() => {
        askedAt = performance.now();
        asking = undefined;
      });
    return asking;
  };
  const mayAsk = (): boolean =>
    asking !== undefined || performance.now() - askedAt >= (hasFailed ? Math.min(cooldown, retryTime) : cooldown);

  /** Fetches old keys again. Callers use the keys at hand if this fails, and meanwhile unless it returns a promise. */
  const refresh = (): Promise<void> | undefined => {
    const age = performance.now() - fetchedAt;
    if (keys === undefined || age < freshTime || !mayAsk()) return undefined;
    const asked = ask().catch(() => undefined);
    // An endpoint that has failed may do so again, which no caller should wait for.
    return age >= staleTime && !hasFailed ? asked : undefined;
  };

  /** Finds the key of a token. Throws an {@link AuthenticationUnavailableError} if the keys cannot be fetched. */
  const find: JWTVerifyGetKey = async (header, token) => {
    if (keys === undefined) {
      if (!mayAsk()) throw new AuthenticationUnavailableError('The keys could not be fetched.');
      await ask();
    } else await refresh();
    try {
      return await (keys as unknown as JWTVerifyGetKey)(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (mayAsk()) await ask();
      // The last request has failed, so the key may exist.
      else if (hasFailed) throw new AuthenticationUnavailableError('The keys could not be fetched.');
      return (keys as unknown as JWTVerifyGetKey)(header, token);
    }
  };
  return {
    find,
    /**
     * The number of the key set, which changes with its keys; undefined while the keys are so old that they must be
     * fetched first. Old keys are fetched again in the background.
     */
    revision: () => (refresh() === undefined ? revision : undefined),
  };
}

async function fetchKeys(url: URL, timeout: number): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    // Another host could give its own keys.
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url.origin} answered ${response.status}.`);
  }
  const reading = await readStream(response.body, maxBytes);
  if (!reading.ok) throw new Error(`The key set of ${url.origin} is larger than 1 MiB.`);
  const found = JSON.parse(reading.bytes.toString()) as JSONWebKeySet;
  if (!Array.isArray(found?.keys) || found.keys.length > maxKeys) {
    throw new Error(`${url.origin} has no key set, or one with more than ${maxKeys} keys.`);
  }
  return found;
}
