import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Setting } from '../../graph/graph-ir.js';
import type { EdgeSetting } from './edge-setting.js';

/** `idempotent: 'required'`: callers must send an idempotency key, so that a repeat never runs twice. */
export const idempotentSetting: EdgeSetting = {
  key: 'idempotent',
  kinds: ['mutation'],
  detail: 'whether callers must send an idempotency key',
  snippet: "'required'",
  read: ([given], { report }) => {
    const { value, span } = given as Setting;
    if (value === 'required') return { idempotent: value };
    report(diagnose('GG2018', { property: 'idempotent', expected: "'required'" }, span));
    return undefined;
  },
};
