import type { Sha256 } from './encoding.js';

/** What the layer needs of the world. */
export interface FederationEnvironment {
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly sha256: Sha256;
}
