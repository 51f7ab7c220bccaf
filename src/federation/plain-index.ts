import { bundleLimits, endpointShape, federationShapes, revocationKinds } from './bundle.js';
import { checkerOf, list, object, oneOf, type ValueOf } from './shape.js';

const { count, id, line, time, token, url } = federationShapes;
const { items, records } = bundleLimits;

const chain = object({
  chainId: id,
  ingressEndpoints: list(endpointShape, 0, items),
  capabilities: list(token, 0, items),
  expiresAt: time,
  // `issuedAt`: by default the time of the index.
  witnessHead: object({ witnessId: id, head: line, epoch: count }, { issuedAt: time }),
});

/** A route before signing. Its ends are its first and its last hop; its epoch is by default that of the index. */
const route = object(
  { expiresAt: time, hops: list(object({ chainId: id, endpoint: url }), 2, items) },
  { epoch: count },
);

/** Revoked, by default, at the time of the index. */
const revocation = object(
  { kind: oneOf(...revocationKinds), subject: line, reason: line },
  { revokedAt: time },
);

const index = object(
  {
    // Increases with every signed index.
    epoch: count,
    chains: list(chain, 0, records),
  },
  {
    // The number of this index if its owner has several. Default: 0.
    index: count,
    // Default: the time of signing.
    generatedAt: time,
    // URLs that serve the same bundle.
    mirrors: list(url, 0, items),
    routes: list(route, 0, records),
    revocations: list(revocation, 0, records),
  },
);

/** A federation index before signing, as its owner writes it. */
export type FederationIndex = ValueOf<typeof index>;

/** Checks the shape of an index before signing. */
export const misfitOfIndex = checkerOf(index);
