import { LSPErrorCodes, type Position, ResponseError, type WorkspaceEdit } from 'vscode-languageserver';
import { type Diagnostic, hasErrors } from '../../../base/diagnostics/diagnostic.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import { inputNameOf, typeNameOf, unionNameOf, whyInvalidName } from '../../../compiler/graph/names.js';
import type { Replacement } from '../document/segmented-text.js';
import { type Names, type Scope, scopeAt, type Target } from '../names/names.js';
import { rangeOf } from '../workspace/locations.js';
import { workspaceEdit } from '../workspace/protocol-forms.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import { analyzeTopology, isNotFetched, type Workspace } from '../workspace/workspace.js';
import { labelMeanings } from './completion.js';
import type { AnalysisFeature } from './feature.js';

/** Renames a symbol in all its topologies. Refuses invalid and taken names, and edits that cause errors. */
export const renameFeature: AnalysisFeature = {
  capabilities: { renameProvider: { prepareProvider: true } },
  requests: ['textDocument/prepareRename', 'textDocument/rename'],
  register: (connection, workspace) => {
    connection.onPrepareRename(({ textDocument: { uri }, position }) => {
      const found = findTarget(workspace, uri, position);
      if (found instanceof ResponseError) return found;
      const { mention, target } = found;
      const { file, start, end } = mention;
      return { range: rangeOf(file.document, start, end), placeholder: nameOf(target) };
    });
    connection.onRenameRequest(({ textDocument: { uri }, position, newName }) => {
      const found = findTarget(workspace, uri, position);
      return found instanceof ResponseError ? found : rename(workspace, found, newName.trim());
    });
  },
};

type Renamable = Exclude<Target, { kind: 'edgeType' | 'file' }>;

type Found = Scope & { readonly target: Renamable };

function findTarget(workspace: Workspace, uri: string, position: Position): Found | ResponseError<void> {
  const scope = scopeAt(workspace, uri, position);
  if (scope === undefined) return refuse('There is no name here to rename.');
  const { mention, target, files } = scope;
  if (target === undefined) return refuse(`“${mention.name}” has no other references. Edit it in place.`);
  if (target.kind === 'edgeType')
    return refuse('An edge type cannot be renamed: it selects the projection of the edge.');
  if (target.kind === 'file') return refuse('A file cannot be renamed here. Rename it in the file system.');
  if (target.kind === 'label' && labelMeanings.has(target.name))
    return refuse(`The label ${target.name} is built in and cannot be renamed.`);
  const broken = files.find(({ segments }) => hasErrors(segments.diagnostics()));
  if (broken === undefined) return { ...scope, target };
  const folder = workspace.folders.find((one) => broken.path.startsWith(`${one}/`));
  const name = folder === undefined ? broken.path : broken.path.slice(folder.length + 1);
  return refuse(`${name} has errors, so references in it could be missed. Fix them first.`);
}

function rename(workspace: Workspace, found: Found, newName: string): WorkspaceEdit | ResponseError<void> {
  const { target, names, files, places } = found;
  if (newName === nameOf(target)) return { changes: {} };
  const reason = whyNot(target, names, newName);
  if (reason !== undefined) return refuse(reason);
  const edits = new Map<TopologyFile, Replacement[]>();
  for (const { file, kind, name, start, end } of places) {
    const text = kind === 'type' ? typeInPlaceOf(name, target, newName) : newName;
    appendTo(edits, file, { start, end, text });
  }
  const trouble = newTrouble(workspace, files, edits);
  if (trouble !== undefined) return refuse(`Cannot rename to “${newName}”: ${trouble.message}`);
  return workspaceEdit(workspace, edits);
}

function nameOf(target: Renamable): string {
  return target.kind === 'node' ? target.id : target.name;
}

function whyNot(target: Renamable, names: Names, newName: string): string | undefined {
  if (!/^\w+$/.test(newName)) return `“${newName}” is not a name: names use letters A–Z, digits and _.`;
  if (target.kind !== 'label') {
    const reason = whyInvalidName(target.kind === 'node' ? typeNameOf(newName) : newName);
    if (reason !== undefined) return `“${newName}” cannot be used here: ${reason}.`;
  }
  switch (target.kind) {
    case 'node': {
      if (names.nodes.has(newName)) return `A node “${newName}” exists already; the two would become one.`;
      const other = [...names.nodes.values()].find(
        ({ id, typeName }) => id !== target.id && typeName === typeNameOf(newName),
      );
      return other && `“${newName}” would become the type ${other.typeName}, like the node “${other.id}”.`;
    }
    case 'field':
      if (!names.nodes.get(target.id)?.fields.includes(newName)) return undefined;
      return `Node “${target.id}” has a field “${newName}” already.`;
    case 'value':
      if (!names.nodes.get(target.id)?.values.includes(newName)) return undefined;
      return `The enum “${target.id}” has a value ${newName} already.`;
    case 'label':
      if (labelMeanings.has(newName)) return `The label ${newName} would change the kind of the nodes.`;
      if (!names.labels.has(newName)) return undefined;
      return `A label “${newName}” exists already; the two would become one.`;
  }
}

/** The new names of `User`, `UserInput` and `UserRace` when the node `user` is renamed. */
function typeInPlaceOf(word: string, target: Renamable, newName: string): string {
  const old = typeNameOf(nameOf(target));
  const fresh = typeNameOf(newName);
  if (word === inputNameOf(old)) return inputNameOf(fresh);
  return word === unionNameOf(old) ? unionNameOf(fresh) : fresh;
}

function newTrouble(
  workspace: Workspace,
  files: readonly TopologyFile[],
  edits: ReadonlyMap<TopologyFile, readonly Replacement[]>,
): Diagnostic | undefined {
  const renamed = new Map(
    [...edits].map(([file, list]) => {
      const edited = (text: string, { start, end, text: fresh }: Replacement) =>
        text.slice(0, start) + fresh + text.slice(end);
      return [file.path, list.reduceRight(edited, file.source)];
    }),
  );
  const roots = new Set(files.flatMap((file) => workspace.rootsOf(file.path)));
  for (const root of roots) {
    // Errors that existed before count as often as they did.
    const before = workspace.analyze(root).analysis.diagnostics.filter(({ severity }) => severity === 'error');
    for (const finding of analyzeTopology(root, workspace, renamed).analysis.diagnostics) {
      if (finding.severity !== 'error' && !isNotFetched(finding)) continue;
      const known = before.findIndex(({ code }) => code === finding.code);
      if (known === -1) return finding;
      before.splice(known, 1);
    }
  }
  return undefined;
}

function refuse(message: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
