import type { Analysis } from '../analyze.js';
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.js';
import { checkResolvers } from '../execute/resolvers/check-resolvers.js';
import type { EventSinks, Resolvers } from '../execute/resolvers/contract.js';
import type { FederationProjectionSource } from '../federation/source.js';
import { joinLayers } from '../join-layers.js';
import { TopologyError } from '../load/topology-error.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import type { SourceFile } from '../source/source-file.js';
import { chooseFederation } from './choose-federation.js';
import type { GqlServerOptions } from './options.js';

/** What a server runs: a sound schema, with resolvers that fit it. */
export interface Projection<TContext> {
  readonly schema: GqlSchema;
  /** The user's resolvers, then those of the layers: the first that has one for a field wins. */
  readonly resolvers: readonly Resolvers<TContext>[];
  /** What takes the events of FORK edges. */
  readonly sinks: EventSinks;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
  /** Where the records of the federation layer come from; undefined where it has no source. */
  readonly federation: FederationProjectionSource | undefined;
}

/**
 * Joins a topology with the federation layer and the given ones, and holds the resolvers against the result.
 *
 * @throws {TopologyError} When any of them has errors.
 */
export function project<TContext>(
  analysis: Analysis,
  options: Pick<GqlServerOptions<TContext>, 'federation' | 'layers' | 'resolvers'>,
): Projection<TContext> {
  const { resolvers = {} } = options;
  const { layers, source } = chooseFederation(options);
  const { sources } = analysis;
  refuseErrors(analysis.diagnostics, sources);
  for (const layer of layers) refuseErrors(layer.diagnostics ?? [], sources);
  const fragments = layers.map((layer) => layer.schema);
  const { schema, diagnostics } = joinLayers(analysis, fragments);
  refuseErrors(diagnostics, sources);
  const maps = [
    resolvers,
    ...layers.flatMap((layer) => (layer.resolvers === undefined ? [] : [layer.resolvers])),
  ];
  const findings = maps.flatMap((map) => checkResolvers(schema, map));
  refuseErrors(findings, sources);
  const sinks: EventSinks = Object.assign({}, ...layers.map((layer) => layer.sinks));
  return { schema, resolvers: maps, sinks, diagnostics, sources, federation: source };
}

/** Each step is reported alone: errors of resolvers may only follow from errors of the schema. */
function refuseErrors(diagnostics: readonly Diagnostic[], sources: readonly SourceFile[]): void {
  if (hasErrors(diagnostics)) throw new TopologyError(diagnostics, sources);
}
