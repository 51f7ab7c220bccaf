import type { Drawing } from '../diagram/drawing.js';

/** One page of a site, as data: every form of it has the same content. */
export interface Page {
  /** Its path below the site, without an extension: `queries/readUser`. Unique, also where case is ignored. */
  readonly path: string;
  readonly title: string;
  /** The kind of its subject, above the title: `query`, `object type`. Absent for an index. */
  readonly kind?: string;
  readonly summary: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph'; readonly content: Inlines }
  | { readonly kind: 'notice'; readonly content: Inlines }
  | CodeBlock
  /** Code of one request in several languages. The script of the site shows one at a time. */
  | { readonly kind: 'tabs'; readonly codes: readonly CodeBlock[] }
  | { readonly kind: 'list'; readonly items: readonly Inlines[] }
  | {
      readonly kind: 'table';
      /** Unique on the page. */
      readonly label: string;
      readonly head: readonly string[];
      readonly rows: readonly TableRow[];
    }
  | { readonly kind: 'picture'; readonly drawing: Drawing; readonly label: string; readonly links: PictureLinks };

export interface CodeBlock {
  readonly kind: 'code';
  /** `json`, `graphql`, `sh`, `ts`, `python`, `gg`, or what a description says. */
  readonly language: string;
  readonly text: string;
  readonly label: string;
}

export interface TableRow {
  /** The fragment that links to it; absent without such links. */
  readonly id?: string;
  readonly cells: readonly Inlines[];
}

export type Inlines = readonly Inline[];

/** A piece of text; a plain one is a string. */
export type Inline =
  | string
  | { readonly kind: 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: Target; readonly isCode?: boolean };

/** The target of a link: a page, another file of the site, or an address elsewhere. */
export type Target =
  | { readonly page: string; readonly id?: string }
  | { readonly file: string }
  | { readonly url: string };

/** The pages behind the parts of a picture. */
export interface PictureLinks {
  /** By the id of a node. */
  readonly nodes: ReadonlyMap<string, string>;
  /** By the schema coordinate of an operation, or the name of a union. */
  readonly lines: ReadonlyMap<string, string>;
}

export function code(text: string): Inline {
  return { kind: 'code', text };
}

/** A link to a page; without one, its text as code. */
export function pageLink(text: string, page: string | undefined, isCode = true): Inline {
  return page === undefined ? code(text) : { kind: 'link', text, to: { page }, isCode };
}

/** Pieces of text without their marks. */
export function plainText(pieces: Inlines): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

/** A section: its heading and its blocks; nothing if there are no blocks. */
export function section(text: string, blocks: readonly Block[]): readonly Block[] {
  if (blocks.length === 0) return [];
  return [{ kind: 'heading', text, id: text.toLowerCase().replace(/[^a-z0-9]+/g, '-') }, ...blocks];
}

/** Pieces of text with commas between them. */
export function joined(pieces: readonly Inline[]): Inlines {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [', ', piece]));
}

export function paragraph(...content: Inlines): Block {
  return { kind: 'paragraph', content };
}

/** A block with a list; no block for an empty list. */
export function list(items: readonly Inlines[]): readonly Block[] {
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

/** A list of facts by their labels, without those that have no content; no block without any. */
export function facts(given: Readonly<Record<string, Inlines>>): readonly Block[] {
  const found = Object.entries(given).filter(([, content]) => content.length > 0);
  return list(found.map(([label, content]) => [`${label}: `, ...content]));
}

export function codeBlock(language: string, text: string, label: string): CodeBlock {
  return { kind: 'code', language, text, label };
}

export function jsonBlock(value: unknown, label: string): CodeBlock {
  return codeBlock('json', JSON.stringify(value, null, 2), label);
}
