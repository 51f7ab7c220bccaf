import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { wholeFile } from '../../../base/source/span.js';
import type { Resolvers } from '../../../runtime/execute/resolvers/contract.js';
import { isFilePath, loadModule, nextGeneration, reasonOf } from '../../../runtime/load/user-module.js';
import type { RuntimeIoChannel } from '../../../runtime/server/channels/binding/channel.js';
import type { GqlServerOptions } from '../../../runtime/server/options.js';
import { CommandFailure, type Invocation } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readText } from '../terminal/option-values.js';

/** The module of the resolvers, the channels or the context of a server. */
export interface ChosenModule {
  /** Undefined if there is none. */
  readonly path?: string | undefined;
  /** Whether it was found by its name, not given as an option. */
  readonly found: boolean;
  /** The paths that are looked at. */
  readonly candidates: readonly string[];
}

/**
 * Chooses a module: the one given as an option, or `service.resolvers.mjs`, `.js` or `.ts` next to the first
 * topology `service.gg`.
 */
export function chooseModule(kind: 'resolvers' | 'channels' | 'context', { operands, options, io }: Invocation) {
  if (options[kind] === false) return { found: false, candidates: [] };
  const named = readText(options, kind);
  if (named !== undefined) return { path: named, found: false, candidates: [named] };
  const [topology = ''] = operands;
  const [, base] = isFilePath(topology, io.directory) ? (/^(.*)\.gg$/s.exec(topology) ?? []) : [];
  const extensions = base === undefined ? [] : ['mjs', 'js', 'ts', 'mts'];
  const candidates = extensions.map((extension) => `${base}.${kind}.${extension}`);
  const path = candidates.find((candidate) => existsSync(resolve(io.directory, candidate)));
  return { path, found: path !== undefined, candidates };
}

type Exports = Readonly<Record<string, unknown>>;

/** The value of a user's module, or why it cannot be used, and the files that this depends on. */
export interface Loaded<Value> {
  readonly value?: Value;
  readonly diagnostic?: Diagnostic;
  readonly files: readonly string[];
}

/** The export with which a module closes everything that it opened. */
type Dispose = () => unknown;

/**
 * Loads modules of one kind and caches the last one.
 *
 * @param generation - The generation to load in; undefined loads a module once.
 * @param retire - Gets the `dispose` of a module that is loaded again.
 * @param read - Reads the exports; returns why they cannot be used, if so.
 */
function createLoader<Value extends object>(
  directory: string,
  generation: () => number | undefined,
  retire: (dispose: Dispose) => void,
  code: 'GG5001' | 'GG5016' | 'GG5051',
  read: (exports: Exports) => Value | string | Promise<Value | string>,
) {
  let last: { readonly path: string; readonly loaded: Loaded<Value>; readonly dispose: unknown } | undefined;
  /** The files of the last attempt to load a module. */
  let files: readonly string[] = [];
  const forget = (): void => {
    if (typeof last?.dispose === 'function') retire(last.dispose as Dispose);
    last = undefined;
  };
  return {
    async load(path: string): Promise<Loaded<Value>> {
      if (last?.path === path) return last.loaded;
      forget();
      const module = await loadModule(resolve(directory, path), directory, generation());
      files = module.files;
      const value = module.ok ? await read(module.exports) : module.reason;
      if (typeof value === 'string') {
        const params = { path, reason: value, advice: module.ok ? undefined : module.advice };
        return { diagnostic: diagnose(code, params, wholeFile(path)), files };
      }
      last = { path, loaded: { value, files }, dispose: module.ok && module.exports.dispose };
      return last.loaded;
    },
    files: () => files,
    /** Whether the module is loaded again if these files, given by absolute paths, have changed. */
    isStale: (changed: readonly string[]) =>
      files.length > 0 && (last === undefined || files.some((file) => changed.includes(file))),
    hasFailed: () => files.length > 0 && last === undefined,
    forget,
  };
}

export type ApiLoaders = ReturnType<typeof createLoaders>;

export function createLoaders(io: CliIo, isWatched = false) {
  let generation = isWatched ? nextGeneration() : undefined;
  let retired: Dispose[] = [];
  const retire = (dispose: Dispose) => void retired.push(dispose);
  const resolvers = createLoader(io.directory, () => generation, retire, 'GG5001', readResolvers);
  const context = createLoader(io.directory, () => generation, retire, 'GG5051', readContext);
  const both = [resolvers, context];
  return {
    resolvers,
    context,
    /**
     * Drops the modules that depend on these files, given by absolute paths, and a module that shares a file with one of
     * them: both are loaded in one generation, so that they have one instance of what they share.
     */
    invalidate(changed: readonly string[]): void {
      const stale = both.filter((loader) => loader.isStale(changed));
      if (stale.length === 0) return;
      generation = nextGeneration();
      // The imports of a module that could not be loaded are unknown.
      const areAll = stale.some((loader) => loader.hasFailed());
      const touched = stale.flatMap((loader) => loader.files());
      for (const loader of both) if (areAll || loader.isStale(touched)) loader.forget();
    },
    /** Calls the `dispose` of the modules that were replaced; with `all`, also of the current ones. */
    async dispose(all = false): Promise<void> {
      if (all) for (const loader of both) loader.forget();
      const ended = retired;
      retired = [];
      const results = await Promise.allSettled(ended.map(async (dispose) => dispose()));
      for (const result of results) {
        if (result.status === 'rejected') {
          io.stderr(`warning: dispose of a module failed: ${reasonOf(result.reason)}.\n`);
        }
      }
    },
  };
}

/** The resolvers of a module: its default export, or its named exports (`Query`, `Mutation` …) together. */
function readResolvers(exports: Exports): Resolvers | string {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  // Named exports that are not objects, such as functions, are not resolvers.
  const named = Object.fromEntries(Object.entries(exports).filter(([, value]) => isObject(value)));
  const resolvers = 'default' in exports ? exports.default : named;
  if (!isObject(resolvers) || Array.isArray(resolvers)) return 'it must export an object';
  const unused = ['Query', 'Mutation', 'Subscription'].filter(
    (root) => root in exports && 'default' in exports && !(root in (resolvers as object)),
  );
  if (unused.length > 0)
    return `it has a default export, so its export ${unused.join(' and ')} has no effect; put it into the default export`;
  if (Object.keys(resolvers as object).length > 0) return resolvers as Resolvers;
  const name = Object.keys(exports).find((key) => typeof exports[key] === 'function');
  return name === undefined
    ? 'it exports no resolvers'
    : `it exports the function ${name}, but no object Query, Mutation or Subscription with such functions`;
}

/** The exports of a context module, which are options of a server of the same name. */
const contextNames = ['context', 'authenticate', 'guards', 'hooks', 'plugins'] as const;

export type ContextOptions = Pick<GqlServerOptions, (typeof contextNames)[number]>;

/** The options of a context module: the function of its default export is `context`. */
function readContext(exports: Exports): ContextOptions | string {
  const isDefault = 'default' in exports;
  if (isDefault && 'context' in exports)
    return 'it has a default export, so its export context has no effect; keep one of them';
  const given: Exports = isDefault ? { ...exports, context: exports.default } : exports;
  const found = contextNames.filter((name) => name in given);
  if (found.length === 0) return 'it exports no function, neither as default nor as context';
  if ('context' in given && typeof given.context !== 'function')
    return `its ${isDefault ? 'default export' : 'export context'} must be a function`;
  return Object.fromEntries(found.map((name) => [name, given[name]]));
}

export interface OpenedChannels extends ChosenModule {
  readonly channels?: readonly RuntimeIoChannel[];
  close(): Promise<void>;
}

/**
 * Loads the channels module, once: channels hold files, connections and processes, so a reload of the topology
 * keeps them.
 *
 * @throws {CommandFailure} GG5016 when the module cannot be used.
 */
export async function openChannels(started: Invocation, isFresh = false): Promise<OpenedChannels> {
  const chosen = chooseModule('channels', started);
  if (chosen.path === undefined) return { ...chosen, close: () => Promise.resolve() };
  const generation = () => (isFresh ? nextGeneration() : undefined);
  const loader = createLoader(started.io.directory, generation, () => {}, 'GG5016', readChannels);
  const { value: channels = [], diagnostic } = await loader.load(chosen.path);
  if (diagnostic !== undefined) throw new CommandFailure([diagnostic]);
  const close = async () => void (await Promise.all(channels.map((channel) => channel?.close?.())));
  return { ...chosen, channels, close };
}

async function readChannels({ default: given }: Exports): Promise<readonly RuntimeIoChannel[] | string> {
  try {
    const channels: unknown = typeof given === 'function' ? await given() : given;
    if (Array.isArray(channels)) return channels;
  } catch (error) {
    return reasonOf(error);
  }
  return 'its default export must be a list of channels or a function that returns one';
}
