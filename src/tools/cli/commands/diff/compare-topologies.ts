import { diffApis } from '../../../../analysis/diff/diff-schemas.js';
import type { ComparedTopology, TopologySide } from '../../../../analysis/diff/model/diff-report.js';
import type { ServerSettings } from '../../../../analysis/diff/model/server-settings.js';
import type { WaiverBook } from '../../../../analysis/diff/waivers.js';
import { type Diagnostic, diagnose, hasErrors } from '../../../../base/diagnostics/diagnostic.js';
import { sameJson } from '../../../../base/json-schema/same-json.js';
import { isWebUrl } from '../../../../base/source/parse-url.js';
import type { SourceFile } from '../../../../base/source/source-file.js';
import { wholeFile } from '../../../../base/source/span.js';
import { type Analysis, analyze } from '../../../../compiler/analyze.js';
import { defaultLimits } from '../../../../runtime/limits/limits.js';
import { readTopology } from '../../files/read-topology.js';
import type { FileTree } from '../../files/trees.js';
import type { CliIo } from '../../terminal/io.js';
import { type TopologyPair, type Trees, textsOf } from './pair-topologies.js';

/**
 * Removes the parts of topologies that could not be compared. A file with errors may have unreadable imports, so
 * its imported files look like topologies of their own.
 */
export function withoutPartsOf(trees: Trees, failed: readonly TopologyPair[], pairs: readonly TopologyPair[]) {
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
  io: CliIo,
) {
  const settings = settingsOf(trees);
  const isServedAlike = settings === undefined || sameJson(...settings);
  if (before.length > 0 && isServedAlike && isUnchanged(trees, before, after)) {
    const [old, now] = [toSide(trees.before, []), toSide(trees.after, [])];
    const topology: ComparedTopology = { name, before: old, after: now, changes: [] };
    return { topology, diagnostics: [], sources: [] };
  }
  const isSecured = settings?.every(({ auth }) => auth !== undefined) === true;
  const old = await analyzeSide(trees.before, before, io, isSecured);
  const now = await analyzeSide(trees.after, after, io, isSecured);
  const failed = [
    { tree: trees.before, analysis: old },
    { tree: trees.after, analysis: now },
  ].filter(({ analysis }) => hasErrors(analysis.diagnostics));
  if (failed.length > 0) {
    return {
      topology: undefined,
      diagnostics: failed.flatMap(({ tree, analysis }) => errorsOf(name, tree, analysis)),
      sources: failed.flatMap(({ tree, analysis }) =>
        analysis.sources.map((source) => ({ ...source, name: tree.displayName(source.name) })),
      ),
    };
  }
  const topology: ComparedTopology = {
    name,
    before: toSide(trees.before, old.sources),
    after: toSide(trees.after, now.sources),
    changes: waivers.judge(
      name,
      diffApis({ schema: old.schema, settings: settings?.[0] }, { schema: now.schema, settings: settings?.[1] }),
      old.schema,
    ),
  };
  return { topology, diagnostics: [], sources: [] };
}

/** Standard input and URLs are read only once, so they are not compared as text. */
function isUnchanged(trees: Trees, before: readonly string[], after: readonly string[]): boolean {
  if ([...before, ...after].some((path) => path === '-' || isWebUrl(path))) return false;
  const [old, now] = [textsOf(trees.before, before), textsOf(trees.after, after)];
  return old.size === now.size && [...old].every(([path, text]) => now.get(path) === text);
}

/** The settings of the servers, if both project files can be read. */
function settingsOf({ before, after }: Trees): readonly [ServerSettings, ServerSettings] | undefined {
  if (before.server === undefined || after.server === undefined) return undefined;
  return [before.server, after.server].map(({ auth, limits }) => ({
    auth,
    pageSize: limits?.pageSize ?? defaultLimits.pageSize,
  })) as [ServerSettings, ServerSettings];
}

/** Schemes are compared if both project files have some. */
async function analyzeSide({ loader, server }: FileTree, files: readonly string[], io: CliIo, isSecured: boolean) {
  const auth = isSecured ? server?.auth : undefined;
  if (files.length > 0) return await readTopology(files, io, auth && { project: { server: { auth } } }, loader);
  // A side without the topology has an empty API.
  return { ...analyze([]), diagnostics: [] };
}

/** The errors of one side, under the names that its files have in messages. */
function errorsOf(name: string, tree: FileTree, { diagnostics }: Analysis): readonly Diagnostic[] {
  const rename = <T extends { readonly span: Diagnostic['span'] }>(placed: T): T => ({
    ...placed,
    span: { ...placed.span, file: tree.displayName(placed.span.file) },
  });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return [
    ...errors.map((error) => ({ ...rename(error), labels: error.labels.map(rename) })),
    diagnose('GG5025', { topology: name, side: tree.name }, wholeFile(tree.displayName(name))),
  ];
}

function toSide({ revision, displayName }: FileTree, sources: readonly SourceFile[]): TopologySide {
  return { sources, revision, displayName };
}
