import { resolve } from 'node:path';
import type { CliCommand } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';
import { readEmitOptions } from '../terminal/option-values.js';

const help = `
Files are paths, patterns between quotes ('topologies/*.gg'), URLs, or - for standard
input. Files that they import are read too. All of them make one topology.

The directory gets schema.graphql, openapi.json and collection.json, and api.map.json,
which says from which line of the topology each part of them comes. A file that would
not change is left alone; with an error in the source, nothing is written at all.

The federation queries are part of what is written, as they are part of every server;
--no-federation leaves them out.

Examples:
  $ gg-svc build service.gg -o out
  $ gg-svc build main.gg -o api --title 'Parcel API' --base-url https://api.example.com
  $ cat service.gg | gg-svc build - -o out`;

/** `gg-svc build`: writes the artifacts of a topology into a directory. */
export const buildCommand: CliCommand = {
  usage: 'build <files...>',
  summary: 'write schema.graphql, openapi.json and collection.json',
  define: (command) => {
    command
      .requiredOption('-o, --out <directory>', 'where to write; it is made when it is not there')
      .option('--title <text>', 'the title of the OpenAPI document')
      .option('--name <text>', 'the name of the collection; the title unless given')
      .option('--base-url <url>', 'where the API will be reached, for the collection')
      .option('--no-federation', 'leave the federation queries out')
      .option('--no-map', 'leave api.map.json out')
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const start = io.clock();
    const names = readEmitOptions(options);
    const { readTopology } = await import('../files/read-topology.js');
    const { hasErrors } = await import('../../diagnostics/diagnostic.js');
    const { reportFindings } = await import('../terminal/report-findings.js');

    const { joinLayers } = await import('../../join-layers.js');
    const { federationFragment } = await import('../../federation/fragment.js');

    const topology = await readTopology(operands, io);
    const layers = options.federation === false ? [] : [federationFragment];
    const { diagnostics, sources, schema } = joinLayers(topology, layers);
    reportFindings(diagnostics, sources, io);
    if (hasErrors(diagnostics)) return exitCodes.findings;

    const { emitFiles } = await import('../files/emit-files.js');
    const { writeArtifacts } = await import('../files/write-files.js');
    const { count, countProjection } = await import('../terminal/count.js');
    const files = await emitFiles(schema, names, options.map !== false);

    const out = String(options.out);
    const outcome = await writeArtifacts(resolve(io.directory, out), out, files);
    if (!outcome.ok) {
      reportFindings([outcome.diagnostic], [], io);
      return exitCodes.findings;
    }
    const { written, unchanged } = outcome;
    const total = count(written.length + unchanged.length, 'artifact');
    const took = Math.round(io.clock() - start);
    io.stdout(
      `${written.map((path) => `wrote ${path}\n`).join('')}` +
        `${total}: ${written.length} written, ${unchanged.length} unchanged — ` +
        `${countProjection(topology.schema)}${layers.length === 0 ? '' : ', and federation'} (${took} ms)\n`,
    );
    return exitCodes.fine;
  },
};
