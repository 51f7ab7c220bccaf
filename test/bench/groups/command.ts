import { join } from 'node:path';
import { compareSamples } from '../measure.js';
import type { BenchContext } from '../measurement.js';
import { timeProcess } from '../processes.js';

/** What a person waits for who checks a small file. */
export function measureCommand({ root, isQuick, report }: BenchContext): void {
  const check = [join(root, 'dist/tools/cli/gg-svc.js'), 'check', 'docs/examples/service.gg'];
  const comparison = compareSamples(
    () => timeProcess(check, root),
    () => timeProcess(['-e', '0'], root),
    isQuick ? 9 : 31,
  );
  report({ row: 'check', size: 'the service example', unit: 'ms', judged: true, ...comparison });
}
