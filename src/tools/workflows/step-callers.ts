import type { ArazzoEvent, ArazzoStep } from '../../compiler/emit/arazzo/format.js';
import { operationIds } from '../../compiler/emit/openapi/operations.js';
import { clausesOf } from '../../compiler/graph/access.js';
import type { GqlOperation, GqlSchema } from '../../compiler/schema/gql-schema.js';
import type { SigningOptions } from '../../runtime/auth/auth-config.js';
import { denialOf } from '../../runtime/auth/denial.js';
import { createOwners, type OwnerOptions } from '../../runtime/auth/owner.js';
import { signToken, type TokenCaller } from '../../runtime/auth/sign-token.js';

/** The caller that sends a request. */
export interface StepCaller {
  readonly id: string;
  readonly token: string;
}

/** Finds the caller of a step, or of the stream of an event. */
export type StepCallers = (
  request: Pick<ArazzoStep, 'operationId'> | Pick<ArazzoEvent, 'subscription'>,
) => StepCaller;

/** How long the tokens are valid, in seconds: a run takes less. */
const validity = 86_400;

/**
 * Signs a token for each caller, and chooses the caller of each request: the first that may call the operation, or the
 * first of all. For data with an owner it is one that acts for every owner, if there is any: the ids in workflows are those
 * of their steps.
 *
 * @param callers - One at least.
 */
export async function createStepCallers(
  schema: GqlSchema,
  callers: readonly TokenCaller[],
  signing: SigningOptions,
  owners: OwnerOptions | undefined,
): Promise<StepCallers> {
  const ownerOf = createOwners(owners);
  const signed = await Promise.all(
    callers.map(async (caller) => {
      const { id, scopes, roles, claims } = caller;
      const token = await signToken(signing, caller, validity);
      // As the server reads the token.
      return { id, token, principal: { id, scopes, claims: { ...claims, roles } } };
    }),
  );
  const choose = (operation: GqlOperation): StepCaller => {
    const able = signed.filter(({ principal }) => !denialOf(clausesOf(operation), principal, []));
    const everyOwner = able.find(({ principal }) => operation.owner && ownerOf(principal) === undefined);
    return (everyOwner ?? able[0] ?? signed[0]) as StepCaller;
  };
  const ofSteps = new Map([...operationIds(schema)].map(([{ operation }, id]) => [id, choose(operation)]));
  const ofEvents = new Map(schema.subscriptions.map((operation) => [operation.name, choose(operation)]));
  return (request) =>
    ('operationId' in request
      ? ofSteps.get(request.operationId)
      : ofEvents.get(request.subscription)) as StepCaller;
}
