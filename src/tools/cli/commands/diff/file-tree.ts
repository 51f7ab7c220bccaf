import type { Analysis } from '../../../../compiler/analyze.js';
import type { TopologyLoader } from '../../../../runtime/load/load-topologies.js';

/** The files of one side: a revision or the working tree. All paths are relative to the directory. */
export interface FileTree {
  /** Its name in messages: `HEAD`, `the working tree`. */
  readonly name: string;
  readonly revision: string | undefined;
  /** The name of a file in messages: `HEAD:service.gg`. */
  readonly displayName: (path: string) => string;
  /** The `.gg` files below a folder, sorted; `.` is the directory itself. */
  readonly listTopologies: (folder: string) => Promise<readonly string[]>;
  readonly kindOf: (path: string) => 'file' | 'directory' | undefined;
  readonly match: (pattern: string) => Promise<readonly string[]>;
  readonly loader: TopologyLoader;
  readonly analyze: (files: readonly string[]) => Promise<Analysis>;
}
