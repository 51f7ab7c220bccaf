import type { SourceInput } from '../../analyze.js';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { Outcome } from '../../diagnostics/outcome.js';
import { createTopologyLoader, diskFiles } from '../../load/load-topologies.js';
import { UsageError } from '../terminal/command.js';
import { listTopologies } from './list-topologies.js';

/**
 * Reads topology files one by one, for commands that write them back: paths, patterns, and directories with
 * all that lies below them. Nothing is imported. What cannot be read is a diagnostic.
 *
 * @throws UsageError for an address, which cannot be written to.
 */
export function readTopologies(
  operands: readonly string[],
  directory: string,
): Outcome<readonly SourceInput[]> {
  const diagnostics: Diagnostic[] = [];
  const inputs = operands.flatMap((operand) => {
    if (/^https?:\/\//i.test(operand)) throw new UsageError(`${operand} is not a file that can be written.`);
    const listed = listTopologies(operand, directory);
    if (listed === undefined) return [operand];
    diagnostics.push(...listed.diagnostics);
    if (listed.value.length + listed.diagnostics.length === 0) {
      const span = { file: operand, start: 0, end: 0 };
      diagnostics.push(diagnose('GG4005', { pattern: `${operand}/**/*.gg` }, span));
    }
    return listed.value;
  });
  const { value, diagnostics: problems } = createTopologyLoader(diskFiles(directory)).load(inputs);
  return { value, diagnostics: [...diagnostics, ...problems] };
}
