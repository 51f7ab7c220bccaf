import type { TextDocument } from 'vscode-languageserver-textdocument';
import { resolveImportPath } from '../../../compiler/graph/import-path.js';
import { SegmentedText } from '../document/segmented-text.js';

/** One file of the workspace, open in the editor or on disk. */
export class TopologyFile {
  /** A version number that changes with the text and is unique for each text of a path. */
  stamp = nextStamp();
  #segments: SegmentedText | undefined;

  constructor(
    readonly path: string,
    readonly document: TextDocument,
  ) {}

  get uri(): string {
    return this.document.uri;
  }

  /** The parsed text, computed on first use. */
  get segments(): SegmentedText {
    this.#segments ??= new SegmentedText(this.path, this.document.getText());
    return this.#segments;
  }

  /** The text for the compiler: a byte order mark becomes a blank, so that offsets stay the same. */
  get source(): string {
    const text = this.document.getText();
    return text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text;
  }

  imports(): string[] {
    const statements = this.segments.segments.flatMap(({ segment }) => segment.statements);
    return statements.flatMap((statement) =>
      statement.kind === 'Import' ? [resolveImportPath(this.path, statement.specifier)] : [],
    );
  }
}

let lastStamp = 0;

export function nextStamp(): number {
  lastStamp += 1;
  return lastStamp;
}
