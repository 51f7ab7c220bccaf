import { isPromiseLike, type MaybePromise } from '../../base/values/maybe-promise.js';
import type { GqlSecurityScheme } from '../../compiler/schema/gql-schema.js';
import { type Demand, DeniedError, denialOf, denialOfError, forbidden, guardDenial } from './denial.js';
import type { Authenticate, Credentials, Principal } from './principal.js';

/** An authenticator whose scheme is known, as the ready-made ones are. */
export interface Authenticator extends Authenticate {
  /** Its description in OpenAPI and the header `WWW-Authenticate`. */
  readonly scheme: GqlSecurityScheme;
}

/** One authenticator, or several, of which the first that returns a principal wins. */
export type AuthenticateOption = Authenticate | Authenticator | readonly (Authenticate | Authenticator)[];

/** The schemes of authenticators; undefined if one is a function of the user, whose scheme is not known. */
export function schemesOf(option: AuthenticateOption): readonly GqlSecurityScheme[] | undefined {
  const schemes = [option].flat().map((one) => (one as Partial<Authenticator>).scheme);
  return schemes.every((scheme) => scheme !== undefined) ? schemes : undefined;
}

export type Guard = ReturnType<typeof createGuard>;

/**
 * Makes the guard of a server, which finds callers, and compares them with what operations demand.
 *
 * @param schemes - What the header `WWW-Authenticate` offers.
 */
export function createGuard(option: AuthenticateOption, schemes: readonly GqlSecurityScheme[]) {
  const authenticators: readonly Authenticate[] = [option].flat();

  /** Asks the authenticators from `at`; `failed` is the refusal of one before. */
  const find = (
    credentials: Credentials,
    at: number,
    failed: DeniedError | undefined,
  ): MaybePromise<Principal | null> => {
    const authenticate = authenticators[at];
    if (authenticate === undefined) {
      if (failed === undefined) return null;
      throw failed;
    }
    const settle = (found: Principal | null | undefined): MaybePromise<Principal | null> =>
      found === null || found === undefined ? find(credentials, at + 1, failed) : checked(found);
    const fail = (error: unknown): MaybePromise<Principal | null> => {
      const denial = denialOfError(error, schemes);
      if (denial === undefined) throw error;
      // Credentials that cannot be verified now may be valid, whatever the other authenticators say.
      const isGraver = failed === undefined || (denial.status === 503 && failed.denial.status !== 503);
      return find(credentials, at + 1, isGraver ? new DeniedError(denial, { cause: error }) : failed);
    };
    let found: MaybePromise<Principal | null>;
    try {
      found = authenticate(credentials);
    } catch (error) {
      return fail(error);
    }
    return isPromiseLike(found) ? Promise.resolve(found).then(settle, fail) : settle(found);
  };
  const keys = [option, schemes]
    .flat(2)
    .map((one) => ('scheme' in one ? one.scheme : one))
    .flatMap((scheme) => ('type' in scheme && scheme.type === 'apiKey' ? [scheme.header] : []));
  const headers = [...new Set(['Authorization', 'Cookie', ...keys])];
  return {
    /** The names of the request headers that may carry credentials. */
    headers,
    /** The same as the value of `Vary`. */
    vary: headers.join(', '),
    /** Finds the caller of a request; null if it has no credentials. Throws a {@link DeniedError} if they are invalid. */
    authenticate: (credentials: Credentials) => find(credentials, 0, undefined),
    /** Why a caller is refused; undefined if it is not. */
    denial: (demand: Demand, principal: Principal | null) => denialOf(demand, principal, schemes),
    /** The denial of a caller that is not the owner of the data that it asks for. */
    foreign: forbidden('This belongs to another caller.', schemes),
    /** The denial of a caller that the option `guards` refuses. */
    refused: (principal: Principal | null) => guardDenial(principal, schemes),
  };
}

/**
 * Checks a principal at run time: one without an id would count as another one without an id, and a text of scopes would
 * contain the beginning of each of them.
 */
function checked(found: Principal): Principal {
  const { id, scopes, roles, expiresAt } = found;
  const isFound =
    typeof id === 'string' &&
    id !== '' &&
    (scopes === undefined || Array.isArray(scopes)) &&
    (roles === undefined || Array.isArray(roles)) &&
    (expiresAt === undefined || Number.isFinite(expiresAt));
  if (isFound) return found;
  throw new TypeError(
    'authenticate must return null, or a principal with an id, lists of scopes and roles, and a number as expiresAt.',
  );
}
