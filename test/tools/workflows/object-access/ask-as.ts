import type { SourceInput } from '../../../../src/compiler/analyze.js';
import { bearerJwt } from '../../../../src/index.js';
import type { OwnerOptions } from '../../../../src/runtime/auth/owner.js';
import type { TokenCaller } from '../../../../src/runtime/auth/sign-token.js';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import {
  type ObjectAccessOptions,
  type ObjectAccessResult,
  testObjectAccess,
} from '../../../../src/tools/workflows/object-access/test-object-access.js';
import { signCallers } from '../../../../src/tools/workflows/step-callers.js';
import { type Documents, documentsOf, whileServed } from '../served-example.js';

const signing = { issuer: 'test', audience: 'test', algorithms: ['HS256'], jwks: new Uint8Array(32).fill(7) };

/** A caller with roles and scopes. */
export function caller(id: string, roles: readonly string[] = [], scopes: readonly string[] = []): TokenCaller {
  return { id, roles, scopes, claims: {} };
}

/** The users, the first of which owns the objects, and how the server compares them with owners. */
export interface Callers {
  readonly users: readonly TokenCaller[];
  readonly helpers?: readonly TokenCaller[];
  readonly owners?: OwnerOptions;
}

/** Serves an API, and replays the requests of the first user as the others. */
export async function askAs(
  intact: readonly SourceInput[],
  served: Omit<Partial<GqlServerOptions<never>>, 'authenticate'>,
  { users, helpers = [], owners }: Callers,
  options: Partial<ObjectAccessOptions> & { readonly inputs?: Readonly<Record<string, string>> } = {},
): Promise<ObjectAccessResult> {
  const { schema, arazzo, openapi } = documentsOf(intact) as Documents;
  const server = {
    topologies: intact,
    authenticate: bearerJwt(signing),
    logger: { error: () => undefined, warn: () => undefined },
    ...(owners && { owners }),
    ...served,
  };
  const signed = await signCallers([...users, ...helpers], signing);
  const run = {
    inputs: options.inputs ?? {},
    headers: {},
    timeout: 120_000,
    signal: new AbortController().signal,
    clock: () => performance.now(),
  };
  return whileServed(server as never, (origin) =>
    testObjectAccess({ schema, openapi, origin, endpoint: '/graphql' }, arazzo.workflows, {
      run,
      users: signed.slice(0, users.length),
      helpers: signed.slice(users.length),
      owners,
      seed: 1,
      variations: 0,
      silence: 200,
      ...options,
    }),
  );
}
