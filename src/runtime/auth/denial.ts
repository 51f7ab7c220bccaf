import type { AccessClause, GqlSecurityScheme } from '../../compiler/schema/gql-schema.js';
import { AuthenticationError, AuthenticationUnavailableError } from './authentication-error.js';
import { type Principal, rolesOf } from './principal.js';

/** The clauses that callers must meet. Arguments and results tell the owner of data: see {@link ownerOf}. */
export type Demand = readonly AccessClause[];

export interface Denial {
  readonly status: 401 | 403 | 503;
  readonly code: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'AUTHENTICATION_UNAVAILABLE';
  readonly message: string;
  /** The scopes, or the roles, that are needed, with FORBIDDEN. */
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
  /** The header `WWW-Authenticate` (RFC 9110, section 11.6.1); undefined with the status 503. */
  readonly challenge: string | undefined;
}

export class DeniedError extends Error {
  override readonly name = 'DeniedError';

  constructor(
    readonly denial: Denial,
    options?: ErrorOptions,
  ) {
    super(denial.message, options);
  }
}

/** The denial for the subscriptions of a caller whose credentials expire. */
export const expiredDenial: Denial = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'The credentials have expired.',
  challenge: undefined,
};

/** Compares a demand with a caller; undefined if the caller meets it. */
export function denialOf(demand: Demand, principal: Principal | null, schemes: readonly GqlSecurityScheme[]) {
  if (demand.length === 0) return undefined;
  if (principal === null) return unknownDenial(schemes);
  const lacking = demand.find((clause) => isLacking(clause, principal));
  return lacking && lackingDenial(lacking, demand, schemes);
}

export function guardDenial(principal: Principal | null, schemes: readonly GqlSecurityScheme[]): Denial {
  if (principal === null && schemes.length > 0) return unknownDenial(schemes);
  const denial = forbidden('This caller may not do this.', schemes);
  return schemes.length === 0 ? { ...denial, challenge: undefined } : denial;
}

export function forbidden(
  message: string,
  schemes: readonly GqlSecurityScheme[],
  needs: Pick<Denial, 'scopes' | 'roles'> = {},
): Denial {
  const scope = needs.scopes && `, scope="${quotable(needs.scopes.join(' '))}"`;
  const challenge = challengeOf(schemes, () => `error="insufficient_scope"${scope ?? ''}`);
  return { status: 403, code: 'FORBIDDEN', message, ...needs, challenge };
}

function unknownDenial(schemes: readonly GqlSecurityScheme[]): Denial {
  const message = 'Authentication is required.';
  return { status: 401, code: 'UNAUTHENTICATED', message, challenge: challengeOf(schemes) };
}

type Needed = Extract<AccessClause, { readonly any: unknown }>;

/** Whether a caller lacks what a clause needs, beyond being known. */
function isLacking(clause: AccessClause, principal: Principal): clause is Needed {
  if (!('any' in clause)) return false;
  const held = clause.kind === 'scope' ? (principal.scopes ?? []) : rolesOf(principal);
  return !clause.any.some((name) => held.includes(name));
}

/** Names all single scopes of the demand, so that a client asks for them at once. */
function lackingDenial({ kind, any }: Needed, demand: Demand, schemes: readonly GqlSecurityScheme[]): Denial {
  const isSingle = any.length === 1;
  const single = demand.flatMap((clause) => (clause.kind === 'scope' && clause.any.length === 1 ? clause.any : []));
  const names = isSingle && kind === 'scope' ? single.sort() : any;
  const isOne = names.length === 1;
  const listed = isOne ? `${kind} ${names[0]}` : `${kind}s ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const verb = isOne || !isSingle ? 'is' : 'are';
  const message = `${isSingle ? 'The' : 'One of the'} ${listed} ${verb} required.`;
  return forbidden(message, schemes, kind === 'scope' ? { scopes: names } : { roles: names });
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

/** The challenges of all schemes. `Bearer` requires a parameter (RFC 6750, section 3); API keys name their header. */
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
