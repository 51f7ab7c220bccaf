import type { Analysis } from '../../analyze.js';
import { defineScalarOptions, emitArtifacts, emitTypes, readTypeOptions } from '../files/artifacts.js';
import { joinFederation } from '../files/read-topology.js';
import { replaceFile, writeFiles } from '../files/write-files.js';
import { runServer } from '../serving/run-server.js';
import { defineServerOptions } from '../serving/server-options.js';
import { type CliCommand, type CliOptions, CommandFailure, UsageError } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readEmitOptions, readText } from '../terminal/option-values.js';
import { reportFindings } from '../terminal/report-findings.js';

const help = `
Checks and serves the topology, and again after each change of a topology file, an
imported file, a new file that matches a glob, the resolvers module, or its imports. On
errors the last working API is still being served. After a change of the project file,
start the command again.

Files are paths, globs in quotes ('topologies/*.gg') and URLs. For resolvers, channels,
engines and hosts see gg-svc serve --help.

Examples:
  $ gg-svc dev service.gg
  $ gg-svc dev main.gg --types main.types.ts --scalar DateTime=string
  $ gg-svc dev 'topologies/*.gg' -o api --port 8080`;

/** `gg-svc dev`: checks, serves and watches; writes types and artifacts if asked to. */
export const devCommand: CliCommand = {
  project: 'files',
  define: (command) => {
    defineScalarOptions(
      defineServerOptions(command)
        .option('-t, --types <file>', 'write TypeScript types after each change of a topology without errors')
        .option('-o, --out <directory>', 'write the artifacts after each change of a topology without errors')
        .option('--no-studio', 'do not serve the studio at /_gg/')
        .option('--allowed-hosts <names>', 'host names that are answered beside localhost, joined by commas'),
    ).addHelpText('after', help);
  },
  async run(operands, options, io) {
    // Validates the options now rather than after the first build.
    readTypeOptions(options);
    if (operands.includes('-')) throw new UsageError('dev cannot watch standard input; pass a file.');
    return runServer(operands, options, io, {
      isWatching: true,
      waitsForTopology: true,
      offersStudio: true,
      allowedHosts: readText(options, 'allowedHosts')?.split(',') ?? [],
      onChecked: (topology) => writeOutputs(topology, options, io),
    });
  },
};

/** Writes the requested files. Failures are printed and do not stop the server. */
async function writeOutputs(topology: Analysis, options: CliOptions, io: CliIo): Promise<void> {
  const out = readText(options, 'out');
  const types = readText(options, 'types');
  const attempts = [
    ...(out === undefined ? [] : [() => writeArtifacts(topology, out, options, io)]),
    ...(types === undefined ? [] : [() => writeTypes(topology, types, options, io)]),
  ];
  for (const attempt of attempts) {
    try {
      await attempt();
    } catch (error) {
      if (error instanceof CommandFailure) reportFindings(error.diagnostics, error.sources, io);
      // A scalar of the command line may be missing from the topology while it is being edited.
      else if (error instanceof UsageError) io.stderr(`error: ${error.message}\n`);
      else throw error;
    }
  }
}

/** The same files as `gg-svc build` writes. */
async function writeArtifacts(
  topology: Analysis,
  out: string,
  options: CliOptions,
  io: CliIo,
): Promise<void> {
  const files = await emitArtifacts(
    joinFederation(topology, options).schema,
    readEmitOptions(options),
    true,
    options.project?.outputs?.files,
  );
  const { written } = await writeFiles(out, files, io);
  for (const path of written) io.stdout(`wrote ${path}\n`);
}

async function writeTypes({ schema }: Analysis, out: string, options: CliOptions, io: CliIo): Promise<void> {
  if (await replaceFile(out, await emitTypes(schema, readTypeOptions(options)), io))
    io.stdout(`wrote ${out}\n`);
}
