import type { TextDocument } from 'vscode-languageserver-textdocument';
import { resolveImportPath } from '../../graph/import-path.js';
import { SegmentedText } from '../document/segmented-text.js';

/** One file of the workspace, as an editor has it open or as it lies on the disk. */
export class TopologyFile {
  readonly path: string;
  /** The text, and where its lines begin. */
  readonly document: TextDocument;
  /** Another number after every change of the text, and never the same for two texts of one path. */
  stamp: number;
  #segments: SegmentedText | undefined;

  constructor(path: string, document: TextDocument) {
    this.path = path;
    this.document = document;
    this.stamp = nextStamp();
  }

  /** What the client calls the file. */
  get uri(): string {
    return this.document.uri;
  }

  /** The parsed text, computed on first use. */
  get segments(): SegmentedText {
    this.#segments ??= new SegmentedText(this.path, this.document.getText());
    return this.#segments;
  }

  /** The text as the compiler takes it: a byte order mark is a blank, so that offsets stay the same. */
  get source(): string {
    const text = this.document.getText();
    return text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text;
  }

  imports(): string[] {
    const paths: string[] = [];
    for (const { segment } of this.segments.segments) {
      for (const statement of segment.statements) {
        if (statement.kind === 'Import') paths.push(resolveImportPath(this.path, statement.specifier));
      }
    }
    return paths;
  }
}

let lastStamp = 0;

/** A number that was never given before. */
export function nextStamp(): number {
  lastStamp += 1;
  return lastStamp;
}
