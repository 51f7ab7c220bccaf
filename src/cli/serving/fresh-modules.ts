import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** A module that was loaded, or what kept it from that. */
export interface FreshModule {
  /** What it exports; undefined when it could not be loaded. */
  readonly exports: Readonly<Record<string, unknown>> | undefined;
  /** What was thrown; undefined when it was loaded. */
  readonly error: unknown;
  /** The files that it consists of: itself, and what it imports, packages left out. */
  readonly files: readonly string[];
}

/**
 * Loads a module anew, with everything of the user's that it imports. Node keeps modules by their address,
 * so every generation of them gets addresses of its own. What is imported by the name of a package stays as
 * it is. The old generation stays in memory: this is for development.
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

/** The parameter that marks a generation in the address of a module. */
const mark = 'gg-svc-generation';

let generation = 0;
let listening: MessagePort | undefined;

/** Has Node ask us where modules are. It asks in a thread of its own, which tells of every file it resolved. */
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

/** What the thread told before the module was there; it tells of a file before it answers where it is. */
function receiveFiles(port: MessagePort): string[] {
  const files: string[] = [];
  for (;;) {
    const received = receiveMessageOnPort(port) as { readonly message: string } | undefined;
    if (received === undefined) return files;
    files.push(fileURLToPath(received.message));
  }
}

/** CommonJS modules are kept by their paths, in a list that can be changed. */
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
