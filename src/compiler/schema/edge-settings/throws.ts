import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { createSuggester } from '../../graph/suggest.js';
import type { EdgeSetting } from './edge-setting.js';

/** `throws: [OutOfStock]`: the declared errors that the operation can answer with. */
export const throwsSetting: EdgeSetting = {
  key: 'throws',
  kinds: ['query', 'mutation', 'subscription'],
  joins: 'throws',
  detail: 'the declared errors of the operation',
  snippet: '[',
  expected: 'a list of declared errors, such as [OutOfStock]',
  read: ({ value, span }, { nodes, report }) => {
    if (!Array.isArray(value) || value.length === 0) return undefined;
    const throws = value.map(String).filter((name) => {
      if (nodes.get(name)?.kind === 'problem') return true;
      const problems = [...nodes.values()].filter(({ kind }) => kind === 'problem');
      const suggestion = createSuggester(problems.map(({ typeName }) => typeName)).nearest(name);
      report(diagnose('GG3060', { name, isType: nodes.has(name), suggestion }, span));
      return false;
    });
    return { throws };
  },
};
