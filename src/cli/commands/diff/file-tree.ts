import type { Analysis } from '../../../analyze.js';
import type { TopologyLoader } from '../../../load/load-topologies.js';

/** The files of one side: those of a revision, or as they are now. All paths are relative to the directory. */
export interface FileTree {
  /** What messages call it: `HEAD`, `the working tree`. */
  readonly name: string;
  /** The revision; undefined for files as they are now. */
  readonly revision: string | undefined;
  /** How a file is shown: `HEAD:service.gg`. */
  readonly describe: (path: string) => string;
  /** The `.gg` files below a folder, by name; `.` is the directory itself. */
  readonly listTopologies: (folder: string) => Promise<readonly string[]>;
  readonly kindOf: (path: string) => 'file' | 'directory' | undefined;
  /** The files that a pattern stands for. */
  readonly match: (pattern: string) => Promise<readonly string[]>;
  /** Reads its files. */
  readonly loader: TopologyLoader;
  /** Reads and projects a topology. */
  readonly analyze: (files: readonly string[]) => Promise<Analysis>;
}
