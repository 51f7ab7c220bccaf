import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync, isDynamicPattern } from 'tinyglobby';
import type { SourceInput } from '../analyze.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { Outcome } from '../diagnostics/outcome.js';
import { normalizePath } from '../graph/import-path.js';
import { readTopologyFile } from './read-file.js';
import { readTopologyUrl } from './read-url.js';
import type { Reading } from './reading.js';

/** A path, a glob or a URL of topology files, or the text itself. */
export type TopologyInput = string | SourceInput;

/** Brings the texts of a topology into memory: for the server and for the command line alike. */
export interface TopologyLoader {
  /**
   * Reads all inputs, in order, each file once; the files of a glob are in the order of their names. What
   * cannot be read is a diagnostic. A URL that was not fetched yet is left out and noted in `missing`.
   */
  load(inputs: readonly TopologyInput[]): Outcome<readonly SourceInput[]>;
  /** The text of the file that an import resolves to; undefined when there is none, or none was fetched yet. */
  readImport(path: string): string | undefined;
  /** Why the file of an import has no text, though it is there; `place` is the import. */
  importProblem(path: string, place: Diagnostic['span']): Diagnostic | undefined;
  /** The URLs that were asked for and not fetched yet. */
  readonly missing: ReadonlySet<string>;
  /** Fetches what is missing, side by side. Never rejects: a failure becomes a diagnostic of `load`. */
  fetchMissing(): Promise<void>;
}

/**
 * Makes a loader. It keeps what it has read, so it serves one compilation; a new one sees the files anew.
 *
 * @param directory - What relative paths are relative to.
 */
export function createTopologyLoader(directory: string = process.cwd()): TopologyLoader {
  const readings = new Map<string, Reading>();
  const missing = new Set<string>();

  const read = (path: string): Reading | undefined => {
    let reading = readings.get(path);
    if (reading === undefined) {
      if (isUrl(path)) {
        missing.add(path);
        return undefined;
      }
      reading = readTopologyFile(resolve(directory, path), path);
      readings.set(path, reading);
    }
    return reading;
  };

  return {
    missing,
    load(inputs) {
      const sources: SourceInput[] = [];
      const diagnostics: Diagnostic[] = [];
      const seen = new Set<string>();
      for (const input of inputs) {
        if (typeof input !== 'string') {
          sources.push(input);
          continue;
        }
        const paths = expandTopology(input, directory);
        if (paths.length === 0) diagnostics.push(diagnose('GG4005', { pattern: input }, wholeFile(input)));
        for (const path of paths) {
          const identity = isUrl(path) ? path : resolve(directory, path);
          if (seen.has(identity)) continue;
          seen.add(identity);
          const reading = read(path);
          if (reading?.ok === true) sources.push({ name: path, source: reading.text });
          else if (reading !== undefined) diagnostics.push(reading.problem(wholeFile(path)));
        }
      }
      return { value: sources, diagnostics };
    },
    readImport(path) {
      const reading = read(path);
      return reading?.ok === true ? reading.text : undefined;
    },
    importProblem(path, place) {
      const reading = readings.get(path);
      return reading === undefined || reading.ok || reading.absent ? undefined : reading.problem(place);
    },
    async fetchMissing() {
      const urls = [...missing];
      missing.clear();
      const fetched = await Promise.all(urls.map(readTopologyUrl));
      for (const [index, reading] of fetched.entries()) readings.set(urls[index] as string, reading);
    },
  };
}

/** The files that an input names, written alike for one file so that an import of it is recognized. */
export function expandTopology(input: string, directory: string): readonly string[] {
  if (isUrl(input)) return [normalizePath(input)];
  const path = input.startsWith('file://') && URL.canParse(input) ? fileURLToPath(input) : input;
  // A file may be called `a[1].gg`: what is there under exactly this name is not a pattern.
  if (!isDynamicPattern(path) || existsSync(resolve(directory, path))) return [normalizePath(path)];
  return globSync(path, { cwd: directory, expandDirectories: false }).map(normalizePath).sort();
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** The place of a finding about a file as a whole. */
function wholeFile(file: string): Diagnostic['span'] {
  return { file, start: 0, end: 0 };
}
