import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Location, Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isUri } from '../../../base/source/parse-url.js';
import { normalizePath } from '../../../compiler/graph/import-path.js';
import type { Located } from '../../../compiler/syntax/ast.js';

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

export function uriOf(path: string): string {
  return isUri(path) ? path : pathToFileURL(path).href;
}

export function rangeOf(document: TextDocument, start: number, end: number): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

interface PlacedPart extends Located {
  readonly file: { readonly document: TextDocument };
}

export function locationOf({ file: { document }, start, end }: PlacedPart): Location {
  return { uri: document.uri, range: rangeOf(document, start, end) };
}
