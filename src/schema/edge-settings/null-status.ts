import type { Setting } from '../../graph/graph-ir.js';
import type { EdgeSetting } from './edge-setting.js';
import { readStatus } from './status.js';

/** `null: 404`: the status of a REST response whose result is null. */
export const nullStatusSetting: EdgeSetting = {
  key: 'null',
  kinds: ['query', 'mutation'],
  detail: 'the HTTP status of a REST response without a result',
  snippet: '',
  read: ([given], scope) => {
    const nullStatus = readStatus(given as Setting, 'null', 4, scope);
    return nullStatus === undefined ? undefined : { nullStatus };
  },
};
