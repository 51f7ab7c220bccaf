import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { Document, ImportDeclaration, Located } from '../../syntax/ast.js';
import { normalizePath, resolveImportPath } from '../import-path.js';
import { remember } from '../maps.js';
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
  const { documents } = draft.ast;
  const byName = new Map<string, Document>();
  for (const document of documents) remember(byName, normalizePath(document.file.name), () => document);
  const targetOf = ({ file }: Document, { specifier }: ImportDeclaration): Document | undefined =>
    byName.get(resolveImportPath(file.name, specifier));
  const knownNames = new Map<Document, ReadonlySet<string>>();
  /** The nodes that a file mentions, and those that it imports. */
  const knownIn = (document: Document): ReadonlySet<string> => {
    const known = knownNames.get(document);
    if (known !== undefined) return known;
    const names = new Set<string>();
    // Noted before it is complete, so that files in a circle find an end here.
    knownNames.set(document, names);
    for (const statement of document.statements) {
      if (statement.kind === 'Pipeline') {
        for (const { id } of statement.head.nodes) names.add(id);
        for (const { target } of statement.hops) for (const { id } of target.nodes) names.add(id);
      } else if (statement.kind === 'CallChain') {
        for (const { name } of statement.steps) names.add(name);
      } else if (statement.kind === 'Import') {
        const target = targetOf(document, statement);
        const imported = statement.names?.map(({ name }) => name) ?? (target ? knownIn(target) : []);
        for (const name of imported) names.add(name);
      }
    }
    return names;
  };
  const nearest = (document: Document, name: string) => createSuggester(knownIn(document)).nearest(name);
  const checkImport = (document: Document, statement: ImportDeclaration): void => {
    const { specifier, specifierStart: start, specifierEnd: end, names = [] } = statement;
    const target = targetOf(document, statement);
    if (target === undefined) {
      const span = spanOf(document, { start, end });
      const problem = draft.unreadable.get(resolveImportPath(document.file.name, specifier));
      const missing = diagnose('GG2001', { specifier }, span);
      draft.diagnostics.push(problem === undefined ? missing : { ...problem, span });
      return;
    }
    const file = target.file.name;
    for (const { name, ...place } of names) {
      const span = spanOf(document, place);
      if (!knownIn(target).has(name)) draft.report('GG2003', { name, file, suggestion: nearest(target, name) }, span);
      else if (exportsOf(target)?.has(name) === false) draft.report('GG2004', { name, file }, span);
    }
  };
  for (const document of documents) {
    for (const statement of document.statements) {
      if (statement.kind === 'Import') checkImport(document, statement);
      if (statement.kind !== 'Export') continue;
      for (const { name, ...place } of statement.names) {
        if (knownIn(document).has(name)) continue;
        draft.report('GG2005', { name, suggestion: nearest(document, name) }, spanOf(document, place));
      }
    }
  }
  reportCycles(draft, targetOf);
}

function spanOf({ file }: Document, { start, end }: Located): Span {
  return { file: file.name, start, end };
}

/** The names in the export lists; undefined without a list: then the file exports every name. */
function exportsOf({ statements }: Document): ReadonlySet<string> | undefined {
  const lists = statements.filter((statement) => statement.kind === 'Export');
  const names = lists.flatMap((list) => list.names.map(({ name }) => name));
  return lists.length === 0 ? undefined : new Set(names);
}

/** Walks the imports depth first and reports each one that closes a cycle. */
function reportCycles(
  draft: GraphDraft,
  targetOf: (document: Document, statement: ImportDeclaration) => Document | undefined,
): void {
  const finished = new Set<Document>();
  const path: Document[] = [];
  const visit = (document: Document): void => {
    if (finished.has(document)) return;
    path.push(document);
    for (const statement of document.statements) {
      const target = statement.kind === 'Import' ? targetOf(document, statement) : undefined;
      if (target === undefined) continue;
      const from = path.indexOf(target);
      if (from === -1) {
        visit(target);
        continue;
      }
      const cycle = [...path.slice(from), target].map(({ file }) => file.name).join(' → ');
      draft.report('GG2002', { cycle }, spanOf(document, statement));
    }
    path.pop();
    finished.add(document);
  };
  for (const document of draft.ast.documents) visit(document);
}
