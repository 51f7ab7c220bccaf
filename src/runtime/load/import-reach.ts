import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import { isUrl, isWebUrl, parseUrl } from '../../base/source/parse-url.js';
import { wholeFile } from '../../base/source/span.js';
import { remember } from '../../compiler/graph/maps.js';
import { projectRootOf } from './project-root.js';

/** The files and URLs that topologies may import beyond their own project. */
export interface ImportOptions {
  /** Files, and folders with all that is below. */
  readonly files?: readonly string[];
  /** URLs: all addresses that begin with one of them, step by step. */
  readonly urls?: readonly string[];
}

/**
 * Decides what the imports of topologies may read: files below the roots of the projects that the user named a file of,
 * and URLs of the origins that the user named a URL of. A topology may come from elsewhere; it must not choose what is
 * read on this machine or in its network, because findings show parts of it.
 */
export class ImportReach {
  readonly #directory: string | undefined;
  readonly #roots: Set<string>;
  readonly #origins = new Set<string>();
  readonly #urls: readonly URL[];
  readonly #projects = new Map<string, string>();

  /** @param directory - What paths are relative to; without it they name no files of the disk, and are all allowed. */
  constructor(directory: string | undefined, { files = [], urls = [] }: ImportOptions = {}) {
    this.#directory = directory;
    this.#roots = new Set(files.map((file) => resolve(directory ?? '', file)));
    this.#urls = urls.flatMap((url) => parseUrl(url) ?? []);
  }

  /** Adds the project of a file, or the origin of a URL, that the user or the program names. */
  add(input: string): void {
    const url = isWebUrl(input) ? parseUrl(input) : undefined;
    if (url !== undefined) {
      this.#origins.add(url.origin);
      // The redirect to the secure form of the same address.
      if (url.port === '') this.#origins.add(`https://${url.host}`);
    } else if (this.#directory !== undefined) {
      const folder = dirname(resolve(this.#directory, input));
      this.#roots.add(remember(this.#projects, folder, () => projectRootOf(folder) ?? folder));
      if (isWithin(folder, this.#directory)) this.#roots.add(this.#directory);
    }
  }

  /**
   * Why a file may not import another one (GG4010); undefined if it may.
   *
   * @param path - The imported file or URL, as resolved from the importing one.
   */
  refusal(path: string, importer: string): Diagnostic | undefined {
    if (isWebUrl(path)) {
      if (this.allowsUrl(path)) return undefined;
      const remedy = `"imports": { "urls": [${JSON.stringify(parseUrl('.', path)?.href)}] }`;
      return refused(path, 'the project does not allow this URL', remedy, importer);
    }
    if (isWebUrl(importer)) return refused(path, 'a remote topology can only import URLs', undefined, importer);
    if (isUrl(path)) return refused(path, 'expected a path, or a URL with http or https', undefined, importer);
    if (this.#allowsFile(path)) return undefined;
    const remedy = `"imports": { "files": [${JSON.stringify(path.replace(/\/[^/]*$/, ''))}] }`;
    return refused(path, 'it is outside of the project', remedy, importer);
  }

  allowsUrl(text: string): boolean {
    const url = parseUrl(text);
    if (url === undefined) return false;
    return this.#origins.has(url.origin) || this.#urls.some((allowed) => beginsWith(url, allowed));
  }

  /** A path outside is not looked up; a path inside may be a link that leads outside. */
  #allowsFile(path: string): boolean {
    if (this.#directory === undefined) return true;
    const file = resolve(this.#directory, path);
    const roots = [...this.#roots];
    const real = roots.map(realPathOf);
    if (![...roots, ...real].some((root) => isWithin(file, root))) return false;
    return real.some((root) => isWithin(realPathOf(file), root));
  }
}

function refused(path: string, reason: string, remedy: string | undefined, file: string): Diagnostic {
  return diagnose('GG4010', { path, reason, remedy }, wholeFile(file));
}

/** A server may decode `%2f`, and so step out of a folder. */
function beginsWith({ origin, pathname }: URL, allowed: URL): boolean {
  if (origin !== allowed.origin || /%2f|%5c/i.test(pathname)) return false;
  const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`;
  return pathname === allowed.pathname || pathname.startsWith(folder);
}

function isWithin(path: string, folder: string): boolean {
  const steps = relative(folder, path);
  return steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
}

/** The path without links; of a file that does not exist, that of the nearest folder that does. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : resolve(realPathOf(folder), relative(folder, path));
  }
}
