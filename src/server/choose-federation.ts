import { federationFragment } from '../federation/fragment.js';
import type { FederationProjectionLayer } from '../federation/layer.js';
import { buildFederationProjectionLayer, emptyFederationLayer } from '../federation/node/build-layer.js';
import type { FederationProjectionSource } from '../federation/source.js';
import type { GqlServerOptions, ProjectionLayer } from './options.js';

/** The layers of a server, including the federation layer, and the source of its records. */
export interface ChosenLayers<TContext> {
  readonly layers: readonly ProjectionLayer<TContext>[];
  readonly source: FederationProjectionSource | undefined;
}

/**
 * Adds the federation layer in front of the others, unless `federation: false` removes it or `layers` already contains
 * it.
 */
export function chooseFederation<TContext>({
  federation,
  layers = [],
}: Pick<GqlServerOptions<TContext>, 'federation' | 'layers'>): ChosenLayers<TContext> {
  if (federation === false) return { layers, source: undefined };
  if (federation === undefined) {
    const own = layers.find(isFederationLayer);
    if (own !== undefined) return { layers, source: own.source };
  }
  const layer = layerOver(federation);
  return { layers: [layer, ...layers], source: layer.source };
}

function layerOver(
  federation: FederationProjectionSource | FederationProjectionLayer | undefined,
): FederationProjectionLayer {
  if (federation === undefined) return emptyFederationLayer();
  return 'schema' in federation ? federation : buildFederationProjectionLayer(federation);
}

function isFederationLayer(
  layer: ProjectionLayer<never> | FederationProjectionLayer,
): layer is FederationProjectionLayer {
  return layer.schema === federationFragment;
}
