import type { ArazzoEvent, ArazzoStep } from '../../compiler/emit/arazzo/format.js';
import { operationIds } from '../../compiler/emit/openapi/operations.js';
import { clausesOf } from '../../compiler/graph/access.js';
import type { GqlOperation, GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { SigningOptions } from '../../runtime/auth/auth-config.js';
import { denialOf } from '../../runtime/auth/denial.js';
import { createOwners, type OwnerOptions } from '../../runtime/auth/owner.js';
import type { Principal } from '../../runtime/auth/principal.js';
import { signToken, type TokenCaller } from '../../runtime/auth/sign-token.js';

/** The caller that sends a request. */
export interface StepCaller {
  readonly id: string;
  readonly token: string;
}

/** A caller as the server reads its token. */
export interface SignedCaller extends StepCaller {
  readonly principal: Principal;
}

/** Finds the caller of a step, or of the stream of an event. */
export type StepCallers = (request: Pick<ArazzoStep, 'operationId'> | Pick<ArazzoEvent, 'subscription'>) => StepCaller;

/** How long the tokens are valid, in seconds: a run takes less. */
const validity = 86_400;

/** Signs a token for each caller. */
export function signCallers(callers: readonly TokenCaller[], signing: SigningOptions) {
  return Promise.all(
    callers.map(async (caller): Promise<SignedCaller> => {
      const { id, scopes, roles, claims } = caller;
      const token = await signToken(signing, caller, validity);
      return { id, token, principal: { id, scopes, claims: { ...claims, roles } } };
    }),
  );
}

/**
 * Chooses the caller of each request: the first that may call the operation, or the first of all. For data with an owner it
 * is one that acts for every owner, if there is any: the ids in workflows are those of their steps.
 *
 * @param callers - One at least.
 * @param isOwn - Whether the ids in the request are those of the first caller, so that it may be the owner.
 */
export function createStepCallers(
  schema: GqlSchema,
  callers: readonly SignedCaller[],
  owners: OwnerOptions | undefined,
  isOwn: (operation: GqlOperation) => boolean = () => false,
): StepCallers {
  const ownerOf = createOwners(owners);
  const choose = (operation: GqlOperation): StepCaller => {
    const able = callers.filter(({ principal }) => !denialOf(clausesOf(operation), principal, []));
    const everyOwner = able.find(({ principal }) => operation.owner && ownerOf(principal) === undefined);
    if (able[0] === callers[0] && isOwn(operation)) return callers[0] as StepCaller;
    return (everyOwner ?? able[0] ?? callers[0]) as StepCaller;
  };
  const ofSteps = new Map([...operationIds(schema)].map(([{ operation }, id]) => [id, choose(operation)]));
  const ofEvents = new Map(schema.subscriptions.map((operation) => [operation.name, choose(operation)]));
  return (request) =>
    ('operationId' in request ? ofSteps.get(request.operationId) : ofEvents.get(request.subscription)) as StepCaller;
}
