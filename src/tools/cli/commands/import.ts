import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type ImportedTopology, importDescription, isYaml } from '../../../analysis/import/import-description.js';
import { type Proof, proofText, reportJson, reportText } from '../../../analysis/import/render-report.js';
import { isWebUrl } from '../../../base/source/parse-url.js';
import { createSourceFile } from '../../../base/source/source-file.js';
import { loadPeer } from '../../../runtime/load/load-peer.js';
import { decodeTopology, fetchTopology, readTopologyFile, topologyLimit } from '../../../runtime/load/read-topology.js';
import { stdinName } from '../../../runtime/load/user-module.js';
import { createFiles, replaceFile } from '../files/write-files.js';
import { type CliCommand, CommandFailure, choice, UsageError } from '../terminal/command.js';
import { failure, orFail } from '../terminal/failure.js';
import { type CliIo, exitCodes } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';

export const command: CliCommand = {
  doing: 'Importing',
  options: {
    '-o, --out <file>': 'write the topology to a file',
    '--force': 'replace the file if it exists',
    '-f, --format <format>': choice('format of the report', ['text', 'json']),
    '--no-proof': 'do not replay the examples of the description',
  },
  async run([operand = ''], options, io) {
    const out = readText(options, 'out');
    if (out === undefined && options.force === true) throw new UsageError('--force needs -o <file>.');
    if (out !== undefined && options.force !== true && existsSync(resolve(io.directory, out)))
      throw failure('GG4024', { path: out }, out);
    const database = databaseOf(operand, io);
    const { name, imported } =
      database === undefined
        ? await importFrom(operand, io)
        : await (await import('./import/import-database.js')).importDatabase(operand, database, io);
    if (out === undefined) io.stdout(imported.text);
    else if (options.force === true) await replaceFile(out, imported.text, io);
    else await createFiles(dirname(out), { [basename(out)]: imported.text }, io);
    const proof = options.proof === false ? undefined : await proofOf(imported);
    if (options.format === 'json') io.stderr(reportJson(imported, name, proof));
    else io.stderr(reportText(imported, name) + (proof === undefined ? '' : proofText(proof)));
    return exitCodes.fine;
  },
};

async function importFrom(operand: string, io: CliIo) {
  const source = await readDescription(operand, io);
  const yaml = isYaml(source.text) ? await loadPeer(['yaml'], () => import('../files/read-yaml.js')) : undefined;
  const { value: imported, diagnostics } = importDescription(source, yaml?.readYaml);
  if (imported === undefined) throw new CommandFailure(diagnostics, [source]);
  return { name: source.name, imported };
}

/** The database of an operand: the address of PostgreSQL, or a file that begins as those of SQLite do. */
function databaseOf(operand: string, { directory }: CliIo): 'PostgreSQL' | 'SQLite' | undefined {
  if (/^postgres(?:ql)?:\/\//i.test(operand)) return 'PostgreSQL';
  const path = resolve(directory, operand);
  if (operand === '-' || isWebUrl(operand) || statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    return undefined;
  const file = openSync(path, 'r');
  try {
    // sqlite.org/fileformat2.html, section 1.3.1.
    const head = Buffer.alloc(16);
    const isWhole = readSync(file, head) === head.length;
    return isWhole && head.toString('latin1') === 'SQLite format 3\0' ? 'SQLite' : undefined;
  } finally {
    closeSync(file);
  }
}

/** Replays the examples of a description; undefined if it has none. */
async function proofOf({ text, examples }: ImportedTopology): Promise<Proof | undefined> {
  if (examples.length === 0) return undefined;
  const { replayExamples } = await import('./import/replay.js');
  return await replayExamples(text, examples);
}

async function readDescription(operand: string, io: CliIo) {
  const name = operand === '-' ? stdinName : operand;
  const reading =
    operand === '-'
      ? decodeTopology(name, await io.readStdin(topologyLimit.bytes))
      : isWebUrl(operand)
        ? await fetchTopology(operand)
        : readTopologyFile(resolve(io.directory, operand), name);
  return createSourceFile(name, orFail(reading).text);
}
