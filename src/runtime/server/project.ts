import { type Diagnostic, diagnose, hasErrors } from '../../base/diagnostics/diagnostic.js';
import type { SourceFile } from '../../base/source/source-file.js';
import { wholeFile } from '../../base/source/span.js';
import { defined } from '../../base/values/defined.js';
import { type Analysis, joinLayers } from '../../compiler/analyze.js';
import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { federationFragment } from '../../compiler/federation-fragment.js';
import { allOperations, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { FederationProjectionLayer } from '../../federation/layer.js';
import { buildFederationProjectionLayer, emptyFederationLayer } from '../../federation/node/build-layer.js';
import type { FederationProjectionSource } from '../../federation/source.js';
import { schemesOf } from '../auth/guard.js';
import type { EventSinks } from '../brokers/event-hub.js';
import type { Resolvers } from '../execute/resolvers/contract.js';
import { TopologyError } from '../load/topology-error.js';
import type { ServedStore } from '../store/store.js';
import { checkResolvers } from './check-resolvers.js';
import type { GqlServerOptions, ProjectionLayer } from './options.js';
import { storedResolvers } from './stored-resolvers.js';

/** A schema without errors, with checked resolvers. */
export type Projection<TContext> = ReturnType<typeof project<TContext>>;

/**
 * Adds the federation layer and the given layers to a topology, and checks the resolvers against the result. Throws a
 * {@link TopologyError} if any of them has errors.
 */
export function project<TContext>(
  analysis: Analysis,
  options: Pick<GqlServerOptions<TContext>, 'authenticate' | 'federation' | 'layers' | 'resolvers' | 'store'>,
) {
  const { authenticate, resolvers = {} } = options;
  const { layers, source } = chooseFederation(options);
  const { sources } = analysis;
  refuseErrors(analysis.diagnostics, sources);
  for (const layer of layers) refuseErrors(layer.diagnostics ?? [], sources);
  const fragments = layers.map((layer) => layer.schema);
  const { schema: joined, diagnostics: findings } = joinLayers(analysis, fragments);
  refuseErrors(findings, sources);
  if (authenticate === undefined) refuseErrors(findAccess(joined), sources);
  const security = joined.security && authenticate && schemesOf(authenticate);
  const schema = security === undefined ? joined : { ...joined, security };
  const given = [resolvers, ...layers.map((layer) => layer.resolvers)].filter((map) => map !== undefined);
  const stored: ServedStore | undefined =
    options.store && (options.store.serve?.(schema, given) ?? storedResolvers(schema, options.store, given));
  const diagnostics = [...findings, ...(stored?.diagnostics ?? [])];
  refuseErrors(diagnostics, sources);
  // The first match for a field wins.
  const maps = [...given, ...(stored === undefined ? [] : [stored.resolvers as Resolvers<TContext>])];
  refuseErrors(
    maps.flatMap((map) => checkResolvers(schema, map)),
    sources,
  );
  const sinks: EventSinks = Object.assign({}, ...layers.map((layer) => layer.sinks));
  return { schema, resolvers: maps, sinks, diagnostics, sources, federation: source, stored };
}

/** The first use of access in a schema, as an error of a server without an authenticator (GG5050). */
function findAccess({ objects, interfaces = [], ...schema }: GqlSchema): readonly Diagnostic[] {
  const operations = allOperations(schema).map((operation) => ({
    ...operation,
    coordinate: operationCoordinate(operation),
    span: operation.edges[0]?.span,
  }));
  const fields = [...interfaces, ...objects].flatMap((type) =>
    type.fields.map((field) => ({ ...field, coordinate: `${type.name}.${field.name}` })),
  );
  const types = [...interfaces, ...objects].map((type) => {
    return { ...type, coordinate: type.name, span: type.node?.span };
  });
  const found = [...operations, ...types, ...fields].find(({ auth }) => auth !== undefined);
  if (found === undefined) return [];
  const { coordinate, span = wholeFile('layers') } = found;
  const { scopes, anyScope, roles, owner } = found;
  const [list] = Object.entries(defined({ scopes, anyScope, roles }));
  const other = owner === undefined ? `auth: '${found.auth}'` : `owner: '${owner}'`;
  const setting = list === undefined ? other : `${list[0]}: [${list[1].join(', ')}]`;
  return [diagnose('GG5050', { coordinate, setting }, span)];
}

/**
 * Adds the federation layer in front of the others, unless `federation: false` removes it or `layers` already contains
 * it. Returns the source of its records as well.
 */
function chooseFederation<TContext>({
  federation,
  layers = [],
}: Pick<GqlServerOptions<TContext>, 'federation' | 'layers'>): {
  readonly layers: readonly ProjectionLayer<TContext>[];
  readonly source: FederationProjectionSource | undefined;
} {
  if (federation === false) return { layers, source: undefined };
  let layer: FederationProjectionLayer;
  if (federation === undefined) {
    const own = layers.find(({ schema }) => schema === federationFragment);
    if (own !== undefined) return { layers, source: (own as FederationProjectionLayer).source };
    layer = emptyFederationLayer();
  } else {
    layer = 'schema' in federation ? federation : buildFederationProjectionLayer(federation);
  }
  return { layers: [layer, ...layers], source: layer.source };
}

/**
 * The errors of each step are reported alone, because errors of resolvers may be consequences of errors of the schema.
 */
function refuseErrors(diagnostics: readonly Diagnostic[], sources: readonly SourceFile[]): void {
  if (hasErrors(diagnostics)) throw new TopologyError(diagnostics, sources);
}
