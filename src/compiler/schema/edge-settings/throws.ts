import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { createSuggester } from '../../graph/suggest.js';
import type { EdgeSetting } from './edge-setting.js';

/** `throws: [OutOfStock]`: the declared errors that the operation can answer with. */
export const throwsSetting: EdgeSetting = {
  key: 'throws',
  kinds: ['query', 'mutation', 'subscription'],
  joins: true,
  detail: 'the declared errors of the operation',
  snippet: '[',
  read: (given, { nodes, report }) => {
    const throws = new Set<string>();
    for (const { value, span } of given) {
      if (!Array.isArray(value) || value.length === 0) {
        const expected = 'a list of declared errors, such as [OutOfStock]';
        report(diagnose('GG2018', { property: 'throws', expected }, span));
        continue;
      }
      for (const name of value.map(String)) {
        if (nodes.get(name)?.kind === 'problem') {
          throws.add(name);
          continue;
        }
        const problems = [...nodes.values()].filter(({ kind }) => kind === 'problem');
        const suggestion = createSuggester(problems.map(({ typeName }) => typeName)).nearest(name);
        report(diagnose('GG3060', { name, isType: nodes.has(name), suggestion }, span));
      }
    }
    return throws.size === 0 ? undefined : { throws: [...throws] };
  },
};
