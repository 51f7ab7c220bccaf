import { type FederationProjectionLayer, federationLayer } from '../layer.js';
import type { FederationProjectionSource } from '../source.js';
import { sha256 } from './node-crypto.js';

/**
 * Makes the federation layer over a source: a schema fragment with the resolvers of `federationChain`,
 * `federationLookup` and `federationSnapshot`. Every server has this layer already; pass the source to it as the option
 * `federation`.
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
export function buildFederationProjectionLayer(source: FederationProjectionSource): FederationProjectionLayer {
  return federationLayer(source, { now: Date.now, sha256 });
}

/** The layer of a server without a source: its queries answer null. */
export function emptyFederationLayer(): FederationProjectionLayer {
  return federationLayer(undefined, { now: Date.now, sha256 });
}
