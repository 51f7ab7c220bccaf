import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Setting } from '../../graph/graph-ir.js';
import type { EdgeSetting } from './edge-setting.js';

/**
 * `owner: 'patientId'`: callers must authenticate, and the argument of this name, or without one the field of the
 * result, must be their own id. That there is one is checked with the whole schema (GG3076).
 */
export const ownerSetting: EdgeSetting = {
  key: 'owner',
  kinds: ['query', 'mutation', 'subscription'],
  detail: 'the argument, or the field of the result, that must be the id of the caller',
  snippet: "'",
  read: ([given], { report }) => {
    const { value: owner, span } = given as Setting;
    if (typeof owner === 'string' && owner !== '') return { auth: 'required', owner };
    report(diagnose('GG2018', { property: 'owner', expected: 'the name of an argument in quotes' }, span));
    return undefined;
  },
};
