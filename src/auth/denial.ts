import type { GqlAccess, GqlSecurityScheme } from '../schema/gql-schema.js';
import { AuthenticationError, AuthenticationUnavailableError } from './authentication-error.js';
import type { Principal } from './principal.js';

/** What callers need: to be known, and to have these scopes. */
export interface Demand {
  readonly scopes: readonly string[];
}

/** Why a request is refused. */
export interface Denial {
  readonly status: 401 | 403 | 503;
  readonly code: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'AUTHENTICATION_UNAVAILABLE';
  readonly message: string;
  /** The scopes that are needed, with FORBIDDEN. */
  readonly scopes?: readonly string[];
  /** The header `WWW-Authenticate` (RFC 9110, section 11.6.1); undefined with the status 503. */
  readonly challenge: string | undefined;
}

/** Thrown to refuse a request. */
export class DeniedError extends Error {
  override readonly name = 'DeniedError';

  constructor(
    readonly denial: Denial,
    options?: ErrorOptions,
  ) {
    super(denial.message, options);
  }
}

/** What an operation or a field demands of callers; undefined if everybody may use it. */
export function demandOf({ auth, scopes }: GqlAccess): Demand | undefined {
  if (scopes !== undefined && scopes.length > 0) return { scopes };
  return auth === 'required' ? noScopes : undefined;
}

const noScopes: Demand = { scopes: [] };

/** The denial for the subscriptions of a caller whose credentials expire. */
export const expiredDenial: Denial = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'The credentials have expired.',
  challenge: undefined,
};

/** Compares a demand with a caller; undefined if the caller meets it. */
export function denialOf(
  demand: Demand | undefined,
  principal: Principal | null,
  schemes: readonly GqlSecurityScheme[],
): Denial | undefined {
  if (demand === undefined) return undefined;
  if (principal === null) {
    const message = 'Authentication is required.';
    return { status: 401, code: 'UNAUTHENTICATED', message, challenge: challengeOf(schemes) };
  }
  const { scopes } = demand;
  if (scopes.every((scope) => principal.scopes?.includes(scope) === true)) return undefined;
  const message =
    scopes.length === 1
      ? `The scope ${scopes[0]} is required.`
      : `The scopes ${scopes.slice(0, -1).join(', ')} and ${scopes.at(-1)} are required.`;
  const problem = `error="insufficient_scope", scope="${quotable(scopes.join(' '))}"`;
  const challenge = challengeOf(schemes, () => problem);
  return { status: 403, code: 'FORBIDDEN', message, scopes, challenge };
}

/** The denial that an error of an authenticator means; undefined for other errors, which are faults. */
export function denialOfError(error: unknown, schemes: readonly GqlSecurityScheme[]): Denial | undefined {
  if (error instanceof AuthenticationUnavailableError) {
    const message = 'The credentials cannot be verified now.';
    return { status: 503, code: 'AUTHENTICATION_UNAVAILABLE', message, challenge: undefined };
  }
  if (!(error instanceof AuthenticationError)) return undefined;
  const { message, scheme } = error;
  const problem = `error="invalid_token", error_description="${quotable(message)}"`;
  const challenge = challengeOf(schemes, (one) =>
    scheme === undefined || scheme.type === one.type ? problem : undefined,
  );
  return { status: 401, code: 'UNAUTHENTICATED', message, challenge };
}

/**
 * The challenges of all schemes. RFC 6750, section 3, requires a parameter after `Bearer`. The scheme of API keys has no
 * specification; it names the header.
 */
function challengeOf(
  schemes: readonly GqlSecurityScheme[],
  problemOf: (scheme: GqlSecurityScheme) => string | undefined = () => undefined,
): string {
  const challenges = schemes.map((scheme) => {
    const problem = problemOf(scheme);
    if (scheme.type === 'bearer') return `Bearer ${problem ?? 'realm="api"'}`;
    const header = `ApiKey header="${quotable(scheme.header)}"`;
    return problem === undefined ? header : `${header}, ${problem}`;
  });
  return challenges.join(', ');
}

/** The characters that RFC 6750, section 3, allows between quotation marks. */
function quotable(text: string): string {
  return text.replace(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?').slice(0, 500);
}
