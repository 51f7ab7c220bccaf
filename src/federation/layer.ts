import { federationFragment } from '../compiler/federation-fragment.js';
import type { SchemaFragment } from '../compiler/schema/merge-schemas.js';
import { expiryOf, type FederationEnvironment, lookUp } from './lookup.js';
import type { FederationChain, FederationLookup, FederationSnapshot } from './records.js';
import type { FederationProjectionSource } from './source.js';
import { parseTime } from './time.js';

/** The federation layer: a schema fragment and the resolvers of its queries. */
export interface FederationProjectionLayer {
  readonly schema: SchemaFragment;
  readonly resolvers: { readonly Query: FederationQueries };
  /** The source of its records; undefined if there is none; every query then returns null. */
  readonly source: FederationProjectionSource | undefined;
}

/** The resolvers of the three queries. A missing argument and null mean the same. */
export interface FederationQueries {
  /** The chain with this id; null if there is none, or if its record has expired. */
  readonly federationChain: (parent: unknown, args: { readonly id?: string | null }) => Promise<FederationChain | null>;
  /** The route from one chain to another; null if no admissible one exists. */
  readonly federationLookup: (
    parent: unknown,
    args: { readonly from?: string | null; readonly to?: string | null },
  ) => Promise<FederationLookup | null>;
  /** The snapshot of an epoch, or the latest one. */
  readonly federationSnapshot: (
    parent: unknown,
    args: { readonly epoch?: number | null },
  ) => Promise<FederationSnapshot | null>;
}

/** Makes the layer. It never answers expired records, whatever the source returns. */
export function federationLayer(
  source: FederationProjectionSource | undefined,
  environment: FederationEnvironment,
): FederationProjectionLayer {
  const queries: FederationQueries = {
    async federationChain(_parent, { id }) {
      if (source === undefined || id === undefined || id === null) return null;
      const chain = await source.chain(id);
      if (!chain) return null;
      const expiry = Math.min(parseTime(chain.expiresAt) ?? 0, expiryOf(source, chain.witnessHead));
      return expiry > environment.now() ? chain : null;
    },
    async federationLookup(_parent, { from, to }) {
      if (source === undefined || !from || !to) return null;
      return (await lookUp(source, from, to, environment)) ?? null;
    },
    async federationSnapshot(_parent, { epoch }) {
      return (await source?.snapshot(epoch ?? undefined)) ?? null;
    },
  };
  return { schema: federationFragment, resolvers: { Query: queries }, source };
}
