import { dirname } from 'node:path';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import { createSourceFile, type SourceFile } from '../../../base/source/source-file.js';
import { formatTopology } from '../../../compiler/format/format-topology.js';
import { decodeTopology, topologyLimit } from '../../../runtime/load/read-topology.js';
import { stdinName as name } from '../../../runtime/load/user-module.js';
import { readTopologyFiles } from '../files/topology-files.js';
import { replaceFile } from '../files/write-files.js';
import { type CliCommand, CommandFailure, UsageError } from '../terminal/command.js';
import { count } from '../terminal/count.js';
import { orFail } from '../terminal/failure.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { reportFindings } from '../terminal/report-findings.js';

export const command: CliCommand = {
  project: 'options',
  options: { '--check': 'write nothing; list unformatted files and exit with 1 if there are any' },
  async run(operands, options, io) {
    const check = options.check === true;
    if (!operands.includes('-'))
      return formatFiles(operands.length === 0 ? [dirname(options.projectPath ?? '')] : operands, check, io);
    if (operands.length > 1) throw new UsageError('- (standard input) cannot be combined with files.');
    return formatStdin(check, io);
  },
};

async function formatFiles(operands: readonly string[], check: boolean, io: CliIo): Promise<number> {
  const start = io.clock();

  const { value: inputs, diagnostics: unreadable } = readTopologyFiles(operands, io.directory);
  const diagnostics: Diagnostic[] = [...unreadable];
  const sources: SourceFile[] = [];
  let changed = 0;
  let failed = 0;
  for (const { name, source: text } of inputs) {
    const source = createSourceFile(name, text);
    const { value, diagnostics: errors } = formatTopology(source);
    if (errors.length > 0) {
      failed += 1;
      diagnostics.push(...errors);
      sources.push(source);
    } else if (value !== text) {
      try {
        if (!check) await replaceFile(name, value, io);
        changed += 1;
        io.stdout(check ? `${name}\n` : `formatted ${name}\n`);
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        failed += 1;
        diagnostics.push(...error.diagnostics);
      }
    }
  }
  reportFindings(diagnostics, sources, io);

  const took = Math.round(io.clock() - start);
  const files = count(inputs.length, 'file');
  if (!check) {
    const unchanged = inputs.length - changed - failed;
    const rest = failed === 0 ? '' : `, ${failed} with errors`;
    io.stdout(`${files}: ${changed} formatted, ${unchanged} unchanged${rest} (${took} ms)\n`);
  } else if (changed > 0) io.stderr(`${changed} of ${files} not formatted; run gg-svc fmt.\n`);
  else if (diagnostics.length === 0) io.stdout(`${files} checked, all formatted (${took} ms)\n`);
  return diagnostics.length === 0 && !(check && changed > 0) ? exitCodes.fine : exitCodes.findings;
}

async function formatStdin(check: boolean, io: CliIo): Promise<number> {
  const { text } = orFail(decodeTopology(name, await io.readStdin(topologyLimit.bytes)));
  const source = createSourceFile(name, text);
  const { value, diagnostics } = formatTopology(source);
  if (diagnostics.length > 0) throw new CommandFailure(diagnostics, [source]);
  if (!check) io.stdout(value);
  else if (value !== text) {
    io.stdout(`${name}\n`);
    return exitCodes.findings;
  }
  return exitCodes.fine;
}
