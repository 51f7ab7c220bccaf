import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Setting } from '../../graph/graph-ir.js';
import type { EdgeSetting } from './edge-setting.js';

/** `open: 'reason'`: callers may reach more through the operation than they may ask for. On a RACE edge, see `projectUnions`. */
export const openSetting: EdgeSetting = {
  key: 'open',
  kinds: ['query', 'mutation', 'subscription'],
  detail: 'why callers may reach what is protected elsewhere',
  snippet: "'",
  read: ([given], { report }) => {
    const open = readReason(given as Setting, report);
    return open === undefined ? undefined : { open };
  },
};

/** The reason that `open` gives; undefined if it is no text (GG2018). */
export function readReason(
  { value, span }: Setting,
  report: (diagnostic: Diagnostic) => void,
): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value;
  report(diagnose('GG2018', { property: 'open', expected: 'the reason in quotes' }, span));
  return undefined;
}
