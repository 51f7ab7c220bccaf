import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { diagnose } from '../../diagnostics/diagnostic.js';
import type { RuntimeIoChannel } from '../../server/channels/binding/channel.js';
import type { CliOptions } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';

/** The channels that a server binds, or that there are none to be had; why not was reported then. */
export type OpenedChannels =
  | { readonly ok: false }
  | {
      readonly ok: true;
      /** Undefined where no module is named or found. */
      readonly channels?: readonly RuntimeIoChannel[];
      /** Where they come from. */
      readonly path?: string;
      /** Whether that was found rather than named. */
      readonly found: boolean;
      /** Lets go of what the channels hold. */
      close(): Promise<void>;
    };

/**
 * Loads the module of channels that is named, or that lies beside the first topology: `service.channels.mjs` or
 * `.js` for `service.gg`. It is loaded once: channels hold files, connections and processes, so they stay as they
 * are while a topology is read again. What goes wrong is the finding GG5016.
 */
export async function openChannels(
  operands: readonly string[],
  options: CliOptions,
  io: CliIo,
): Promise<OpenedChannels> {
  const none = { ok: true, found: false, close: async () => undefined } as const;
  if (options.channels === false) return none;
  const named = readText(options, 'channels');
  const path = named ?? findChannels(operands[0] ?? '', io.directory);
  if (path === undefined) return none;
  const loaded = await loadChannels(path, io.directory);
  if (!loaded.ok) {
    const { reportFindings } = await import('../terminal/report-findings.js');
    const diagnostic = diagnose('GG5016', { path, reason: loaded.reason }, { file: path, start: 0, end: 0 });
    reportFindings([diagnostic], [], io);
    return { ok: false };
  }
  const { channels } = loaded;
  return {
    ok: true,
    channels,
    path,
    found: named === undefined,
    close: async () => {
      await Promise.all(channels.map((channel) => channel?.close?.()));
    },
  };
}

function findChannels(topology: string, directory: string): string | undefined {
  if (!topology.endsWith('.gg')) return undefined;
  const base = topology.slice(0, -'.gg'.length);
  return ['mjs', 'js']
    .map((ending) => `${base}.channels.${ending}`)
    .find((path) => existsSync(resolve(directory, path)));
}

type Loaded =
  | { readonly ok: true; readonly channels: readonly RuntimeIoChannel[] }
  | { readonly ok: false; readonly reason: string };

async function loadChannels(path: string, directory: string): Promise<Loaded> {
  const absolute = resolve(directory, path);
  if (!existsSync(absolute)) return { ok: false, reason: 'there is no such file' };
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(absolute).href);
    const given: unknown = typeof module.default === 'function' ? await module.default() : module.default;
    if (Array.isArray(given)) return { ok: true, channels: given };
    return { ok: false, reason: 'it exports something that is not a list of channels' };
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    return { ok: false, reason: first.replace(/\.$/, '') };
  }
}
