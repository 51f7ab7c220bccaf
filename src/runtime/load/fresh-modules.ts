import { createRequire, register } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { missingImport } from './explain-import.js';
import { nearestWith } from './project-root.js';

export interface FreshModule {
  readonly exports: Readonly<Record<string, unknown>> | undefined;
  readonly error: unknown;
  /** The module and the files that it imports, without packages; and what it imports that is missing. */
  readonly files: readonly string[];
}

/** Loads a module and its imports again, except packages: the generation is in their URLs. Old versions stay. */
export async function importFresh(path: string, generation: number): Promise<FreshModule> {
  listening ??= listen();
  const url = pathToFileURL(path);
  url.searchParams.set(mark, String(generation));
  if (generation !== lastGeneration) forgetRequired();
  lastGeneration = generation;
  const before = new Set(Object.keys(required));
  const loaded = await import(url.href).then(
    (exports: Readonly<Record<string, unknown>>) => ({ exports, error: undefined }),
    (error: unknown) => ({ exports: undefined, error }),
  );
  const others = [...requiredSince(before), ...missingRequired(loaded.error)];
  return { ...loaded, files: [...new Set([path, ...receiveFiles(listening), ...others])] };
}

/** The query parameter that distinguishes the loads of a module. */
const mark = 'gg-svc-generation';

let lastGeneration = 0;
let listening: MessagePort | undefined;

/** Registers a resolve hook: its thread posts the URL of each resolved file, and missing specifiers. */
function listen(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const code = `
    let port;
    export function initialize(data) { port = data.port; }
    export async function resolve(specifier, context, next) {
      const of = new RegExp('[?&]${mark}=(\\\\d+)').exec(context.parentURL ?? '');
      const found = await next(specifier, context).catch((error) => {
        if (of !== null) port.postMessage({ specifier, parent: context.parentURL });
        throw error;
      });
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
    const received = receiveMessageOnPort(port) as { readonly message: string | Missing } | undefined;
    if (received === undefined) return files;
    const { message } = received;
    files.push(...(typeof message === 'string' ? [fileURLToPath(message)] : placesOf(message)));
  }
}

interface Missing {
  readonly specifier: string;
  readonly parent: string;
}

/** The files one of which appears when what is missing is created or installed. */
function placesOf({ specifier, parent }: Missing): string[] {
  if (/^(?:\.|\/|file:)/.test(specifier)) {
    const path = fileURLToPath(new URL(specifier, parent));
    return [path, `${path}.js`, `${path}.json`, join(path, 'index.js')];
  }
  const name = /^(?:@[^/]+\/)?[^/#:]+(?=\/|$)/.exec(specifier)?.[0];
  if (name === undefined) return [];
  // Where `npm install` puts packages.
  const folder = dirname(fileURLToPath(parent));
  return [join(nearestWith(folder, 'package.json') ?? folder, 'node_modules', name, 'package.json')];
}

/** The same for `require`, whose error the hook does not see. */
function missingRequired(error: unknown): string[] {
  const missing = missingImport(error);
  if (missing === undefined || (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') return [];
  return placesOf({ specifier: missing.name, parent: pathToFileURL(missing.importer).href });
}

/** The cache of CommonJS modules, keyed by path. */
const required = createRequire(import.meta.url).cache;

function forgetRequired(): void {
  for (const path of Object.keys(required)) if (!isPackage(path)) delete required[path];
}

function requiredSince(before: ReadonlySet<string>): string[] {
  return Object.keys(required).filter((path) => !before.has(path) && !isPackage(path));
}

function isPackage(path: string): boolean {
  return /[/\\]node_modules[/\\]/.test(path);
}
