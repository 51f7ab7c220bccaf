import type { IdempotencyOptions, TrafficOptions } from '../config/traffic-options.js';
import type { Traffic } from '../http/traffic.js';
import { assertPeers } from '../load/load-peer.js';
import type { Watch } from '../logs/watch.js';
import { createRepeats, type Repeats } from '../repeats/repeats.js';
import { createCors } from './cors.js';
import { createRates } from './rate-limits.js';
import { checkStore, readSeconds, refusal } from './read-setting.js';
import { createTrustedProxies } from './trusted-proxies.js';

/**
 * Reads the options.
 *
 * @throws {TypeError} If one is invalid.
 */
export function createTraffic(options: TrafficOptions, watch: Watch): Traffic {
  const { trustedProxies, cors, rateLimits, idempotency } = options;
  return {
    proxies: trustedProxies && createTrustedProxies(trustedProxies),
    cors: cors && createCors(cors),
    rates: rateLimits && createRates(rateLimits, watch),
    repeats: idempotency && readRepeats(idempotency, watch),
  };
}

const maxTtl = 30 * 86_400;

/** @throws {PeerMissingError} If ioredis is needed and not installed. */
function readRepeats(options: IdempotencyOptions, watch: Watch): Repeats {
  if (typeof options !== 'object' || options === null) throw refusal('idempotency', 'be an object');
  const { ttl = '1d', store = 'memory' } = options;
  checkStore('idempotency.store', store);
  if (typeof store === 'string' && store !== 'memory') assertPeers(['ioredis']);
  return createRepeats({ store, ttl: readSeconds('idempotency.ttl', ttl, maxTtl) * 1_000 }, watch);
}
