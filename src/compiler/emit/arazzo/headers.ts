import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import type { ArazzoParameter } from './format.js';

/** A header that some requests of a workflow require, and the input that its value comes from. */
export interface HeaderInput {
  readonly name: string;
  readonly description: string;
  readonly isRequired: (operation: GqlOperation) => boolean;
  /** The header in the request of a step, with the value of an input. */
  readonly parameter: (input: string, stepId: string) => ArazzoParameter;
}

/** The headers of requests: the credentials, in the first of the schemes, and the idempotency key. */
export function headerInputs({ security: [scheme] = [] }: GqlSchema): readonly HeaderInput[] {
  const key: HeaderInput = {
    name: 'idempotencyKey',
    description: 'A new key for each run: requests that require an idempotency key begin theirs with it.',
    isRequired: ({ idempotent }) => idempotent !== undefined,
    // No other step has the same key.
    parameter: (input, stepId) => header('Idempotency-Key', `{$inputs.${input}}-${stepId}`),
  };
  if (scheme === undefined) return [key];
  const isBearer = scheme.type === 'bearer';
  const credentials: HeaderInput = {
    name: 'token',
    description: `The ${isBearer ? 'bearer token' : 'API key'} of the requests that require authentication.`,
    isRequired: ({ auth }) => auth === 'required',
    parameter: (input) =>
      scheme.type === 'bearer'
        ? header('Authorization', `Bearer {$inputs.${input}}`)
        : header(scheme.header, `$inputs.${input}`),
  };
  return [credentials, key];
}

function header(name: string, value: string): ArazzoParameter {
  return { name, in: 'header', value };
}
