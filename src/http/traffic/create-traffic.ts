import type { TrafficOptions } from '../../config/traffic-options.js';
import type { Watch } from '../../logs/watch.js';
import type { Traffic } from '../traffic.js';
import { createCors } from './cors.js';
import { createRates } from './rate-limits.js';
import { createTrustedProxies } from './trusted-proxies.js';

/**
 * Reads the options.
 *
 * @throws {TypeError} If one is invalid.
 */
export function createTraffic({ trustedProxies, cors, rateLimits }: TrafficOptions, watch: Watch): Traffic {
  return {
    proxies: trustedProxies && createTrustedProxies(trustedProxies),
    cors: cors && createCors(cors),
    rates: rateLimits && createRates(rateLimits, watch),
  };
}
