import { resolve } from 'node:path';
import { diagnose } from '../../diagnostics/diagnostic.js';
import { loadModule, reasonOf } from '../../load/user-module.js';
import type { RuntimeIoChannel } from '../../server/channels/binding/channel.js';
import { type CliOptions, CommandFailure } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { chooseModule } from './choose-module.js';

/** The channels of a server. */
export interface OpenedChannels {
  readonly channels?: readonly RuntimeIoChannel[];
  readonly path?: string;
  /** Whether the module was found by its name, not given as an option. */
  readonly found: boolean;
  /** The paths that were looked at. */
  readonly candidates: readonly string[];
  close(): Promise<void>;
}

/**
 * Loads the channels module, once: channels hold files, connections and processes, so a reload of the topology
 * keeps them.
 *
 * @param isFresh - Whether to load the module again if it was loaded before.
 * @throws {CommandFailure} GG5016 when the module cannot be used.
 */
export async function openChannels(
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
  isFresh = false,
): Promise<OpenedChannels> {
  const { path, found, candidates } = chooseModule('channels', operands, options, io);
  if (path === undefined) return { found, candidates, close: () => Promise.resolve() };
  const channels = await loadChannels(path, io.directory, isFresh);
  return {
    channels,
    path,
    found,
    candidates,
    close: async () => {
      await Promise.all(channels.map((channel) => channel?.close?.()));
    },
  };
}

async function loadChannels(
  path: string,
  directory: string,
  isFresh: boolean,
): Promise<readonly RuntimeIoChannel[]> {
  const fail = (reason: string, advice?: string) =>
    new CommandFailure([diagnose('GG5016', { path, reason, advice }, { file: path, start: 0, end: 0 })]);
  const module = await loadModule(resolve(directory, path), directory, isFresh);
  if (!module.ok) throw fail(module.reason, module.advice);
  const { default: given } = module.exports;
  try {
    const channels: unknown = typeof given === 'function' ? await given() : given;
    if (Array.isArray(channels)) return channels;
  } catch (error) {
    throw fail(reasonOf(error));
  }
  throw fail('its default export must be a list of channels or a function that returns one');
}
