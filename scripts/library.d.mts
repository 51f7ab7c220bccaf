/**
 * Writes the library into a folder.
 *
 * @param more - Other sources that get a file of their own, under their path in `src`.
 */
export function buildLibrary(outdir: string, more?: readonly string[]): Promise<void>;
