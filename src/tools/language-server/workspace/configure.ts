import type { InitializeParams } from 'vscode-languageserver';
import type { ImportOptions } from '../../../runtime/load/import-reach.js';
import type { FilePattern } from './groups.js';
import type { Workspace } from './workspace.js';

/** Applies the `initialize` parameters of a client: its folders, settings and capabilities. */
export function configure(workspace: Workspace, params: InitializeParams): void {
  workspace.folders = foldersOf(params);
  workspace.patterns = patternsOf(params.initializationOptions);
  workspace.imports = importsOf(params.initializationOptions);
  workspace.takesVersions = params.capabilities.workspace?.workspaceEdit?.documentChanges === true;
  const { experimental } = params.capabilities;
  workspace.runsRequests = experimental?.runRequest === true;
  workspace.followsStreams = experimental?.followStream === true;
}

export function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  return workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
}

/** `topologies` of the user's settings for this server; anything but strings and lists of strings is ignored. */
export function patternsOf(options: unknown): readonly FilePattern[] {
  const { topologies } = (options ?? {}) as { readonly topologies?: unknown };
  if (!Array.isArray(topologies)) return [];
  return topologies.filter((pattern) => [pattern].flat().every(isText));
}

/** `imports` of the settings: what topologies may import beyond their project. */
function importsOf(options: unknown): ImportOptions {
  const { imports } = (options ?? {}) as { readonly imports?: unknown };
  const { files, urls } = (imports ?? {}) as Readonly<Record<string, unknown>>;
  const textsOf = (given: unknown) => (Array.isArray(given) ? given.filter(isText) : []);
  return { files: textsOf(files), urls: textsOf(urls) };
}

function isText(given: unknown): given is string {
  return typeof given === 'string';
}
