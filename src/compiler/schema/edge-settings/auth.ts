import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Setting } from '../../graph/graph-ir.js';
import type { EdgeSetting } from './edge-setting.js';

/** The settings that only callers meet who authenticate. */
const demands = ['scopes', 'anyScope', 'roles', 'owner'];

/** `auth: 'required'`: callers must authenticate. `auth: 'optional'`: they may. */
export const authSetting: EdgeSetting = {
  key: 'auth',
  kinds: ['query', 'mutation', 'subscription'],
  detail: 'whether callers must authenticate, or may',
  snippet: "'required'",
  expected: "'required' or 'optional'",
  read: ({ value: auth, span }, { edges, operation, report }) => {
    if (auth !== 'required' && auth !== 'optional') return undefined;
    const demand = demands.find((key) => edges.some(({ settings }) => settings.has(key)));
    if (auth === 'optional' && demand !== undefined) {
      const [place] = edges.flatMap(({ settings }) => settings.get(demand) ?? []) as [Setting];
      const labels = [{ span: place.span, message: `“${demand}” is here` }];
      report(diagnose('GG3072', { owner: operation }, span, { labels }));
    }
    return { auth };
  },
};
