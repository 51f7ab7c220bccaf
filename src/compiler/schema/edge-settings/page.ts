import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { pageArguments } from '../cursor.js';
import type { EdgeSetting } from './edge-setting.js';

/** `page: 20`: the result is a connection, with 20 items in a page unless callers ask for another number. */
export const pageSetting: EdgeSetting = {
  key: 'page',
  kinds: ['query'],
  detail: 'the number of items in a page of the result',
  snippet: '',
  expected: 'the number of items in a page, such as 20',
  read: ({ value, span }, { arguments: args, operation, report }) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) return undefined;
    const taken = args.find(({ name }) => pageArguments.has(name));
    if (taken === undefined) return { page: { size: value, node: '' } };
    const labels = taken.span === undefined ? [] : [{ span: taken.span, message: `“${taken.name}” here` }];
    report(diagnose('GG3063', { operation, argument: taken.name }, span, { labels }));
    return {};
  },
};
