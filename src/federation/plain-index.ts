import {
  bundleLimits,
  endpointShape,
  federationShapes,
  type RevocationEnvelope,
  revocationKinds,
} from './bundle.js';
import type { FederationIngressEndpoint } from './records.js';
import { checkerOf, list, object, oneOf } from './shape.js';

/** A federation index before signing, as its owner writes it. */
export interface FederationIndex {
  /** Increases with every signed index. */
  readonly epoch: number;
  /** The number of this index if its owner has several. Default: 0. */
  readonly index?: number;
  /** Default: the time of signing. */
  readonly generatedAt?: string;
  /** URLs that serve the same bundle. */
  readonly mirrors?: readonly string[];
  readonly chains: readonly PlainChain[];
  readonly routes?: readonly PlainRoute[];
  readonly revocations?: readonly PlainRevocation[];
}

export interface PlainChain {
  readonly chainId: string;
  readonly ingressEndpoints: readonly FederationIngressEndpoint[];
  readonly capabilities: readonly string[];
  readonly expiresAt: string;
  readonly witnessHead: {
    readonly witnessId: string;
    readonly head: string;
    readonly epoch: number;
    /** Default: the time of the index. */
    readonly issuedAt?: string;
  };
}

/** A route before signing. Its ends are its first and its last hop. */
export interface PlainRoute {
  readonly expiresAt: string;
  /** Default: the epoch of the index. */
  readonly epoch?: number;
  readonly hops: readonly { readonly chainId: string; readonly endpoint: string }[];
}

export interface PlainRevocation extends Pick<RevocationEnvelope, 'kind' | 'subject' | 'reason'> {
  /** Default: the time of the index. */
  readonly revokedAt?: string;
}

const { count, id, line, time, token, url } = federationShapes;
const { items, records } = bundleLimits;

/** Checks the shape of an index before signing. */
export const misfitOfIndex = checkerOf(
  object(
    {
      epoch: count,
      chains: list(
        object({
          chainId: id,
          ingressEndpoints: list(endpointShape, 0, items),
          capabilities: list(token, 0, items),
          expiresAt: time,
          witnessHead: object({ witnessId: id, head: line, epoch: count }, { issuedAt: time }),
        }),
        0,
        records,
      ),
    },
    {
      index: count,
      generatedAt: time,
      mirrors: list(url, 0, items),
      routes: list(
        object(
          { expiresAt: time, hops: list(object({ chainId: id, endpoint: url }), 2, items) },
          { epoch: count },
        ),
        0,
        records,
      ),
      revocations: list(
        object({ kind: oneOf(...revocationKinds), subject: line, reason: line }, { revokedAt: time }),
        0,
        records,
      ),
    },
  ),
);
