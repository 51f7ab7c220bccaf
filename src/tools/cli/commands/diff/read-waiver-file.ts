import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Waiver } from '../../../../analysis/diff/model/diff-report.js';
import { readWaivers } from '../../../../analysis/diff/waivers/read-waivers.js';
import type { Diagnostic } from '../../../../base/diagnostics/diagnostic.js';
import { createSourceFile, type SourceFile } from '../../../../base/source/source-file.js';
import { readTopologyFile } from '../../../../runtime/load/read-topology.js';

const defaultWaiverFile = 'gg-diff.waivers.json';

export interface WaiverFile {
  readonly waivers: readonly Waiver[];
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
}

/** Reads the waiver file: a named one must exist, the default one may. */
export function readWaiverFile(named: string | undefined, directory: string): WaiverFile {
  const path = named ?? defaultWaiverFile;
  if (named === undefined && !existsSync(resolve(directory, path))) {
    return { waivers: [], diagnostics: [], sources: [] };
  }
  const reading = readTopologyFile(resolve(directory, path), path);
  if (!reading.ok) return { waivers: [], diagnostics: [reading.problem], sources: [] };
  const file = createSourceFile(path, reading.text);
  const { value: waivers, diagnostics } = readWaivers(file);
  return { waivers, diagnostics, sources: [file] };
}
