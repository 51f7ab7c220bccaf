import type { Metafile } from 'esbuild';

/** What an import of an entry loads, by the metafile of a library: the bytes, and the sources that they come from. */
export function loadedBy(
  metafile: Metafile,
  entry: string,
): { readonly bytes: number; readonly sources: readonly string[] };

/** The syntax of the oldest Node.js that the package promises, for esbuild. */
export const target: string;

/**
 * Writes the library into a folder, and returns the metafile of esbuild.
 *
 * @param more - Other sources that get a file of their own, under their path in `src`.
 */
export function buildLibrary(outdir: string, more?: readonly string[]): Promise<Metafile>;
