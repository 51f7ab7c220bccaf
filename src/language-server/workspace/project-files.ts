import { relative, sep } from 'node:path';
import type { InitializeParams } from 'vscode-languageserver';
import { placeSources, readConfig } from '../../config/read-config.js';
import { foldersOf, patternsOf } from './configure.js';
import { isUri, pathOf } from './locations.js';

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
