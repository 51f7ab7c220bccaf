import type { InitializeParams } from 'vscode-languageserver';
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

/** `topologies` of the user's settings for this server; anything but a list of strings is ignored. */
function patternsOf(options: unknown): readonly string[] {
  const given =
    typeof options === 'object' && options !== null && 'topologies' in options ? options.topologies : [];
  return Array.isArray(given) ? given.filter((pattern) => typeof pattern === 'string') : [];
}
