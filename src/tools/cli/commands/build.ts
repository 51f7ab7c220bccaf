import { unportableNames } from '../../../compiler/emit/portable-names.js';
import { emitArtifacts } from '../files/artifacts.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import { writeFiles } from '../files/write-files.js';
import { type CliCommand, UsageError } from '../terminal/command.js';
import { count, countProjection } from '../terminal/count.js';
import { exitCodes } from '../terminal/io.js';
import { readEmitOptions, readText } from '../terminal/option-values.js';
import { reportFindings, requireValid } from '../terminal/report-findings.js';

export const command: CliCommand = {
  doing: 'Building',
  project: 'files',
  options: {
    '-o, --out <directory>': 'output directory; created if missing',
    '--title <text>': 'title of the OpenAPI document',
    '--name <text>': 'name of the collection (default: the title)',
    '--base-url <url>': 'public URL of the API, for the collection',
    '--openapi <version>': 'version of the OpenAPI document: 3.1 or 3.2 (default: 3.1)',
    '--arazzo <version>': 'version of the workflows: 1.0 or 1.1 (default: 1.0)',
    '--strict': 'make everything without effect an error',
    '--no-federation': 'omit the federation queries',
    '--no-map': 'omit api.map.json',
    '--no-streams': 'omit streams from the OpenAPI document',
    '--no-unused': 'omit schemas from the OpenAPI document that no path refers to',
    '--portable': 'warn of names that code generators cannot use, by generator',
  },
  async run(operands, options, io) {
    const start = io.clock();
    const out = readText(options, 'out');
    if (out === undefined)
      throw new UsageError(
        'build needs an output directory: pass -o <directory>, or set “outputs.directory” in the project file.',
      );
    const names = readEmitOptions(options);
    const topology = await readTopology(operands, io, options);
    const { schema } = requireValid(joinFederation(topology, options), io);
    if (options.portable === true) {
      reportFindings(unportableNames(schema), topology.sources, io);
    }

    const files = emitArtifacts(schema, names, options.map !== false, options.project?.outputs?.files);
    const { written, unchanged } = await writeFiles(out, files, io);
    const total = count(written.length + unchanged.length, 'artifact');
    const took = Math.round(io.clock() - start);
    io.stdout(
      `${written.map((path) => `wrote ${path}\n`).join('')}` +
        `${total}: ${written.length} written, ${unchanged.length} unchanged — ` +
        `${countProjection(topology.schema)}${options.federation === false ? '' : ', and federation'} (${took} ms)\n`,
    );
    return exitCodes.fine;
  },
};
