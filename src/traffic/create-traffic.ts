import type { TrafficOptions } from '../config/traffic-options.js';
import type { Traffic } from '../http/traffic.js';
import type { Watch } from '../logs/watch.js';
import { createCors } from './cors.js';
import { createRates } from './rate-limits.js';
import { createRepeats } from './repeats.js';
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
    repeats: idempotency && createRepeats(idempotency, watch),
  };
}
