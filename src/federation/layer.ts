import type { SchemaFragment } from '../schema/merge-schemas.js';
import type { FederationEnvironment } from './environment.js';
import { federationFragment } from './fragment.js';
import { isFresh, lookUp } from './lookup.js';
import type { FederationChain, FederationLookup, FederationSnapshot } from './records.js';
import type { FederationProjectionSource } from './source.js';
import { parseTime } from './time.js';

/** The federation layer: its part of the schema, and the resolvers of its queries. */
export interface FederationProjectionLayer {
  readonly schema: SchemaFragment;
  readonly resolvers: { readonly Query: FederationQueries };
  /** Where its records come from; undefined without a source, when every query answers null. */
  readonly source: FederationProjectionSource | undefined;
}

/** The resolvers of the three queries. An argument that is left out, or null, asks for nothing in particular. */
export interface FederationQueries {
  /** The chain with an id; null when there is none, or when what is known of it has expired. */
  readonly federationChain: (
    parent: unknown,
    args: { readonly id?: string | null },
  ) => Promise<FederationChain | null>;
  /** The way from one chain to another; null when there is no admissible one. */
  readonly federationLookup: (
    parent: unknown,
    args: { readonly from?: string | null; readonly to?: string | null },
  ) => Promise<FederationLookup | null>;
  /** The state of the index at an epoch, or the latest. */
  readonly federationSnapshot: (
    parent: unknown,
    args: { readonly epoch?: number | null },
  ) => Promise<FederationSnapshot | null>;
}

/** Makes the layer. What has expired is not answered, whatever the source says. */
export function federationLayer(
  source: FederationProjectionSource | undefined,
  environment: FederationEnvironment,
): FederationProjectionLayer {
  const queries: FederationQueries = {
    async federationChain(_parent, { id }) {
      if (id === undefined || id === null) return null;
      const chain = await source?.chain(id);
      if (chain === undefined || chain === null) return null;
      const now = environment.now();
      const isGood = (parseTime(chain.expiresAt) ?? 0) > now && isFresh(source, chain.witnessHead, now);
      return isGood ? chain : null;
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
