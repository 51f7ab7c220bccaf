import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type ChangeLevel, changeLevels } from '../../../analysis/diff/model/change-level.js';
import { type ComparedTopology, type DiffReport, hasChangesFrom } from '../../../analysis/diff/model/diff-report.js';
import { changeReporters } from '../../../analysis/diff/render/change-reporters.js';
import { createWaiverBook, isDay, readWaivers } from '../../../analysis/diff/waivers.js';
import { diagnose, hasErrors } from '../../../base/diagnostics/diagnostic.js';
import { createSourceFile } from '../../../base/source/source-file.js';
import { wholeFile } from '../../../base/source/span.js';
import { readTopologyFile } from '../../../runtime/load/read-topology.js';
import { isFilePath } from '../../../runtime/load/user-module.js';
import { Repository, type Revision } from '../files/repository.js';
import { type FileTree, readRevisionTree, readWorkingTree, type TreeProject } from '../files/trees.js';
import { type CliCommand, type CliOptions, choice, UsageError } from '../terminal/command.js';
import { type CliIo, exitCodes, readVersion, usesColor } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';
import { reportFindings } from '../terminal/report-findings.js';
import { compareTopology, withoutPartsOf } from './diff/compare-topologies.js';
import { pairByPaths, pairFolders, type TopologyPair, type Trees } from './diff/pair-topologies.js';
import { type Place, readOperands } from './diff/read-operands.js';

const formats = Object.keys(changeReporters);
const failLevels = [...changeLevels, 'never'];

export const command: CliCommand = {
  doing: 'Comparing',
  project: 'options',
  options: {
    '-f, --format <format>': choice('output format', formats),
    '-v, --verbose': 'show source frames for safe and waived changes too',
    '--waivers <file>': 'waiver file (default: gg-diff.waivers.json, if it exists)',
    '--today <day>': 'date for the expiry of waivers, such as 2030-12-31 (default: today)',
    '--fail-on <level>': choice('exit with 1 on changes of this level or worse', failLevels),
    '--reachable-only': 'do not fail on changes of directives, which no operation reaches',
  },
  define: (parser) => {
    parser.usage('[options] [old] [new] [-- <paths...>]').hook('preAction', countPathOperands);
  },
  run: compare,
};

async function compare(operands: readonly string[], options: CliOptions, io: CliIo): Promise<number> {
  const today = readText(options, 'today') ?? new Date().toISOString().slice(0, 10);
  if (!isDay(today)) throw new UsageError(`--today must be a date such as 2030-12-31, not ${today}.`);

  const waiverFile = readWaiverFile(readText(options, 'waivers'), io.directory);
  reportFindings(waiverFile.diagnostics, waiverFile.sources, io);
  const pathsAt = operands.length - Number(options.pathCount ?? 0);
  const places = operands.slice(0, pathsAt);
  const paths = pathsAt < operands.length ? operands.slice(pathsAt) : sourcesOf(options, places, io);
  const { trees, pairs, diagnostics } = await openTrees(places, paths, io, {
    imports: options.project?.imports,
    path: options.projectPath,
  });
  reportFindings(diagnostics, [], io);
  const waivers = createWaiverBook(waiverFile.waivers, today);
  const compared: ComparedTopology[] = [];
  const failed: TopologyPair[] = [];
  const compareEach = async (list: readonly TopologyPair[]): Promise<void> => {
    for (const pair of list) {
      const { topology, diagnostics: problems, sources } = await compareTopology(trees, pair, waivers, io);
      reportFindings(problems, sources, io);
      if (topology === undefined) failed.push(pair);
      else compared.push(topology);
    }
  };
  const isOnBothSides = ({ before, after }: TopologyPair) => before.length > 0 && after.length > 0;
  await compareEach(pairs.filter(isOnBothSides));
  const onOneSide = pairs.filter((pair) => !isOnBothSides(pair));
  await compareEach(withoutPartsOf(trees, failed, onOneSide));
  reportFindings(waivers.findings(), waiverFile.sources, io);
  const report: DiffReport = {
    before: trees.before.name,
    after: trees.after.name,
    topologies: compared,
    failed: failed.map(({ name }) => name),
  };
  await writeReport(report, options, io);

  const failOn = String(options.failOn);
  const broken = failOn !== 'never' && hasChangesFrom(report, failOn as ChangeLevel, options.reachableOnly === true);
  const hasProblems = failed.length > 0 || hasErrors([...waiverFile.diagnostics, ...diagnostics]);
  return broken || hasProblems ? exitCodes.findings : exitCodes.fine;
}

/** Between revisions, the sources of the project file are compared, if all of them are files. */
function sourcesOf({ project }: CliOptions, places: readonly string[], io: CliIo): readonly string[] {
  const isRevision = (place: string) => !place.includes(':') && !existsSync(resolve(io.directory, place));
  const { sources = [] } = project ?? {};
  return places.every(isRevision) && sources.every((source) => isFilePath(source, io.directory)) ? sources : [];
}

const defaultWaiverFile = 'gg-diff.waivers.json';

/** Reads the waiver file: a named one must exist, the default one may. */
function readWaiverFile(named: string | undefined, directory: string) {
  const path = named ?? defaultWaiverFile;
  if (named === undefined && !existsSync(resolve(directory, path)))
    return { waivers: [], diagnostics: [], sources: [] };
  const reading = readTopologyFile(resolve(directory, path), path);
  if (!reading.ok) return { waivers: [], diagnostics: [reading.problem], sources: [] };
  const file = createSourceFile(path, reading.text);
  const { value: waivers, diagnostics } = readWaivers(file);
  return { waivers, diagnostics, sources: [file] };
}

/** The report goes to standard output in every format. */
async function writeReport(report: DiffReport, options: CliOptions, io: CliIo): Promise<void> {
  const print = changeReporters[options.format as keyof typeof changeReporters];
  const color = usesColor(io.env, io.stdoutIsTerminal);
  const verbose = options.verbose === true;
  io.stdout(print(report, { color, verbose, toolVersion: readVersion(io.packageRoot) }));
}

/** Commander drops `--`, so the number of operands after it is taken from the raw arguments. */
function countPathOperands(command: Command): void {
  const { rawArgs } = command.parent as unknown as { readonly rawArgs: readonly string[] };
  const at = rawArgs.indexOf('--');
  command.setOptionValue('pathCount', at === -1 ? 0 : rawArgs.length - at - 1);
}

/** Opens both sides of a comparison, and pairs their topologies. */
async function openTrees(
  operands: readonly string[],
  pathOperands: readonly string[],
  io: CliIo,
  project: TreeProject,
) {
  let opened: Promise<Repository> | undefined;
  const repository = () => {
    opened ??= Repository.open(io);
    return opened;
  };
  const request = await readOperands(operands, pathOperands, { directory: io.directory, repository });
  if (request.kind === 'paths') {
    const { before, after, paths } = request;
    const open = async (revision: Revision | undefined) =>
      revision === undefined
        ? await readWorkingTree('the working tree', await repository(), io, project)
        : await readRevisionTree(await repository(), revision, paths, project);
    const trees = { before: await open(before), after: await open(after) };
    return { trees, ...(await pairByPaths(trees, paths)) };
  }
  const open = async ({ revision, path }: Place): Promise<FileTree> => {
    if (revision === undefined) return await readWorkingTree(path, undefined, io, project);
    const tree = await readRevisionTree(await repository(), revision, [path], project);
    return { ...tree, name: tree.displayName(path) };
  };
  const { before, after } = request;
  const trees = { before: await open(before), after: await open(after) };
  return { trees, ...(await pairPlaces(trees, before, after)) };
}

async function pairPlaces(trees: Trees, before: Place, after: Place) {
  const kinds = [trees.before.kindOf(before.path), trees.after.kindOf(after.path)];
  if (kinds.includes('directory') && kinds.includes('file'))
    throw new UsageError('Cannot compare a file with a directory.');
  if (kinds.includes('directory')) {
    const pairs = await pairFolders(trees, before.path, after.path);
    const place = `${trees.before.name} and ${trees.after.name}`;
    const empty = diagnose('GG5024', { place }, wholeFile(after.path));
    return { pairs, diagnostics: pairs.length === 0 ? [empty] : [] };
  }
  const sides = [[trees.before, before] as const, [trees.after, after] as const];
  // In the working tree readOperands has checked that the file exists.
  const diagnostics = sides
    .filter(([tree, { path, revision }]) => revision !== undefined && tree.kindOf(path) === undefined)
    .map(([tree, { path }]) => tree.displayName(path))
    .map((file) => diagnose('GG4001', { path: file }, wholeFile(file)));
  const pair = { name: after.path, before: [before.path], after: [after.path] };
  return { pairs: diagnostics.length > 0 ? [] : [pair], diagnostics };
}
