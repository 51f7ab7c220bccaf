import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** A loaded module, or the error. */
export interface FreshModule {
  /** Undefined when the module could not be loaded. */
  readonly exports: Readonly<Record<string, unknown>> | undefined;
  /** The error; undefined when the module was loaded. */
  readonly error: unknown;
  /** The module and the files that it imports, without packages. */
  readonly files: readonly string[];
}

/**
 * Loads a module and its imports again, except for packages. Node caches modules by URL, so each load uses a
 * new query parameter. Old versions stay in memory, which is acceptable during development.
 *
 * @param path - An absolute path.
 */
export async function importFresh(path: string): Promise<FreshModule> {
  listening ??= listen();
  generation += 1;
  const url = pathToFileURL(path);
  url.searchParams.set(mark, String(generation));
  const before = forgetRequired();
  const loaded = await import(url.href).then(
    (exports: Readonly<Record<string, unknown>>) => ({ exports, error: undefined }),
    (error: unknown) => ({ exports: undefined, error }),
  );
  return { ...loaded, files: [...new Set([path, ...receiveFiles(listening), ...requiredSince(before)])] };
}

/** The query parameter that distinguishes the loads of a module. */
const mark = 'gg-svc-generation';

let generation = 0;
let listening: MessagePort | undefined;

/** Registers a resolve hook. It runs in its own thread and posts the URL of every file it resolves. */
function listen(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const code = `
    let port;
    export function initialize(data) { port = data.port; }
    export async function resolve(specifier, context, next) {
      const found = await next(specifier, context);
      const of = new RegExp('[?&]${mark}=(\\\\d+)').exec(context.parentURL ?? '');
      const isOwn = /^(?:\\.|\\/|#|file:)/.test(specifier) && /^file:/.test(found.url) && !/\\/node_modules\\//.test(found.url);
      if (of === null || !isOwn) return found;
      const url = new URL(found.url);
      port.postMessage(url.href);
      url.searchParams.set('${mark}', of[1]);
      return { ...found, url: url.href };
    }`;
  register(`data:text/javascript,${encodeURIComponent(code)}`, {
    parentURL: import.meta.url,
    data: { port: port2 },
    transferList: [port2],
  });
  port1.unref();
  return port1;
}

/** The files that the hook has posted. It posts before it returns, so after an import none is missing. */
function receiveFiles(port: MessagePort): string[] {
  const files: string[] = [];
  for (;;) {
    const received = receiveMessageOnPort(port) as { readonly message: string } | undefined;
    if (received === undefined) return files;
    files.push(fileURLToPath(received.message));
  }
}

/** The cache of CommonJS modules, keyed by path. */
const required = createRequire(import.meta.url).cache;

function forgetRequired(): ReadonlySet<string> {
  for (const path of Object.keys(required)) if (!isPackage(path)) delete required[path];
  return new Set(Object.keys(required));
}

function requiredSince(before: ReadonlySet<string>): string[] {
  return Object.keys(required).filter((path) => !before.has(path) && !isPackage(path));
}

function isPackage(path: string): boolean {
  return /[/\\]node_modules[/\\]/.test(path);
}
