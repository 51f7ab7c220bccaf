import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import type { ImportOptions } from '../../../runtime/load/import-reach.js';
import type { TopologyFile } from './topology-file.js';

/** The topology files beside those that the editor has open, such as those on the disk. */
export interface StoredFiles {
  /** A file; undefined if it does not exist or cannot be read. */
  file(path: string): TopologyFile | undefined;
  /** The reason why an existing file cannot be read. */
  problem(path: string): Diagnostic | undefined;
  imports(path: string): readonly string[];
  /** Why a topology may not import a file; undefined if it may. */
  refusal(path: string, importer: string, root: string, imports: ImportOptions): Diagnostic | undefined;
  /** The topology files below a folder, sorted. */
  below(folder: string): readonly string[];
  entries(folder: string): readonly FolderEntry[];
}

/** A file or a folder, by the last step of its path. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** A workspace of open files alone. */
export const noStoredFiles: StoredFiles = {
  file: () => undefined,
  problem: () => undefined,
  refusal: () => undefined,
  imports: () => [],
  below: () => [],
  entries: () => [],
};
