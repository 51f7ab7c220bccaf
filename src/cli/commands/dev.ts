import { resolve } from 'node:path';
import type { Analysis } from '../../analyze.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { defineScalarOptions, readTypeOptions, writeTypes } from '../files/type-options.js';
import type { WriteOutcome } from '../files/write-files.js';
import { defineServerOptions, runServer } from '../serving/run-server.js';
import { type CliCommand, type CliOptions, UsageError } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readEmitOptions, readText } from '../terminal/option-values.js';

const help = `
Checks the topology, serves it, and does both again whenever a file changes: a topology
file, one that it imports, a new one that a pattern matches, the resolvers module, or
what that imports. While something is broken the terminal shows where, and the last API
that was whole goes on.

Files are paths, patterns between quotes ('topologies/*.gg') and URLs. All that serve
says of resolvers, engines and hosts holds here too.

Examples:
  $ gg-svc dev service.gg
  $ gg-svc dev main.gg --types main.types.ts --scalar DateTime=string
  $ gg-svc dev 'topologies/*.gg' -o api --port 8080`;

/** `gg-svc dev`: checks, serves and watches; writes types and artifacts where it is asked to. */
export const devCommand: CliCommand = {
  usage: 'dev <files...>',
  summary: 'check, serve and watch a topology while you work on it',
  define: (command) => {
    defineScalarOptions(
      defineServerOptions(command)
        .option('-t, --types <file>', 'write TypeScript types whenever the topology is whole')
        .option('-o, --out <directory>', 'write the artifacts whenever the topology is whole'),
    ).addHelpText('after', help);
  },
  run(operands, options, io) {
    // What makes no sense is said at once, and not only when the first file is written.
    readTypeOptions(options);
    if (operands.includes('-')) throw new UsageError('dev watches files, and standard input is none.');
    return runServer(operands, options, io, {
      isWatching: true,
      waitsForTopology: true,
      onBuilt: ({ topology }) => writeOutputs(topology, options, io),
    });
  },
};

/** Writes what was asked for. What keeps it from that is told, and is no reason not to serve. */
async function writeOutputs(topology: Analysis, options: CliOptions, io: CliIo): Promise<void> {
  const out = readText(options, 'out');
  const types = readText(options, 'types');
  try {
    if (out !== undefined) await report(await writeAll(topology, out, options, io), io);
    if (types !== undefined) {
      await report(await writeTypes(topology.schema, readTypeOptions(options), types, io), io);
    }
  } catch (error) {
    // A scalar that is named on the command line may be gone from the topology for a while.
    if (!(error instanceof UsageError)) throw error;
    io.stderr(`error: ${error.message}\n`);
  }
}

/** The same files as `gg-svc build` writes. */
async function writeAll(
  topology: Analysis,
  out: string,
  options: CliOptions,
  io: CliIo,
): Promise<WriteOutcome> {
  const { joinLayers } = await import('../../join-layers.js');
  const { federationFragment } = await import('../../federation/fragment.js');
  const { emitFiles } = await import('../files/emit-files.js');
  const { writeArtifacts } = await import('../files/write-files.js');
  const { schema } = joinLayers(topology, options.federation === false ? [] : [federationFragment]);
  const files = await emitFiles(schema, readEmitOptions(options));
  return writeArtifacts(resolve(io.directory, out), out, files);
}

async function report(outcome: WriteOutcome, io: CliIo): Promise<void> {
  if (outcome.ok) {
    for (const path of outcome.written) io.stdout(`wrote ${path}\n`);
    return;
  }
  const { reportFindings } = await import('../terminal/report-findings.js');
  const findings: readonly Diagnostic[] = [outcome.diagnostic];
  reportFindings(findings, [], io);
}
