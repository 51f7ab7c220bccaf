import { ProblemError } from '../../runtime/call/problem.js';
import { isForeign } from '../../runtime/http/csrf.js';
import { isLocalName, isLoopback } from '../../runtime/http/forwarded.js';

/** The environment variable with the token of the studio. */
const tokenVariable = 'GG_SVC_STUDIO_TOKEN';

/**
 * Refuses requests that do not come from this machine. DNS rebinding makes the name of another site an address of this
 * machine, so the name must be one of this machine, too. A proxy on this machine may pass on requests from anywhere.
 *
 * @throws {ProblemError} If the request is refused.
 */
export function requireLocal(request: Request, { hostname }: URL, peer: string | undefined): void {
  const isProxied = proxyHeaders.some((name) => request.headers.has(name));
  if (isLoopback(peer) && isLocalName(hostname) && !isProxied) return;
  throw new ProblemError({
    status: 403,
    detail: `The studio is for this machine only: open it at localhost. To use it from elsewhere, set ${tokenVariable}.`,
  });
}

/**
 * Refuses requests that a page of another origin has sent.
 *
 * @throws {ProblemError} If the request is refused.
 */
export function requireSameOrigin({ headers }: Request, { host, protocol }: URL): void {
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const header = (name: string) => headers.get(name) ?? undefined;
  if (!isForeign({ header, forwarded: { address: undefined, host, scheme } })) return;
  throw new ProblemError({ status: 403, detail: 'Only the page of the studio may send this request.' });
}

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;
