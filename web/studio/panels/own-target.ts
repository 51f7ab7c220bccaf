import type { StudioState } from '../../../src/studio/protocol.js';
import type { Target } from '../../try/call-state.js';

/** The server that serves the page: the API is on the same port. */
export function ownTarget({ endpoint }: StudioState): Target {
  return { fetch: (url, init) => fetch(url, init), origin: location.origin, endpoint };
}
