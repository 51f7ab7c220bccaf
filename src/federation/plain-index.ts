import {
  bundleLimits,
  endpointShape,
  federationShapes,
  type RevocationEnvelope,
  revocationKinds,
} from './bundle.js';
import type { FederationIngressEndpoint } from './records.js';
import { list, object, oneOf } from './shape.js';

/** A federation index as its owner writes it, before it is signed. */
export interface FederationIndex {
  /** Goes up with every index that is signed. */
  readonly epoch: number;
  /** The number of this index, where its owner has several. 0 unless given. */
  readonly index?: number;
  /** The time of signing unless given. */
  readonly generatedAt?: string;
  /** Where the same bundle is to be had. */
  readonly mirrors?: readonly string[];
  readonly chains: readonly PlainChain[];
  readonly routes?: readonly PlainRoute[];
  readonly revocations?: readonly PlainRevocation[];
}

/** A chain before it is signed. */
export interface PlainChain {
  readonly chainId: string;
  readonly ingressEndpoints: readonly FederationIngressEndpoint[];
  readonly capabilities: readonly string[];
  readonly expiresAt: string;
  readonly witnessHead: {
    readonly witnessId: string;
    readonly head: string;
    readonly epoch: number;
    /** The time of the index unless given. */
    readonly issuedAt?: string;
  };
}

/** A route before it is signed. Its ends are its first and its last hop. */
export interface PlainRoute {
  readonly expiresAt: string;
  /** The epoch of the index unless given. */
  readonly epoch?: number;
  readonly hops: readonly { readonly chainId: string; readonly endpoint: string }[];
}

/** A revocation before it is signed. */
export interface PlainRevocation extends Pick<RevocationEnvelope, 'kind' | 'subject' | 'reason'> {
  /** The time of the index unless given. */
  readonly revokedAt?: string;
}

const { count, id, line, time, token, url } = federationShapes;
const { items, records } = bundleLimits;

/** The shape of a plain index. */
export const indexShape = object(
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
);
