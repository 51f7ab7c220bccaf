import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { whyInvalidScope } from '../../graph/scope-token.js';
import type { EdgeSetting } from './edge-setting.js';

/** `scopes: ['orders:write']`: callers must authenticate, and have all of these scopes. */
export const scopesSetting: EdgeSetting = {
  ...listOf('scopes', 'scope', "a list of scopes in quotes, such as ['orders:write']"),
  joins: 'scopes',
  detail: 'the scopes that callers must have, all of them',
};

/** `anyScope: ['orders:read', 'orders:write']`: callers must authenticate, and have one of these scopes. */
export const anyScopeSetting: EdgeSetting = {
  ...listOf('anyScope', 'scope', "a list of scopes in quotes, such as ['orders:read', 'orders:write']"),
  detail: 'the scopes of which callers must have one',
};

/** `roles: ['admin', 'doctor']`: callers must authenticate, and have one of these roles. */
export const rolesSetting: EdgeSetting = {
  ...listOf('roles', 'role', "a list of roles in quotes, such as ['admin']"),
  detail: 'the roles of which callers must have one',
};

/** A setting whose value is a list of scopes or roles, which are words of a token (GG3071). */
function listOf(
  key: 'scopes' | 'anyScope' | 'roles',
  what: 'scope' | 'role',
  expected: string,
): Omit<EdgeSetting, 'detail'> {
  return {
    key,
    kinds: ['query', 'mutation', 'subscription'],
    snippet: "['",
    expected,
    read: ({ value, span }, { report }) => {
      // A note of the author, of which `checkWords` warns: topologies may have used the word before.
      if (key === 'roles' && typeof value === 'string') return {};
      if (!Array.isArray(value) || value.length === 0 || value.some((name) => typeof name !== 'string')) {
        return undefined;
      }
      const names = new Set<string>();
      for (const name of value.map(String)) {
        const reason = whyInvalidScope(name);
        if (reason === undefined) names.add(name);
        else report(diagnose('GG3071', { what, scope: name, reason }, span));
      }
      return names.size === 0 ? {} : { auth: 'required', [key]: [...names] };
    },
  };
}
