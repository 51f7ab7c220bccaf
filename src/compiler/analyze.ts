import { type Diagnostic, hasErrors, type Outcome } from '../base/diagnostics/diagnostic.js';
import { createSourceFile, type SourceFile } from '../base/source/source-file.js';
import { withSvcSpan } from '../base/tracing/svc-tracing.js';
import { checkChains } from './api/chains/check-chains.js';
import { checkDefaultFields } from './api/check-default-fields.js';
import { findLeaks } from './api/leaks/find-leaks.js';
import { withOldNames } from './api/old-names.js';
import { checkPartitions } from './api/partition-field.js';
import type { GraphIR } from './graph/graph-ir.js';
import { applyIgnores } from './graph/ignore-comments.js';
import { importsOf, normalizePath } from './graph/import-path.js';
import { lowerGraph } from './graph/lower/lower.js';
import { analyzeFlow } from './schema/flow-rules/analyze-flow.js';
import type { GqlApiInfo, GqlSchema, GqlSecurityScheme } from './schema/gql-schema.js';
import { mergeSchemas, type SchemaFragment } from './schema/merge-schemas.js';
import { buildSchema } from './schema/projection/build-schema.js';
import { atEveryEdge } from './schema/projection/check-words.js';
import type { Document, GraphAST } from './syntax/ast.js';
import { parse, requireNodes } from './syntax/parse.js';

/** The text of a topology and its name in diagnostics: a path, a URL, or any other name. */
export interface SourceInput {
  readonly name: string;
  readonly source: string;
}

/** The options of reading a topology. */
export interface AnalyzeOptions {
  /** The name, in diagnostics, of a source that is given as a string. Default `topology.gg`. */
  readonly name?: string;
  /**
   * Reads a file that an `import` names and that is not among the sources. It gets the path as resolved from the
   * importing file, and the name of that file. It returns the text, undefined if the file does not exist, or the finding why the file cannot
   * be read, which is then reported at the import. Without it, imports are only looked for among the sources.
   */
  readonly readImport?: (path: string, importer: string) => string | Diagnostic | undefined;
  /**
   * Whether everything without effect is an error: edges that are not part of the API, and unknown or misplaced words
   * on edges and nodes; and, in a topology with `auth`, each edge without it. By default they are information and
   * warnings. A `gg-ignore` comment still holds.
   */
  readonly strict?: boolean;
  /** The metadata of the whole API, which becomes a part of the schema and its artifacts. */
  readonly info?: GqlApiInfo;
  /**
   * How callers authenticate, for the artifacts of a topology with `auth` or `scopes`; any one of the list is enough.
   * Default: a JSON Web Token as bearer.
   */
  readonly security?: readonly GqlSecurityScheme[];
}

/** The result of the analysis, before any document is emitted. */
export interface Analysis {
  readonly ast: GraphAST;
  /**
   * The topology with every name resolved, which the schema is projected from; it lacks the parts with errors. Made for
   * the tools of this package: its shape may change in any version.
   */
  readonly ir: GraphIR;
  /** The projection; it lacks the parts with errors. */
  readonly schema: GqlSchema;
  /** All findings, file by file, in the order of their places. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was read, imported files included. Spans of diagnostics refer to them. */
  readonly sources: readonly SourceFile[];
}

/**
 * Parses a topology and projects it, without emitting artifacts. It never throws on mistakes in the source. While the
 * text has syntax errors, only those are reported: findings of later phases would be guesses. The same holds for an
 * imported file that is missing.
 */
export function analyze(source: string | SourceInput | readonly SourceInput[], options: AnalyzeOptions = {}): Analysis {
  const inputs = typeof source === 'string' ? [{ name: options.name ?? 'topology.gg', source }] : [source].flat();
  return withSvcSpan('gg.analyze', () => analyzeDocuments(readDocuments(inputs, options), options));
}

export function analyzeDocuments(
  { documents, unreadable, diagnostics: syntax }: ReadDocuments,
  options: AnalyzeOptions,
): Analysis {
  const ast: GraphAST = { kind: 'GraphAST', documents };
  const graph = lowerGraph(ast, unreadable);
  const built = buildSchema(graph.value, options.strict);
  const schema = withOldNames(built.value);
  const absent = graph.diagnostics.filter(isAboutFile);
  // Without one of its files a topology lacks nodes everywhere, so every other finding would be a guess.
  const later =
    absent.length > 0 ? absent : withoutRepeats(graph.diagnostics, [...built.diagnostics, ...schema.diagnostics]);
  const projected = hasErrors(syntax) ? syntax : [...syntax, ...later];
  // Findings about the flow of a topology with errors would be guesses, too.
  const flow = hasErrors(projected)
    ? []
    : withSvcSpan('gg.flow', () => [
        ...analyzeFlow({ ir: graph.value, schema: built.value }),
        ...findLeaks(built.value),
        ...checkDefaultFields(built.value),
        ...checkChains(built.value),
        ...checkPartitions(built.value),
      ]);
  const left = applyIgnores(documents, [...projected, ...flow]);
  const findings = options.strict === true ? left.flatMap((finding) => judgeStrictly(finding, graph.value)) : left;
  const sources = documents.map((document) => document.file);
  return {
    ast,
    ir: graph.value,
    schema: withInfo(schema.value, options),
    diagnostics: inSourceOrder(findings, sources),
    sources,
  };
}

/** Adds what the project says of the whole API. */
function withInfo(schema: GqlSchema, { info, security = [] }: AnalyzeOptions): GqlSchema {
  const isSecured = schema.security !== undefined && security.length > 0;
  if (info === undefined && !isSecured) return schema;
  return { ...schema, ...(info && { info }), ...(isSecured && { security }) };
}

/** Whether an imported file is missing or cannot be read. */
function isAboutFile({ code }: Diagnostic): boolean {
  return code === 'GG2001' || code.startsWith('GG4');
}

/**
 * The findings of two phases, without those that repeat one of the other phase: a word that is the wrong value of a
 * setting (GG2018) is no unknown type, too (GG2007); a misspelt `implements` (GG2041) leaves an interface without
 * implementations (GG2034).
 */
function withoutRepeats(graph: readonly Diagnostic[], schema: readonly Diagnostic[]): readonly Diagnostic[] {
  const wrong = schema.filter(({ code }) => code === 'GG2018').map(({ span }) => span);
  const isWrongValue = ({ code, span: { file, start, end } }: Diagnostic) =>
    code === 'GG2007' && wrong.some((span) => span.file === file && span.start <= start && end <= span.end);
  const lacksImplements = graph.some(({ fix }) => fix?.edits[0]?.text === 'implements');
  return [
    ...(wrong.length === 0 ? graph : graph.filter((finding) => !isWrongValue(finding))),
    ...(lacksImplements ? schema.filter(({ code }) => code !== 'GG2034') : schema),
  ];
}

/** The findings about something without effect, and about operations that are open to everybody by default. */
const strictlyErrors: ReadonlySet<string> = new Set(
  'GG2010 GG2017 GG2040 GG2041 GG2042 GG3012 GG3029 GG3091 GG3073 GG3074 GG3075'.split(' '),
);

/** Makes such a finding an error. One about a type of edges is repeated for every edge. */
function judgeStrictly(finding: Diagnostic, ir: GraphIR): readonly Diagnostic[] {
  if (!strictlyErrors.has(finding.code)) return [finding];
  const error: Diagnostic = { ...finding, severity: 'error' };
  return finding.code === 'GG2010' ? atEveryEdge(ir, error) : [error];
}

export interface ReadDocuments {
  readonly documents: readonly Document[];
  /** The findings why imported files cannot be read, by path. */
  readonly unreadable: ReadonlyMap<string, Diagnostic>;
  /** The syntax errors. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the sources and the readable files that they import, each file once.
 *
 * @param parseFile - Parses a file, or knows it parsed.
 */
export function readDocuments(
  sources: readonly SourceInput[],
  { readImport }: Pick<AnalyzeOptions, 'readImport'>,
  parseFile: (source: SourceInput) => Outcome<Document> = parseInput,
): ReadDocuments {
  const documents: Document[] = [];
  const diagnostics: Diagnostic[] = [];
  const unreadable = new Map<string, Diagnostic>();
  const known = new Set<string>();
  const queue: SourceInput[] = [];
  const enqueue = (source: SourceInput) => {
    const path = normalizePath(source.name);
    if (!known.has(path)) queue.push(source);
    known.add(path);
  };
  for (const source of sources) enqueue(source);
  for (const source of queue) {
    const { value, diagnostics: found } = parseFile(source);
    documents.push(value);
    for (const diagnostic of found) diagnostics.push(diagnostic);
    if (readImport === undefined) continue;
    for (const path of importsOf(value)) {
      if (known.has(path)) continue;
      const read = readImport(path, value.file.name);
      if (typeof read === 'string') enqueue({ name: path, source: read });
      else if (read !== undefined) unreadable.set(path, read);
    }
  }
  return { documents, unreadable, diagnostics: diagnostics.concat(requireNodes(documents, diagnostics)) };
}

function parseInput({ name, source }: SourceInput): Outcome<Document> {
  return parse(createSourceFile(name, source));
}

/** The paths that a text imports; one without the word `import` is not parsed. */
export function importsIn(input: SourceInput, parseFile = parseInput): readonly string[] {
  return input.source.includes('import') ? importsOf(parseFile(input).value) : [];
}

function inSourceOrder(diagnostics: readonly Diagnostic[], sources: readonly SourceFile[]): readonly Diagnostic[] {
  const order = new Map(sources.map((source, index) => [source.name, index]));
  const rank = ({ span }: Diagnostic) => order.get(span.file) ?? -1;
  return diagnostics.toSorted((a, b) => rank(a) - rank(b) || a.span.start - b.span.start);
}

/**
 * Adds layers to an analysed topology, one after the other, as a server does. A name that both the topology and a layer
 * use is an error (GG3018). A topology with errors stays as it is.
 */
export function joinLayers(analysis: Analysis, layers: readonly SchemaFragment[]): Analysis {
  if (hasErrors(analysis.diagnostics)) return analysis;
  let { schema } = analysis;
  const diagnostics = [...analysis.diagnostics];
  for (const layer of layers) {
    const merged = mergeSchemas(schema, layer);
    schema = merged.value;
    diagnostics.push(...merged.diagnostics);
  }
  return { ...analysis, schema, diagnostics };
}

/**
 * Projects a tree to its schema: the topology alone, without the layers that a server adds. Invalid parts of the
 * topology are omitted from the schema; `compile` reports them.
 *
 * @example
 * ```ts
 * import { compile, generateSchema } from 'gg-svc';
 *
 * const { ast } = compile("(root)-[:PROCESS]->(hello { text: 'Hello' })");
 * const schema = generateSchema(ast);
 * console.log(schema.queries.map((query) => query.name)); // [ 'hello' ]
 * ```
 */
export function generateSchema(ast: GraphAST): GqlSchema {
  return withOldNames(buildSchema(lowerGraph(ast).value).value).value;
}
