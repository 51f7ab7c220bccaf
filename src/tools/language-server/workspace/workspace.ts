import type { TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { isUri } from '../../../base/source/parse-url.js';
import { wholeFile } from '../../../base/source/span.js';
import { type Analysis, analyze } from '../../../compiler/analyze.js';
import { type ImportGraph, importRoots } from '../../../compiler/graph/import-path.js';
import { LruMap } from '../../../runtime/limits/lru-map.js';
import type { ImportOptions } from '../../../runtime/load/import-reach.js';
import type { Replacement } from '../document/segmented-text.js';
import { Findings } from './findings.js';
import { type FilePattern, groupFiles } from './groups.js';
import { pathOf } from './locations.js';
import type { FolderEntry, StoredFiles } from './stored-files.js';
import { nextStamp, TopologyFile } from './topology-file.js';

type AnalyzedTopology = ReturnType<typeof analyzeTopology>;

/** Files and topologies; open files take precedence over the stored ones. A topology is a root with its imports. */
export class Workspace {
  readonly #open = new Map<string, TopologyFile>();
  readonly #analyses = new LruMap<string, AnalyzedTopology>(keptAnalyses);
  readonly findings = new Findings();
  /** Whether the client accepts edits with the version of their document. */
  takesVersions = false;
  runsRequests = false;
  /** Whether the client has the command of the lenses for streams. */
  followsStreams = false;
  /** The files and URLs that topologies may import beyond their project. */
  imports: ImportOptions = {};
  #folders: readonly string[] = [];
  #patterns: readonly FilePattern[] = [];
  #groups: readonly (readonly string[])[] | undefined;
  #paths: readonly string[] | undefined;
  #imports: { readonly graph: ImportGraph; readonly madeAt: number } | undefined;

  /** @param pages - The address of the page of each code; `{code}` stands for the code. */
  constructor(
    readonly pages: string,
    private readonly stored: StoredFiles,
  ) {}

  set folders(uris: readonly string[]) {
    this.#folders = uris.map(pathOf).filter((path) => !isUri(path));
    this.forgetPaths();
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  /** Patterns of paths below the folders: the files that match one pattern are one topology, without imports. */
  set patterns(patterns: readonly FilePattern[]) {
    this.#patterns = patterns;
    this.forgetPaths();
  }

  get openFiles(): readonly TopologyFile[] {
    return [...this.#open.values()];
  }

  open(uri: string, version: number, text: string): TopologyFile {
    const path = pathOf(uri);
    const file = new TopologyFile(path, TextDocument.create(uri, 'gg', version, text));
    this.#open.set(path, file);
    this.forgetPaths();
    return file;
  }

  /** Applies the changes of the editor to an open file. Returns the edits, one after the other. */
  change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]) {
    const file = this.#open.get(pathOf(uri));
    if (file === undefined) return undefined;
    const { document, segments } = file;
    const imports = file.imports().join('\n');
    const edits: Replacement[] = [];
    for (const change of changes) {
      const edit = replacementOf(document, change);
      TextDocument.update(document, [change], version);
      segments.edit(edit);
      edits.push(edit);
    }
    file.stamp = nextStamp();
    if (file.imports().join('\n') !== imports) this.#imports = undefined;
    return { file, edits };
  }

  close(uri: string): void {
    this.#open.delete(pathOf(uri));
    this.forgetPaths();
  }

  /** Forgets the list of files: the next request searches the folders again. */
  forgetPaths(): void {
    this.#paths = undefined;
    this.#groups = undefined;
    this.#imports = undefined;
  }

  fileAt(uri: string): TopologyFile | undefined {
    return this.file(pathOf(uri));
  }

  /** A file by its path, open or stored; undefined if it cannot be read. */
  file(path: string): TopologyFile | undefined {
    return this.#open.get(path) ?? this.stored.file(path);
  }

  /** The paths of all topology files: those below the folders, and those that are open. */
  paths(): readonly string[] {
    const stored = () => this.#folders.flatMap((folder) => this.stored.below(folder));
    this.#paths ??= [...new Set([...stored(), ...this.#open.keys()])];
    return this.#paths;
  }

  /** The files and folders in a folder, with the open files in it that are not stored. */
  entriesOf(folder: string): readonly FolderEntry[] {
    const stored = this.stored.entries(folder);
    const prefix = folder.endsWith('/') ? folder : `${folder}/`;
    const names = new Set(stored.map(({ name }) => name));
    const open = [...this.#open.keys()].filter((path) => path.startsWith(prefix));
    const added = open.map((path) => ({ name: path.slice(prefix.length), isFolder: false }));
    return [...stored, ...added.filter(({ name }) => !name.includes('/') && !names.has(name))];
  }

  /** The files that belong to a root without being imported: the others that match its pattern. */
  companionsOf(root: string): readonly string[] {
    this.#groups ??= groupFiles(this.paths(), this.#folders, this.#patterns);
    return this.#groups.flatMap(([first, ...others]) => (first === root ? others : []));
  }

  /** The roots of the topologies that contain a file, open ones first. */
  rootsOf(path: string): readonly string[] {
    const roots = importRoots(this.#graphWith(path), path);
    const isOpen = (root: string) => Number(this.#open.has(root));
    return roots.sort((one, other) => isOpen(other) - isOpen(one));
  }

  /** The import graph. It is cached, because reading every file takes too long for each keystroke. */
  #graphWith(path: string): ImportGraph {
    const known = this.#imports;
    if (known?.graph.has(path) && performance.now() - known.madeAt < graphLifetime) return known.graph;
    const graph = new Map<string, readonly string[]>();
    // A file outside the folders may import others: paths that are added during the iteration are visited, too.
    const reached = new Set([...this.paths(), path]);
    for (const next of reached) {
      const imports = this.#open.get(next)?.imports() ?? this.stored.imports(next);
      const imported = [...imports, ...this.companionsOf(next)];
      graph.set(next, imported);
      for (const one of imported) reached.add(one);
    }
    this.#imports = { graph, madeAt: performance.now() };
    return graph;
  }

  /** The analysis of the topology of a root. It is cached until one of its files changes. */
  analyze(root: string): AnalyzedTopology {
    const known = this.#analyses.get(root);
    if (known !== undefined && isCurrent(known, this)) return known;
    const analyzed = analyzeTopology(root, this);
    this.#analyses.set(root, analyzed);
    return analyzed;
  }

  /** The analysis of the first topology that contains a file. */
  analysisOf(file: TopologyFile): Analysis {
    const [root = file.path] = this.rootsOf(file.path);
    return this.analyze(root).analysis;
  }

  /** The files of all topologies that contain a file, including itself, without analysis. */
  filesAround(file: TopologyFile): readonly TopologyFile[] {
    const files = new Map<string, TopologyFile>([[file.path, file]]);
    const reached = new Set(this.rootsOf(file.path));
    for (const path of reached) {
      const found = this.file(path);
      if (found === undefined) continue;
      files.set(path, found);
      for (const one of [...found.imports(), ...this.companionsOf(path)]) reached.add(one);
    }
    return [...files.values()];
  }

  /** Why a file of the topology of a root may not import another one; undefined if it may, as it may open files. */
  refusal(path: string, importer: string, root: string): ReturnType<StoredFiles['refusal']> {
    if (this.#open.has(path)) return undefined;
    const around = this.#folders.filter((folder) => root.startsWith(`${folder}/`));
    const files = [...around, ...(this.imports.files ?? [])];
    return this.stored.refusal(path, importer, root, { ...this.imports, files });
  }

  problem(path: string): ReturnType<StoredFiles['problem']> {
    return this.#open.has(path) ? undefined : this.stored.problem(path);
  }
}

const keptAnalyses = 16;

/** How long the import graph is cached, in milliseconds. */
const graphLifetime = 10_000;

/** A change of the protocol as offsets; without a range it replaces the whole text. */
function replacementOf(document: TextDocument, change: TextDocumentContentChangeEvent): Replacement {
  if (!('range' in change)) return { start: 0, end: document.getText().length, text: change.text };
  const one = document.offsetAt(change.range.start);
  const other = document.offsetAt(change.range.end);
  return { start: Math.min(one, other), end: Math.max(one, other), text: change.text };
}

/** Analyses the topology of a root, as `gg-svc check` does, with other texts of files by their paths. */
export function analyzeTopology(root: string, files: Workspace, texts?: ReadonlyMap<string, string>) {
  /** The stamps of the files that were read; undefined for a missing file. */
  const stamps = new Map<string, number | undefined>();
  const read = (path: string): string | undefined => {
    const file = files.file(path);
    stamps.set(path, file?.stamp);
    return texts?.get(path) ?? file?.source;
  };
  // The root, and the files that belong to it without being imported.
  const inputs = [root, ...files.companionsOf(root)];
  const sources = inputs.map((name) => ({ name, source: read(name) ?? '' }));
  const analysis = analyze(sources, {
    readImport: (path, importer) =>
      files.refusal(path, importer, root) ?? read(path) ?? (isUri(path) ? notFetched : files.problem(path)),
  });
  // The server fetches no URL, so a topology that imports one is only checked for syntax.
  const isPartial = analysis.diagnostics.some(isNotFetched);
  const isCertain = (found: Diagnostic) => found.code.startsWith('GG1') || isNotFetched(found);
  return {
    analysis: isPartial ? { ...analysis, diagnostics: analysis.diagnostics.filter(isCertain) } : analysis,
    paths: analysis.sources.map(({ name }) => name),
    inputs,
    stamps,
  };
}

function isCurrent({ inputs: [root = '', ...others], stamps }: AnalyzedTopology, files: Workspace): boolean {
  if (files.companionsOf(root).join('\n') !== others.join('\n')) return false;
  return [...stamps].every(([path, stamp]) => files.file(path)?.stamp === stamp);
}

const notFetched: Diagnostic = {
  ...diagnose('GG2001', { specifier: '' }, wholeFile('')),
  severity: 'information',
  message: 'The language server does not fetch URLs, so it does not check this topology.',
  hint: 'Run gg-svc check: it fetches the file and checks everything.',
};

/** Whether a finding says that a part of the topology is behind a URL. */
export function isNotFetched({ message }: Diagnostic): boolean {
  return message === notFetched.message;
}
