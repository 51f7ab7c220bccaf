import { type FederationProjectionLayer, federationLayer } from '../layer.js';
import type { FederationProjectionSource } from '../source.js';
import { sha256 } from './node-crypto.js';

/**
 * Makes the federation layer over a source: its part of the schema with the resolvers of
 * `federationChain`, `federationLookup` and `federationSnapshot`. A server has this layer by itself; it takes
 * the source as the option `federation`.
 *
 * @example
 * ```ts
 * import { buildFederationProjectionLayer, type FederationProjectionSource } from 'gg-svc';
 *
 * const source: FederationProjectionSource = {
 *   chain: () => null,
 *   route: () => null,
 *   witnessHead: () => null,
 *   snapshot: () => null,
 * };
 * const layer = buildFederationProjectionLayer(source);
 * console.log(layer.schema.queries?.map(({ name }) => name));
 * // [ 'federationChain', 'federationLookup', 'federationSnapshot' ]
 * ```
 */
export function buildFederationProjectionLayer(
  source: FederationProjectionSource,
): FederationProjectionLayer {
  return federationLayer(source, { now: Date.now, sha256 });
}

/** The layer of a server without a source: the queries are there and answer null. */
export function emptyFederationLayer(): FederationProjectionLayer {
  return federationLayer(undefined, { now: Date.now, sha256 });
}
