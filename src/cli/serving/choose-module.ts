import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isFilePath } from '../../load/user-module.js';
import type { CliOptions } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';

/** The module of the resolvers, the channels or the context of a server. */
export interface ChosenModule {
  /** Undefined if there is none. */
  readonly path?: string;
  /** Whether it was found by its name, not given as an option. */
  readonly found: boolean;
  /** The paths that are looked at. */
  readonly candidates: readonly string[];
}

/**
 * Chooses a module: the one given as an option, or `service.resolvers.mjs`, `.js` or `.ts` next to the first
 * topology `service.gg`.
 *
 * @param kind - The name of the option, and the middle of the file name.
 */
export function chooseModule(
  kind: 'resolvers' | 'channels' | 'context',
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
): ChosenModule {
  if (options[kind] === false) return { found: false, candidates: [] };
  const named = readText(options, kind);
  if (named !== undefined) return { path: named, found: false, candidates: [named] };
  const [topology = ''] = operands;
  const base =
    topology.endsWith('.gg') && isFilePath(topology) ? topology.slice(0, -'.gg'.length) : undefined;
  const candidates =
    base === undefined ? [] : ['mjs', 'js', 'ts', 'mts'].map((extension) => `${base}.${kind}.${extension}`);
  const path = candidates.find((candidate) => existsSync(resolve(io.directory, candidate)));
  return { ...(path === undefined ? {} : { path }), found: path !== undefined, candidates };
}
