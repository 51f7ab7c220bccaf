import { diffSchemas } from '../../../../analysis/diff/diff-schemas.js';
import type { ComparedTopology, TopologySide } from '../../../../analysis/diff/model/diff-report.js';
import type { WaiverBook } from '../../../../analysis/diff/waivers/apply-waivers.js';
import { type Diagnostic, diagnose } from '../../../../base/diagnostics/diagnostic.js';
import { isWebUrl } from '../../../../base/source/parse-url.js';
import type { SourceFile } from '../../../../base/source/source-file.js';
import { wholeFile } from '../../../../base/source/span.js';
import { type Analysis, analyze } from '../../../../compiler/analyze.js';
import type { FileTree } from './file-tree.js';
import { textsOf } from './find-topologies.js';
import type { TopologyPair, Trees } from './pair-topologies.js';

export interface TopologyComparison {
  readonly topology: ComparedTopology | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
}

/**
 * Removes the parts of topologies that could not be compared. A file with errors may have unreadable imports, so
 * its imported files look like topologies of their own.
 */
export function withoutPartsOf(
  trees: Trees,
  failed: readonly TopologyPair[],
  pairs: readonly TopologyPair[],
): readonly TopologyPair[] {
  const parts = new Set(
    failed.flatMap(({ before, after }) => [
      ...textsOf(trees.before, before).keys(),
      ...textsOf(trees.after, after).keys(),
    ]),
  );
  return pairs.filter(({ before, after }) => ![...before, ...after].some((path) => parts.has(path)));
}

/** Compares one topology. An unchanged one is not compiled, so its errors do not count. */
export async function compareTopology(
  trees: Trees,
  { name, before, after }: TopologyPair,
  waivers: WaiverBook,
): Promise<TopologyComparison> {
  if (before.length > 0 && isUnchanged(trees, before, after)) {
    const side = (tree: FileTree) => toSide(tree, []);
    const topology = { name, before: side(trees.before), after: side(trees.after), changes: [] };
    return { topology, diagnostics: [], sources: [] };
  }
  const [old, now] = [await analyzeSide(trees.before, before), await analyzeSide(trees.after, after)];
  const problems = [problemsOf(name, trees.before, old), problemsOf(name, trees.after, now)];
  if (problems.some(({ diagnostics }) => diagnostics.length > 0)) {
    return {
      topology: undefined,
      diagnostics: problems.flatMap(({ diagnostics }) => diagnostics),
      sources: problems.flatMap(({ sources }) => sources),
    };
  }
  const topology: ComparedTopology = {
    name,
    before: toSide(trees.before, old.sources),
    after: toSide(trees.after, now.sources),
    changes: waivers.judge(name, diffSchemas(old.schema, now.schema)),
  };
  return { topology, diagnostics: [], sources: [] };
}

/** Standard input and URLs are read only once, so they are not compared as text. */
function isUnchanged(trees: Trees, before: readonly string[], after: readonly string[]): boolean {
  if ([...before, ...after].some((path) => path === '-' || isWebUrl(path))) return false;
  const [old, now] = [textsOf(trees.before, before), textsOf(trees.after, after)];
  return old.size === now.size && [...old].every(([path, text]) => now.get(path) === text);
}

async function analyzeSide(tree: FileTree, files: readonly string[]): Promise<Analysis> {
  if (files.length > 0) return await tree.analyze(files);
  // A side without the topology has an empty API.
  return { ...analyze([]), diagnostics: [] };
}

function problemsOf(
  name: string,
  tree: FileTree,
  { diagnostics, sources }: Analysis,
): { readonly diagnostics: readonly Diagnostic[]; readonly sources: readonly SourceFile[] } {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return { diagnostics: [], sources: [] };
  const rename = <T extends { readonly span: Diagnostic['span'] }>(placed: T): T => ({
    ...placed,
    span: { ...placed.span, file: tree.displayName(placed.span.file) },
  });
  const place = wholeFile(tree.displayName(name));
  return {
    diagnostics: [
      ...errors.map((error) => ({ ...rename(error), labels: error.labels.map(rename) })),
      diagnose('GG5025', { topology: name, side: tree.name }, place),
    ],
    sources: sources.map((source) => ({ ...source, name: tree.displayName(source.name) })),
  };
}

function toSide({ revision, displayName }: FileTree, sources: readonly SourceFile[]): TopologySide {
  return { sources, revision, displayName };
}
