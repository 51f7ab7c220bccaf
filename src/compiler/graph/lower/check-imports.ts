import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { Document, ImportDeclaration, Located, Name } from '../../syntax/ast.js';
import { normalizePath, resolveImportPath } from '../import-path.js';
import { createSuggester } from '../suggest.js';
import type { GraphDraft } from './graph-draft.js';

/**
 * Checks imports and exports: that an imported file is there (GG2001) and readable, that none imports itself by way of
 * others (GG2002), that it has (GG2003) and exports (GG2004) what is taken by name, and that an export list names what
 * its file knows (GG2005).
 *
 * Imports and exports bring nothing into the topology by themselves: all files are merged whole.
 */
export function checkImports(draft: GraphDraft): void {
  const files = new Files(draft);
  for (const document of draft.ast.documents) {
    for (const statement of document.statements) {
      if (statement.kind === 'Import') checkImport(files, document, statement);
      else if (statement.kind === 'Export') checkExport(files, document, statement.names);
    }
  }
  reportCycles(files);
}

function checkImport(files: Files, document: Document, statement: ImportDeclaration): void {
  const target = files.targetOf(document, statement);
  if (target === undefined) {
    const span = { file: document.file.name, start: statement.specifierStart, end: statement.specifierEnd };
    const problem = files.draft.unreadable.get(resolveImportPath(document.file.name, statement.specifier));
    const missing = diagnose('GG2001', { specifier: statement.specifier }, span);
    files.draft.diagnostics.push(problem === undefined ? missing : { ...problem, span });
    return;
  }
  for (const name of statement.names ?? []) {
    const file = target.file.name;
    const span = spanOf(document, name);
    if (!files.knownIn(target).has(name.name)) {
      const suggestion = createSuggester(files.knownIn(target)).nearest(name.name);
      files.draft.report('GG2003', { name: name.name, file, suggestion }, span);
    } else if (exportsOf(target)?.has(name.name) === false) {
      files.draft.report('GG2004', { name: name.name, file }, span);
    }
  }
}

function checkExport(files: Files, document: Document, names: readonly Name[]): void {
  for (const name of names) {
    const known = files.knownIn(document);
    if (known.has(name.name)) continue;
    const suggestion = createSuggester(known).nearest(name.name);
    const span = spanOf(document, name);
    files.draft.report('GG2005', { name: name.name, suggestion }, span);
  }
}

function spanOf({ file }: Document, { start, end }: Located): Span {
  return { file: file.name, start, end };
}

/** The names in the export lists; undefined when there is no list, so that all are exported. */
function exportsOf({ statements }: Document): ReadonlySet<string> | undefined {
  const lists = statements.filter((statement) => statement.kind === 'Export');
  return lists.length === 0
    ? undefined
    : new Set(lists.flatMap(({ names }) => names.map(({ name }) => name)));
}

/** Walks the imports depth first and reports each one that closes a cycle. */
function reportCycles(files: Files): void {
  const finished = new Set<Document>();
  const path: Document[] = [];
  const visit = (document: Document): void => {
    if (finished.has(document)) return;
    path.push(document);
    for (const statement of document.statements) {
      if (statement.kind !== 'Import') continue;
      const target = files.targetOf(document, statement);
      if (target === undefined) continue;
      const from = path.indexOf(target);
      if (from === -1) {
        visit(target);
        continue;
      }
      const cycle = [...path.slice(from), target].map(({ file }) => file.name).join(' → ');
      files.draft.report('GG2002', { cycle }, spanOf(document, statement));
    }
    path.pop();
    finished.add(document);
  };
  for (const document of files.draft.ast.documents) visit(document);
}

class Files {
  readonly #byName = new Map<string, Document>();
  readonly #known = new Map<Document, ReadonlySet<string>>();

  constructor(readonly draft: GraphDraft) {
    for (const document of draft.ast.documents) {
      const name = normalizePath(document.file.name);
      if (!this.#byName.has(name)) this.#byName.set(name, document);
    }
  }

  targetOf(document: Document, statement: ImportDeclaration): Document | undefined {
    return this.#byName.get(resolveImportPath(document.file.name, statement.specifier));
  }

  /** The nodes that a file mentions, and those that it imports. */
  knownIn(document: Document): ReadonlySet<string> {
    const known = this.#known.get(document);
    if (known !== undefined) return known;
    const names = new Set<string>();
    // Noted before it is complete, so that files in a circle find an end here.
    this.#known.set(document, names);
    for (const statement of document.statements) {
      if (statement.kind === 'Pipeline') {
        for (const { id } of statement.head.nodes) names.add(id);
        for (const { target } of statement.hops) for (const { id } of target.nodes) names.add(id);
      } else if (statement.kind === 'CallChain') {
        for (const { name } of statement.steps) names.add(name);
      } else if (statement.kind === 'Import') {
        const target = this.targetOf(document, statement);
        const imported = statement.names?.map(({ name }) => name) ?? (target ? this.knownIn(target) : []);
        for (const name of imported) names.add(name);
      }
    }
    return names;
  }
}
