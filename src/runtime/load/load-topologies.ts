import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Diagnostic, diagnose, type Outcome } from '../../base/diagnostics/diagnostic.js';
import { isWebUrl, parseUrl } from '../../base/source/parse-url.js';
import { createSourceFile } from '../../base/source/source-file.js';
import { wholeFile } from '../../base/source/span.js';
import type { SourceInput } from '../../compiler/analyze.js';
import { normalizePath } from '../../compiler/graph/import-path.js';
import type { Document } from '../../compiler/syntax/ast.js';
import { parse as parseSource } from '../../compiler/syntax/parse.js';
import { expandGlob, isGlob } from './globs.js';
import { type ImportOptions, ImportReach } from './import-reach.js';
import { fetchTopology, type Reading, readTopologyFile } from './read-topology.js';

/** A path, a glob or a URL of topology files, or the text itself. */
export type TopologyInput = string | SourceInput;

/** The source of files: the disk, or a revision. */
export interface FileStore {
  /** The files that a path or a glob names. */
  expand(input: string): readonly string[];
  read(path: string): Reading;
  /** The folder that paths are relative to; absent if no path leads to the disk. */
  readonly directory?: string;
  /** The same text for two paths of one file. */
  identify(path: string): string;
}

export type TopologyLoader = ReturnType<typeof createTopologyLoader>;

/**
 * Makes a loader over the files of the disk, or over another store, which reads each text of a topology once. URLs are
 * always fetched. One loader serves one compilation.
 */
export function createTopologyLoader(files: FileStore = diskFiles(), imports: ImportOptions = {}) {
  const reach = new ImportReach(files.directory, imports);
  const readings = new Map<string, Reading>();
  const missing = new Set<string>();
  const parsed = new Map<string, Outcome<Document>>();

  const parse = (input: SourceInput): Outcome<Document> => {
    const known = parsed.get(input.name);
    if (known?.value.file.text === input.source) return known;
    const outcome = parseSource(createSourceFile(input.name, input.source));
    parsed.set(input.name, outcome);
    return outcome;
  };
  /**
   * The text of a file or a URL, or the finding why it cannot be read; undefined for a URL that was not fetched yet.
   * The imports of a file are limited; a file that the user names has no importer.
   */
  const read = (path: string, importer?: string): Reading | undefined => {
    const problem = importer === undefined ? undefined : reach.refusal(path, importer);
    if (problem !== undefined) return { ok: false, absent: false, problem };
    const known = readings.get(path);
    if (known !== undefined) return known;
    if (isWebUrl(path)) {
      missing.add(path);
      return undefined;
    }
    const reading = files.read(path);
    readings.set(path, reading);
    return reading;
  };

  return {
    read,
    parse,
    missing,
    /**
     * Reads all inputs, in order, each file once; the files of a glob are in the order of their names. A URL that was not
     * fetched yet is omitted.
     */
    load(inputs: readonly TopologyInput[]): Outcome<readonly SourceInput[]> {
      const sources: SourceInput[] = [];
      const diagnostics: Diagnostic[] = [];
      const seen = new Set<string>();
      for (const input of inputs) {
        if (typeof input !== 'string') {
          sources.push(input);
          reach.add(input.name);
          continue;
        }
        const paths = isWebUrl(input) ? [normalizePath(input)] : files.expand(input);
        if (paths.length === 0) {
          diagnostics.push(diagnose('GG4005', { pattern: input }, wholeFile(input)));
        }
        for (const path of paths) {
          const identity = isWebUrl(path) ? path : files.identify(path);
          if (seen.has(identity)) continue;
          seen.add(identity);
          reach.add(path);
          const reading = read(path);
          if (reading?.ok === true) sources.push({ name: path, source: reading.text });
          else if (reading !== undefined) diagnostics.push(reading.problem);
        }
      }
      return { value: sources, diagnostics };
    },
    /** Fetches the missing URLs in parallel. Never rejects. */
    async fetchMissing(): Promise<void> {
      const urls = [...missing];
      missing.clear();
      const fetched = await Promise.all(urls.map((url) => fetchTopology(url, (next) => reach.allowsUrl(next))));
      for (const [index, reading] of fetched.entries()) readings.set(urls[index] as string, reading);
    },
  };
}

/** The files of the disk. Relative paths start from the directory. */
export function diskFiles(directory: string = process.cwd()): FileStore {
  return {
    directory,
    expand: (input) => expandTopology(input, directory),
    read: (path) => readTopologyFile(resolve(directory, path), path),
    identify: (path) => resolve(directory, path),
  };
}

/** The files that an input names, each by its normalized path, so that an import of it is recognized. */
export function expandTopology(input: string, directory: string): readonly string[] {
  if (isWebUrl(input)) return [normalizePath(input)];
  const url = input.startsWith('file://') ? parseUrl(input) : undefined;
  const path = url === undefined ? input : fileURLToPath(url);
  return isGlob(path, directory) ? expandGlob(path, directory) : [normalizePath(path)];
}
