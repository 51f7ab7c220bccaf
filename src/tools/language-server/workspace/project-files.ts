import { relative, sep } from 'node:path';
import type { InitializeParams } from 'vscode-languageserver';
import { isUri } from '../../../base/source/parse-url.js';
import { placePaths, readConfig } from '../../../runtime/config/read-config.js';
import { foldersOf, patternsOf } from './configure.js';
import { pathOf } from './locations.js';

/**
 * The parameters with what the project files of the folders say: their sources as `topologies`, unless the user's settings
 * have some, and what topologies may import as `imports`. A project file with errors is ignored here: every command
 * reports it.
 */
export async function withProjectFiles(params: InitializeParams): Promise<InitializeParams> {
  const topologies: (readonly string[])[] = [];
  const files: string[] = [];
  const urls: string[] = [];
  for (const folder of foldersOf(params).map(pathOf)) {
    if (isUri(folder)) continue;
    const { value, diagnostics } = await readConfig(folder);
    if (value === undefined || diagnostics.length > 0) continue;
    const { sources = [], imports = {} } = placePaths(value);
    const below = sources.map((path) => relative(folder, path).split(sep).join('/'));
    if (below.length > 0) topologies.push(below);
    files.push(...(imports.files ?? []));
    urls.push(...(imports.urls ?? []));
  }
  const hasOwn = patternsOf(params.initializationOptions).length > 0;
  const found = {
    ...(!hasOwn && topologies.length > 0 && { topologies }),
    ...(files.length + urls.length > 0 && { imports: { files, urls } }),
  };
  return { ...params, initializationOptions: { ...params.initializationOptions, ...found } };
}
