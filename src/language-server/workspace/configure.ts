import { relative, sep } from 'node:path';
import type { InitializeParams } from 'vscode-languageserver';
import { placeSources, readConfig } from '../../config/read-config.js';
import type { FilePattern } from './groups.js';
import { isUri, pathOf } from './locations.js';
import type { Workspace } from './workspace.js';

/** Applies the `initialize` parameters of a client: its folders, settings and capabilities. */
export function configure(workspace: Workspace, params: InitializeParams): void {
  workspace.folders = foldersOf(params);
  workspace.patterns = patternsOf(params.initializationOptions);
  workspace.takesVersions = params.capabilities.workspace?.workspaceEdit?.documentChanges === true;
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  return workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
}

/** `topologies` of the user's settings for this server; anything but strings and lists of strings is ignored. */
function patternsOf(options: unknown): readonly FilePattern[] {
  const given =
    typeof options === 'object' && options !== null && 'topologies' in options ? options.topologies : [];
  const isText = (pattern: unknown) => typeof pattern === 'string';
  return Array.isArray(given)
    ? given.filter((pattern) => isText(pattern) || (Array.isArray(pattern) && pattern.every(isText)))
    : [];
}

/**
 * The parameters with the sources of the project files of the folders as `topologies`, unless the user's settings have
 * some. A project file with errors is ignored here: every command reports it.
 */
export async function withProjectFiles(params: InitializeParams): Promise<InitializeParams> {
  if (patternsOf(params.initializationOptions).length > 0) return params;
  const topologies: (readonly string[])[] = [];
  for (const folder of foldersOf(params).map(pathOf)) {
    if (isUri(folder)) continue;
    const { value, diagnostics } = await readConfig(folder);
    const sources = value === undefined || diagnostics.length > 0 ? [] : placeSources(value);
    const below = sources.map((path) => relative(folder, path).split(sep).join('/'));
    if (below.length > 0) topologies.push(below);
  }
  return topologies.length === 0
    ? params
    : { ...params, initializationOptions: { ...(params.initializationOptions ?? {}), topologies } };
}
