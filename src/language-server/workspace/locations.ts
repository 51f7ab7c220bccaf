import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { normalizePath } from '../../graph/import-path.js';

/** The path of a file, so that imports can be resolved; a document without one keeps its URI. */
export function pathOf(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return normalizePath(fileURLToPath(uri));
  } catch {
    // A URI with another host, or with an escaped slash, is not a file on this machine.
    return uri;
  }
}

/** The URI of a path. */
export function uriOf(path: string): string {
  return isUri(path) ? path : pathToFileURL(path).href;
}

/** Whether a name is a URI: its file is not read from the disk. */
export function isUri(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(path);
}

/** The range between two offsets. */
export function rangeOf(document: TextDocument, start: number, end: number): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
