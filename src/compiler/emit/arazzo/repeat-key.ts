import type { ChainStep } from '../../api/chains/chains.js';
import type { GqlOperation } from '../../schema/gql-schema.js';
import type { ArazzoParameter, InputSchema } from './format.js';

/** The input with the idempotency key of a workflow; undefined if no step requires one. */
export function keyInput(steps: readonly ChainStep[]): InputSchema | undefined {
  if (!steps.some(({ operation }) => operation.idempotent !== undefined)) return undefined;
  const description =
    'A new key for each run: requests that require an idempotency key begin theirs with it.';
  return { type: 'string', description };
}

/** The header with the key of a step, which no other step has; undefined for an operation that requires none. */
export function keyParameter(
  { idempotent }: GqlOperation,
  key: string,
  stepId: string,
): ArazzoParameter | undefined {
  if (idempotent === undefined) return undefined;
  return { name: 'Idempotency-Key', in: 'header', value: `{$inputs.${key}}-${stepId}` };
}
