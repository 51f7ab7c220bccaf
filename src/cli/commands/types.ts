import { Option } from 'commander';
import { defineScalarOptions, emitTypes, readTypeOptions, writeTypes } from '../files/type-options.js';
import type { CliCommand } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';

const help = `
Files are paths, patterns between quotes ('topologies/*.gg'), URLs, or - for standard
input. Files that they import are read too. All of them make one topology.

A custom scalar is unknown until it is said what it is. In resolvers it may be something
else (a Date) than it is as JSON over REST (a string).

Examples:
  $ gg-svc types service.gg -o service.types.ts
  $ gg-svc types main.gg --scalar DateTime=string -o main.types.ts
  $ gg-svc types main.gg --scalar DateTime=Date --rest-scalar DateTime=string -o main.types.ts
  $ gg-svc types main.gg --only rest -o client/api.ts`;

/** `gg-svc types`: writes the TypeScript types of the resolvers and of a REST client. */
export const typesCommand: CliCommand = {
  usage: 'types <files...>',
  summary: 'write TypeScript types for resolvers and for REST clients',
  define: (command) => {
    command.option('-o, --out <file>', 'where to write; standard output unless given');
    defineScalarOptions(command)
      .addOption(new Option('--only <part>', 'leave the other part out').choices(['resolvers', 'rest']))
      .addHelpText('after', help);
  },
  async run(operands, options, io) {
    const types = readTypeOptions(options);
    const out = readText(options, 'out');
    const { readTopology } = await import('../files/read-topology.js');
    const { hasErrors } = await import('../../diagnostics/diagnostic.js');
    const { reportFindings } = await import('../terminal/report-findings.js');

    const { diagnostics, sources, schema } = await readTopology(operands, io);
    reportFindings(diagnostics, sources, io);
    if (hasErrors(diagnostics)) return exitCodes.findings;
    if (out === undefined) {
      io.stdout(await emitTypes(schema, types));
      return exitCodes.fine;
    }
    const outcome = await writeTypes(schema, types, out, io);
    if (!outcome.ok) {
      reportFindings([outcome.diagnostic], [], io);
      return exitCodes.findings;
    }
    io.stdout(outcome.written.length === 0 ? `${out} is up to date\n` : `wrote ${out}\n`);
    return exitCodes.fine;
  },
};
