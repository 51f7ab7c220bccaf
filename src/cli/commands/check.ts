import { Option } from 'commander';
import type { CliCommand } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';
import { readNumber } from '../terminal/option-values.js';

const help = `
Files are paths, patterns between quotes ('topologies/*.gg'), URLs, or - for standard
input. Files that they import are read too. All of them make one topology.

Findings for people go to standard error; json, sarif and github go to standard output.

Examples:
  $ gg-svc check service.gg
  $ gg-svc check 'topologies/*.gg' --max-warnings 0
  $ gg-svc check service.gg --format sarif > findings.sarif
  $ cat service.gg | gg-svc check -`;

/** `gg-svc check`: finds mistakes and writes nothing. */
export const checkCommand: CliCommand = {
  usage: 'check <files...>',
  summary: 'find mistakes in a topology, write nothing',
  define: (command) => {
    command
      .addOption(
        // The names are repeated here because the registry of reporters is loaded only when one is needed.
        new Option('-f, --format <format>', 'how to report')
          .choices(['text', 'json', 'sarif', 'github'])
          .default('text'),
      )
      .option('--max-warnings <count>', 'fail when there are more warnings than this')
      .option('--no-federation', 'let the topology have names of the federation queries')
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const maxWarnings =
      options.maxWarnings === undefined
        ? Number.POSITIVE_INFINITY
        : readNumber(options.maxWarnings, '--max-warnings');

    const { readTopology } = await import('../files/read-topology.js');
    const { count, countProjection } = await import('../terminal/count.js');
    const { joinLayers } = await import('../../join-layers.js');
    const { federationFragment } = await import('../../federation/fragment.js');
    const topology = await readTopology(operands, io);
    const { sources, schema } = topology;
    // What a server would refuse is found here: a name that its federation layer has already.
    const { diagnostics } = joinLayers(topology, options.federation === false ? [] : [federationFragment]);
    const forPeople = options.format === 'text';
    if (!forPeople || diagnostics.length > 0) {
      const { reportAs } = await import('../terminal/report-findings.js');
      reportAs(String(options.format), diagnostics, sources, io);
    }

    if (diagnostics.some(({ severity }) => severity === 'error')) return exitCodes.findings;
    const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
    if (warnings > maxWarnings) {
      io.stderr(`${count(warnings, 'warning')}, where --max-warnings allows ${maxWarnings}\n`);
      return exitCodes.findings;
    }
    if (forPeople) {
      const findings = diagnostics.length === 0 ? ', no findings' : '';
      io.stdout(`${count(sources.length, 'file')} checked${findings} — ${countProjection(schema)}\n`);
    }
    return exitCodes.fine;
  },
};
