import type { GqlSecurityScheme } from '../../compiler/schema/gql-schema.js';
import type { AuthConfig } from './auth-config.js';

/** The schemes of the settings, for documents. Commands that serve nothing load no authenticator for them. */
export function schemesOfConfig({ jwt, apiKeys: keys }: AuthConfig): readonly GqlSecurityScheme[] {
  return [
    ...(jwt === undefined ? [] : [{ type: 'bearer', format: 'JWT' } as const]),
    ...(keys === undefined ? [] : [{ type: 'apiKey', header: keys.header ?? 'X-API-Key' } as const]),
  ];
}
