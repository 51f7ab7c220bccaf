import { diagnose } from '../../diagnostics/diagnostic.js';
import type { Setting } from '../../graph/graph-ir.js';
import type { EdgeSetting } from './edge-setting.js';

/** `auth: 'required'`: callers must authenticate. `auth: 'optional'`: they may. */
export const authSetting: EdgeSetting = {
  key: 'auth',
  kinds: ['query', 'mutation', 'subscription'],
  detail: 'whether callers must authenticate, or may',
  snippet: "'required'",
  read: ([given], { edges, operation, report }) => {
    const { value: auth, span } = given as Setting;
    if (auth !== 'required' && auth !== 'optional') {
      report(diagnose('GG2018', { property: 'auth', expected: "'required' or 'optional'" }, span));
      return undefined;
    }
    const [scopes] = edges.flatMap(({ settings }) => settings.get('scopes') ?? []);
    if (auth === 'optional' && scopes !== undefined) {
      const labels = [{ span: scopes.span, message: 'The scopes are here' }];
      report(diagnose('GG3072', { owner: operation }, span, { labels }));
    }
    return { auth };
  },
};
