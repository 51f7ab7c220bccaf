import { diagnose } from '../../diagnostics/diagnostic.js';
import { whyInvalidScope } from '../../graph/scope-token.js';
import type { EdgeSetting } from './edge-setting.js';

/** `scopes: ['orders:write']`: callers must authenticate, and have all of these scopes. */
export const scopesSetting: EdgeSetting = {
  key: 'scopes',
  kinds: ['query', 'mutation', 'subscription'],
  joins: true,
  detail: 'the scopes that callers must have, all of them',
  snippet: "['",
  read: (given, { report }) => {
    const scopes = new Set<string>();
    for (const { value, span } of given) {
      if (!Array.isArray(value) || value.length === 0 || value.some((scope) => typeof scope !== 'string')) {
        const expected = "a list of scopes in quotes, such as ['orders:write']";
        report(diagnose('GG2018', { property: 'scopes', expected }, span));
        continue;
      }
      for (const scope of value.map(String)) {
        const reason = whyInvalidScope(scope);
        if (reason === undefined) scopes.add(scope);
        else report(diagnose('GG3071', { scope, reason }, span));
      }
    }
    return scopes.size === 0 ? undefined : { auth: 'required', scopes: [...scopes] };
  },
};
