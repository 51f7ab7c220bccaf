import type { ChainStep } from '../../api/chains/chains.js';
import type { GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import type { ArazzoParameter, InputSchema } from './format.js';

/** The input with the credentials of a workflow; undefined if no step requires authentication. */
export function tokenInput(
  { security: [scheme] = [] }: GqlSchema,
  steps: readonly ChainStep[],
): InputSchema | undefined {
  if (scheme === undefined || !steps.some(requiresToken)) return undefined;
  const what = scheme.type === 'bearer' ? 'bearer token' : 'API key';
  return { type: 'string', description: `The ${what} of the requests that require authentication.` };
}

function requiresToken({ operation, events }: ChainStep): boolean {
  return [operation, ...events].some(({ auth }) => auth === 'required');
}

/** The header with the credentials, in the first of the schemes; undefined for an operation that requires none. */
export function credentialParameter(
  { security: [scheme] = [] }: GqlSchema,
  { auth }: GqlOperation,
  token: string,
): ArazzoParameter | undefined {
  if (scheme === undefined || auth !== 'required') return undefined;
  return scheme.type === 'bearer'
    ? { name: 'Authorization', in: 'header', value: `Bearer {$inputs.${token}}` }
    : { name: scheme.header, in: 'header', value: `$inputs.${token}` };
}
