import type { CliCommand } from '../command.js';
import { UsageError } from '../command.js';
import { exitCodes } from '../io.js';
import { readNumber } from '../option-values.js';

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
      .option('-f, --format <format>', 'how to report: text, json, sarif or github', 'text')
      .option('--max-warnings <count>', 'fail when there are more warnings than this')
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const { reporters } = await import('../../diagnostics/render/reporters.js');
    const reporter = reporters.find(({ format }) => format === options.format);
    if (reporter === undefined) {
      const known = reporters.map(({ format }) => format).join(', ');
      throw new UsageError(`there is no format ${options.format}; the formats are ${known}.`);
    }
    const maxWarnings =
      options.maxWarnings === undefined
        ? Number.POSITIVE_INFINITY
        : readNumber(options.maxWarnings, '--max-warnings');

    const { readTopology } = await import('../read-topology.js');
    const { summarize } = await import('../../diagnostics/render/report.js');
    const { renderSummary } = await import('../../diagnostics/render/text.js');
    const { reportFindings, reportToPrograms } = await import('../report-findings.js');
    const { count, countProjection } = await import('../count.js');
    const { diagnostics, sources, schema } = await readTopology(operands, io);
    const { errors, warnings } = summarize(diagnostics);

    if (reporter.machine) reportToPrograms(reporter, diagnostics, sources, io);
    else reportFindings(diagnostics, sources, io);
    if (errors > 0) return exitCodes.findings;
    if (warnings > maxWarnings) {
      io.stderr(`${count(warnings, 'warning')}, where --max-warnings allows ${maxWarnings}\n`);
      return exitCodes.findings;
    }
    if (!reporter.machine) {
      const findings = diagnostics.length === 0 ? `, ${renderSummary(diagnostics)}` : '';
      io.stdout(`${count(sources.length, 'file')} checked${findings} — ${countProjection(schema)}\n`);
    }
    return exitCodes.fine;
  },
};
