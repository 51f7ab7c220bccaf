import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Analysis, SourceInput } from '../../analyze.js';
import { schemesOfConfig } from '../../auth/auth-config.js';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js';
import type { Outcome } from '../../diagnostics/outcome.js';
import { federationFragment } from '../../federation/fragment.js';
import { joinLayers } from '../../join-layers.js';
import { analyzeTopologies } from '../../load/analyze-topologies.js';
import { createTopologyLoader, diskFiles, type TopologyInput } from '../../load/load-topologies.js';
import { decodeTopology, topologyLimit } from '../../load/read-topology.js';
import { stdinName } from '../../load/user-module.js';
import { describeSystemError } from '../../read/read-bytes.js';
import { type CliOptions, UsageError } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';

/**
 * Reads and analyzes a topology; `-` is standard input. Problems are diagnostics.
 *
 * @param options - `strict`: whether everything without effect is an error; and the project file, for its metadata.
 */
export async function readTopology(
  files: readonly string[],
  io: CliIo,
  { strict, project }: CliOptions = {},
): Promise<Analysis> {
  const stdin = files.includes('-')
    ? decodeTopology(stdinName, await io.readStdin(topologyLimit.bytes))
    : undefined;
  const inputs = [...new Set(files)].map((file): TopologyInput => {
    if (file !== '-' || stdin === undefined) return file;
    return { name: stdinName, source: stdin.ok ? stdin.text : '' };
  });
  const analysis = await analyzeTopologies(
    inputs,
    createTopologyLoader(diskFiles(io.directory), project?.imports),
    {
      strict: strict === true,
      ...(project?.info && { info: project.info }),
      ...(project?.server?.auth && { security: schemesOfConfig(project.server.auth) }),
    },
  );
  if (stdin === undefined || stdin.ok) return analysis;
  // Undecodable input was analyzed as an empty file, so the other diagnostics are meaningless.
  return { ...analysis, diagnostics: [stdin.problem] };
}

/** Adds the federation queries, which every server has, unless `--no-federation` is given. */
export function joinFederation(analysis: Analysis, options: CliOptions) {
  return joinLayers(analysis, options.federation === false ? [] : [federationFragment]);
}

/**
 * Reads topology files for commands that write them back: paths, globs, and directories with all `.gg` files
 * below them. Imports are not followed. Files that cannot be read are diagnostics.
 *
 * @throws {UsageError} For a URL, which cannot be written.
 */
export function readTopologyFiles(
  operands: readonly string[],
  directory: string,
): Outcome<readonly SourceInput[]> {
  const diagnostics: Diagnostic[] = [];
  const inputs = operands.flatMap((operand) => {
    if (/^https?:\/\//i.test(operand)) throw new UsageError(`Cannot write to ${operand}: expected a file.`);
    if (!isDirectory(resolve(directory, operand))) return [operand];
    const problems: Diagnostic[] = [];
    const listed = topologiesBelow(operand, directory, problems);
    if (listed.length + problems.length === 0) {
      const span = { file: operand, start: 0, end: 0 };
      problems.push(diagnose('GG4005', { pattern: `${operand}/**/*.gg` }, span));
    }
    diagnostics.push(...problems);
    return listed;
  });
  const { value, diagnostics: problems } = createTopologyLoader(diskFiles(directory)).load(inputs);
  return { value, diagnostics: [...diagnostics, ...problems] };
}

/**
 * The `.gg` files below a directory, sorted by name. `node_modules`, hidden directories and symbolic links are
 * skipped.
 *
 * @param path - As the user wrote it; the results start with it.
 * @param directory - The directory that `path` is relative to.
 * @param diagnostics - Gets a diagnostic for each directory that cannot be read.
 */
export function topologiesBelow(
  path: string,
  directory: string,
  diagnostics: Diagnostic[] = [],
): readonly string[] {
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(resolve(directory, path), { withFileTypes: true });
  } catch (error) {
    const reason = describeSystemError(error);
    diagnostics.push(diagnose('GG4002', { path, reason }, { file: path, start: 0, end: 0 }));
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inside = join(path, entry.name);
      if (entry.isFile()) return entry.name.endsWith('.gg') ? [inside] : [];
      const isSkipped = !entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.');
      return isSkipped ? [] : topologiesBelow(inside, directory, diagnostics);
    });
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
