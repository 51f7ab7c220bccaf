import { type Command, Option } from 'commander';
import type { ChangeLevel } from '../../diff/change-level.js';
import type { ComparedTopology, DiffReport } from '../../diff/diff-report.js';
import { type CliCommand, type CliOptions, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes, usesColor } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';
import type { TopologyPair } from './diff/pair-topologies.js';

const help = `
Without words, the working tree is compared with HEAD. One revision is compared with the
working tree, two with each other; a..b and a...b mean what they mean to git. Two files,
directories or URLs are compared with each other; rev:path names a file of a revision.

Paths behind the revisions, or behind --, say what to look at. Files make one topology
together. A directory, and the current one unless anything is named, stands for each
topology in it: every .gg file that no other file imports.

A breaking change ends with exit code 1, unless a waiver in gg-diff.waivers.json
lets it pass.

Examples:
  $ gg-svc diff                        the working tree against HEAD
  $ gg-svc diff main                   the working tree against a branch
  $ gg-svc diff v1..v2 --format json   two releases, for programs
  $ gg-svc diff old.gg new.gg          two files; git is not needed
  $ gg-svc diff HEAD~1 -- api/main.gg  one topology`;

/** `gg-svc diff`: says what changed in the API between two states of a topology. */
export const diffCommand: CliCommand = {
  usage: 'diff [operands...]',
  summary: 'say what changed in the API, and whether it breaks callers',
  define: (command) => {
    command
      .usage('[options] [old] [new] [-- <paths...>]')
      .addOption(
        // The names are repeated here because the registry of reporters is loaded only when one is needed.
        new Option('-f, --format <format>', 'how to report')
          .choices(['text', 'json', 'sarif', 'github', 'markdown'])
          .default('text'),
      )
      .option('-v, --verbose', 'show safe and waived changes with frames, too')
      .option('--waivers <file>', 'decisions to let changes pass (default: gg-diff.waivers.json, if there)')
      .option('--today <day>', 'the day by which waivers are judged, such as 2030-12-31')
      .addOption(
        new Option('--fail-on <level>', 'end with 1 on changes of this level or worse')
          .choices(['breaking', 'dangerous', 'safe', 'never'])
          .default('breaking'),
      )
      .option('--reachable-only', 'do not fail on changes that no operation can feel')
      .addHelpText('after', help)
      .hook('preAction', noteDashes);
  },
  async run(operands, options, io) {
    const { DiffFailure } = await import('./diff/repository.js');
    try {
      return await compare(operands, options, io);
    } catch (error) {
      if (!(error instanceof DiffFailure)) throw error;
      const { reportFindings } = await import('../terminal/report-findings.js');
      reportFindings([error.diagnostic], [], io);
      return exitCodes.findings;
    }
  },
};

async function compare(operands: readonly string[], options: CliOptions, io: CliIo): Promise<number> {
  const { isDay } = await import('../../diff/waivers/read-waivers.js');
  const today = readText(options, 'today') ?? new Date().toISOString().slice(0, 10);
  if (!isDay(today)) throw new UsageError(`--today takes a day such as 2030-12-31, not ${today}.`);

  const { openTrees } = await import('./diff/open-trees.js');
  const { compareTopology, withoutPartsOf } = await import('./diff/compare-topologies.js');
  const { readWaiverFile } = await import('./diff/read-waiver-file.js');
  const { createWaiverBook } = await import('../../diff/waivers/apply-waivers.js');
  const { reportFindings } = await import('../terminal/report-findings.js');
  const { hasErrors } = await import('../../diagnostics/diagnostic.js');

  const waiverFile = readWaiverFile(readText(options, 'waivers'), io.directory);
  reportFindings(waiverFile.diagnostics, waiverFile.sources, io);
  const behindDashes = Number(options.behindDashes ?? 0);
  const { trees, pairs, diagnostics } = await openTrees(
    operands.slice(0, operands.length - behindDashes),
    operands.slice(operands.length - behindDashes),
    io,
  );
  reportFindings(diagnostics, [], io);
  const waivers = createWaiverBook(waiverFile.waivers, today);
  const compared: ComparedTopology[] = [];
  const failed: TopologyPair[] = [];
  const compareEach = async (list: readonly TopologyPair[]): Promise<void> => {
    for (const pair of list) {
      const { topology, diagnostics: problems, sources } = await compareTopology(trees, pair, waivers);
      reportFindings(problems, sources, io);
      if (topology === undefined) failed.push(pair);
      else compared.push(topology);
    }
  };
  const isOnBothSides = ({ before, after }: TopologyPair) => before.length > 0 && after.length > 0;
  await compareEach(pairs.filter(isOnBothSides));
  await compareEach(
    withoutPartsOf(
      trees,
      failed,
      pairs.filter((pair) => !isOnBothSides(pair)),
    ),
  );
  reportFindings(waivers.findings(), waiverFile.sources, io);
  const report: DiffReport = {
    before: trees.before.name,
    after: trees.after.name,
    topologies: compared,
    failed: failed.map(({ name }) => name),
  };
  await writeReport(report, options, io);

  const { hasChangesFrom } = await import('../../diff/diff-report.js');
  const failOn = String(options.failOn);
  const broken =
    failOn !== 'never' && hasChangesFrom(report, failOn as ChangeLevel, options.reachableOnly === true);
  const hasProblems = failed.length > 0 || hasErrors([...waiverFile.diagnostics, ...diagnostics]);
  return broken || hasProblems ? exitCodes.findings : exitCodes.fine;
}

/** Changes are what the command was asked for, so they go to standard output in every format. */
async function writeReport(report: DiffReport, options: CliOptions, io: CliIo): Promise<void> {
  const { changeReporters } = await import('../../diff/render/change-reporters.js');
  const { readVersion } = await import('../terminal/package-version.js');
  const reporter = changeReporters.find(({ format }) => format === options.format);
  if (reporter === undefined) throw new Error(`invariant: there is no reporter ${String(options.format)}`);
  const color = usesColor(io.env, io.stdoutIsTerminal);
  const verbose = options.verbose === true;
  io.stdout(reporter.render(report, { color, verbose, toolVersion: readVersion(io.packageRoot) }));
}

/** The parser drops the two dashes; how many words stood behind them is in what it was given. */
function noteDashes(command: Command): void {
  const { rawArgs } = command.parent as unknown as { readonly rawArgs: readonly string[] };
  const at = rawArgs.indexOf('--');
  command.setOptionValue('behindDashes', at === -1 ? 0 : rawArgs.length - at - 1);
}
