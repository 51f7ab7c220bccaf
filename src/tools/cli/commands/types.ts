import { readTopology } from '../files/read-topology.js';
import { emitTypes, readTypeOptions, typeOptions } from '../files/types.js';
import { replaceFile } from '../files/write-files.js';
import { type CliCommand, choice } from '../terminal/command.js';
import { exitCodes } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';
import { requireValid } from '../terminal/report-findings.js';

export const command: CliCommand = {
  doing: 'Writing types',
  project: 'files',
  options: {
    '-o, --out <file>': 'output file (default: standard output)',
    ...typeOptions,
    '--only <part>': choice('write one part only', ['resolvers', 'rest'], false),
  },
  async run(operands, options, io) {
    const types = readTypeOptions(options);
    const out = readText(options, 'out');
    const { schema } = requireValid(await readTopology(operands, io, options), io);
    const text = emitTypes(schema, types);
    if (out === undefined) {
      io.stdout(text);
      return exitCodes.fine;
    }
    io.stdout((await replaceFile(out, text, io)) ? `wrote ${out}\n` : `${out} is up to date\n`);
    return exitCodes.fine;
  },
};
