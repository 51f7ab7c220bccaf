import type { Analysis } from '../analyze.js';
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.js';
import type { EventSinks, Resolvers } from '../execute/resolvers/contract.js';
import type { FederationProjectionSource } from '../federation/source.js';
import { joinLayers } from '../join-layers.js';
import { TopologyError } from '../load/topology-error.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import type { SourceFile } from '../source/source-file.js';
import { checkResolvers } from './check-resolvers.js';
import { chooseFederation } from './choose-federation.js';
import type { GqlServerOptions } from './options.js';

/** A schema without errors, with checked resolvers. */
export interface Projection<TContext> {
  readonly schema: GqlSchema;
  /** The user's resolvers, then those of the layers: the first match for a field wins. */
  readonly resolvers: readonly Resolvers<TContext>[];
  /** The sinks of the events of FORK edges. */
  readonly sinks: EventSinks;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
  /** The source of the records of the federation layer; undefined if it has none. */
  readonly federation: FederationProjectionSource | undefined;
}

/**
 * Adds the federation layer and the given layers to a topology, and checks the resolvers against the result.
 *
 * @throws {TopologyError} If any of them has errors.
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

/**
 * The errors of each step are reported alone, because errors of resolvers may be consequences of errors of the schema.
 */
function refuseErrors(diagnostics: readonly Diagnostic[], sources: readonly SourceFile[]): void {
  if (hasErrors(diagnostics)) throw new TopologyError(diagnostics, sources);
}
