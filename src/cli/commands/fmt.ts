import { basename, dirname, resolve } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { SourceFile } from '../../source/source-file.js';
import { type CliCommand, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes } from '../terminal/io.js';

const help = `
Files are paths, directories, patterns between quotes ('topologies/*.gg'), or - for
standard input, which is formatted to standard output. Without any, it is the directory
that you are in. In directories, all .gg files below them are meant, but not those of
installed packages and hidden directories. What a file imports is not formatted with it.

A file with syntax errors is left as it is; so is one that is formatted already.

Examples:
  $ gg-svc fmt service.gg topologies
  $ gg-svc fmt                         all .gg files from here down
  $ gg-svc fmt --check                 list what is not formatted, write nothing
  $ cat service.gg | gg-svc fmt -`;

/** `gg-svc fmt`: brings topologies into the one layout that `docs/formatting.md` describes. */
export const fmtCommand: CliCommand = {
  usage: 'fmt [files...]',
  summary: 'format topologies, or check that they are formatted',
  define: (command) => {
    command
      .option('--check', 'write nothing; list what would change, and end with 1 if there is any')
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const check = options.check === true;
    if (!operands.includes('-')) return formatFiles(operands, check, io);
    if (operands.length > 1) throw new UsageError('- stands for standard input and is formatted alone.');
    return formatStdin(check, io);
  },
};

/** What there is to say after all files were looked at. */
interface Findings {
  readonly diagnostics: Diagnostic[];
  readonly sources: SourceFile[];
}

async function formatFiles(operands: readonly string[], check: boolean, io: CliIo): Promise<number> {
  const start = io.clock();
  const { readTopologies } = await import('../files/read-topologies.js');
  const { formatTopology } = await import('../../format/format-topology.js');
  const { createSourceFile } = await import('../../source/source-file.js');
  const { count } = await import('../terminal/count.js');

  const { value: inputs, diagnostics } = readTopologies(
    operands.length === 0 ? ['.'] : operands,
    io.directory,
  );
  const findings: Findings = { diagnostics: [...diagnostics], sources: [] };
  let changed = 0;
  let failed = 0;
  for (const { name, source: text } of inputs) {
    const source = createSourceFile(name, text);
    const { value, diagnostics: errors } = formatTopology(source);
    if (errors.length > 0) {
      failed += 1;
      findings.diagnostics.push(...errors);
      findings.sources.push(source);
    } else if (value !== text) {
      const problem = check ? undefined : await replaceFile(name, value, io);
      if (problem !== undefined) {
        failed += 1;
        findings.diagnostics.push(problem);
        continue;
      }
      changed += 1;
      io.stdout(check ? `${name}\n` : `formatted ${name}\n`);
    }
  }
  await report(findings, io);

  const took = Math.round(io.clock() - start);
  const files = count(inputs.length, 'file');
  if (!check) {
    const unchanged = inputs.length - changed - failed;
    const rest = failed === 0 ? '' : `, ${failed} with errors`;
    io.stdout(`${files}: ${changed} formatted, ${unchanged} unchanged${rest} (${took} ms)\n`);
  } else if (changed > 0) io.stderr(`${changed} of ${files} would change; gg-svc fmt formats them.\n`);
  else if (findings.diagnostics.length === 0) io.stdout(`${files} checked, all formatted (${took} ms)\n`);
  const isFine = findings.diagnostics.length === 0 && !(check && changed > 0);
  return isFine ? exitCodes.fine : exitCodes.findings;
}

async function formatStdin(check: boolean, io: CliIo): Promise<number> {
  const name = '<stdin>';
  const { decodeTopology } = await import('../../load/read-topology.js');
  const { formatTopology } = await import('../../format/format-topology.js');
  const { createSourceFile } = await import('../../source/source-file.js');
  const reading = decodeTopology(name, await io.readStdin());
  if (!reading.ok) {
    await report({ diagnostics: [reading.problem], sources: [] }, io);
    return exitCodes.findings;
  }
  const source = createSourceFile(name, reading.text);
  const { value, diagnostics } = formatTopology(source);
  if (diagnostics.length > 0) {
    await report({ diagnostics: [...diagnostics], sources: [source] }, io);
    return exitCodes.findings;
  }
  if (!check) io.stdout(value);
  else if (value !== reading.text) {
    io.stdout(`${name}\n`);
    return exitCodes.findings;
  }
  return exitCodes.fine;
}

/** Writes the file whole, in one step; the finding when that cannot be done. */
async function replaceFile(name: string, text: string, io: CliIo): Promise<Diagnostic | undefined> {
  const { writeArtifacts } = await import('../files/write-files.js');
  const outcome = await writeArtifacts(resolve(io.directory, dirname(name)), dirname(name), {
    [basename(name)]: text,
  });
  return outcome.ok ? undefined : outcome.diagnostic;
}

async function report({ diagnostics, sources }: Findings, io: CliIo): Promise<void> {
  if (diagnostics.length === 0) return;
  const { reportFindings } = await import('../terminal/report-findings.js');
  reportFindings(diagnostics, sources, io);
}
