import { parse } from 'graphql';
import { createDiagram } from '../../src/analysis/diagram/diagram.js';
import { diagramToDot } from '../../src/analysis/diagram/dot.js';
import { diagramToMermaid } from '../../src/analysis/diagram/mermaid.js';
import { diffSchemas } from '../../src/analysis/diff/diff-schemas.js';
import { importDescription } from '../../src/analysis/import/import-description.js';
import { printApiMap } from '../../src/analysis/provenance/api-map.js';
import { createSite } from '../../src/analysis/site/site.js';
import { siteFiles } from '../../src/analysis/site/site-files.js';
import { findStoreProblems } from '../../src/analysis/store/findings.js';
import { planMigration } from '../../src/analysis/store/migrations/plan.js';
import { mockSchema } from '../../src/analysis/store/mock-schema.js';
import { readsOf } from '../../src/analysis/store/reads.js';
import { seedRows } from '../../src/analysis/store/seed-rows.js';
import { storeTablesToTypeScript } from '../../src/analysis/store/table-types.js';
import { storeModelOf } from '../../src/analysis/store/tables.js';
import { storeWritesOf } from '../../src/analysis/store/writes.js';
import { createSourceFile } from '../../src/base/source/source-file.js';
import { analyze } from '../../src/compiler/analyze.js';
import { type Compilation, compile } from '../../src/compiler/compile.js';
import { schemaToTypeScript } from '../../src/compiler/emit/typescript/typescript.js';
import { formatTopology } from '../../src/compiler/format/format-topology.js';
import { createTools } from '../../src/runtime/mcp/toolset/create-tools.js';
import { askEditor } from './editor.js';
import type { Seeds } from './seeds.js';

/** One use of a text. It throws if the text makes it fail, or if what it returned cannot be right. */
export interface Subject {
  readonly name: string;
  readonly takes: keyof Seeds;
  run(text: string, random: () => number): void | Promise<void>;
}

/** What reads the text of a user. To add a use, add a line. */
export const subjects: readonly Subject[] = [
  { name: 'compile', takes: 'topologies', run: compileAll },
  { name: 'format', takes: 'topologies', run: formatTwice },
  { name: 'editor', takes: 'topologies', run: askEditor },
  { name: 'types', takes: 'topologies', run: ofSchema(({ schema }) => schemaToTypeScript(schema)) },
  { name: 'tools', takes: 'topologies', run: ofSchema(makeTools) },
  { name: 'site', takes: 'topologies', run: ofSchema(writeSite) },
  { name: 'pictures', takes: 'topologies', run: ofSchema(drawPictures) },
  { name: 'origins', takes: 'topologies', run: ofSchema(mapOrigins) },
  { name: 'store', takes: 'topologies', run: ofSchema(useStore) },
  { name: 'diff', takes: 'topologies', run: ofSchema(compareWithExample) },
  { name: 'import', takes: 'descriptions', run: importText },
];

function compileAll(text: string): void {
  const { ok, diagnostics, artifacts } = compile(text, {
    artifacts: 'all',
    federation: text.length % 2 === 0,
  });
  for (const { code, span, message } of diagnostics) {
    const fits = span.start >= 0 && span.start <= span.end && span.end <= text.length;
    if (!fits || message === '') throw new Error(`${code} at ${span.start}–${span.end} says: ${message}`);
  }
  if (ok !== !diagnostics.some(({ severity }) => severity === 'error')) throw new Error('ok is wrong');
  for (const [file, artifact] of Object.entries(artifacts ?? {})) {
    if (file.endsWith('.json')) JSON.parse(artifact);
    else parse(artifact);
  }
}

function formatTwice(text: string): void {
  const format = (source: string) => formatTopology(createSourceFile('fuzz.gg', source));
  const { value, diagnostics } = format(text);
  if (diagnostics.length > 0) return;
  const again = format(value);
  if (again.value !== value || again.diagnostics.length > 0) throw new Error('a formatted text changes again');
  // The formatter mends some mistakes of syntax.
  const codesOf = (source: string) =>
    analyze(source).diagnostics.flatMap(({ code }) => (code.startsWith('GG1') ? [] : [code]));
  const before = codesOf(text);
  const after = codesOf(value);
  if (before.sort().join() !== after.sort().join()) throw new Error(`${before} became ${after} by formatting`);
}

type Valid = Extract<Compilation, { readonly ok: true }>;

/** A use of the schema of a topology without errors. */
function ofSchema(use: (compilation: Valid) => unknown): (text: string) => void {
  return (text) => {
    const compilation = compile(text);
    if (compilation.ok) use(compilation);
  };
}

function makeTools({ schema }: Valid): void {
  for (const mode of ['chains', 'operations'] as const) JSON.stringify(createTools(schema, mode));
}

function writeSite({ schema, sources }: Valid): void {
  const addresses = { origin: 'https://api.example.com', endpoint: '/graphql' };
  siteFiles(createSite({ title: 'Fuzz', schema, sources, addresses }));
}

function mapOrigins({ schema, artifacts }: Valid): void {
  const read = (file: 'openapi.json' | 'collection.json') => JSON.parse(artifacts[file]);
  printApiMap(schema, { openapi: read('openapi.json'), collection: read('collection.json') });
}

/** Plans the tables, their rows and what they replace, and the mock. */
function useStore({ schema }: Valid): void {
  findStoreProblems(schema);
  const { model } = storeModelOf(schema);
  readsOf(schema, model);
  storeWritesOf(schema, model);
  storeTablesToTypeScript(model);
  seedRows(schema, model, { rows: 3, seed: 1, owners: ['ada'], kept: new Map() });
  for (const engine of ['sqlite', 'postgres'] as const) {
    planMigration(engine, { tables: [] }, model);
    planMigration(engine, storedExample, model);
    planMigration(engine, model, storedExample);
    const { steps, refusals } = planMigration(engine, model, model);
    if (steps.length + refusals.length > 0) throw new Error('equal tables need a migration');
  }
  mockSchema(schema);
}

const example = analyze('(root)-[:PROCESS { id: ID! }]->(read_user: Record { id: ID!, name: String! })').schema;

const storedExample = storeModelOf(
  analyze(`(root)-[:PROCESS { id: ID! }]->(book: Stored { id: ID!, title: String!, authorId: ID!, author: Author })
(author: Stored { id: ID!, books: [Book!]! })`).schema,
).model;

function compareWithExample({ schema }: Valid): void {
  if (diffSchemas(schema, schema).length > 0) throw new Error('a schema differs from itself');
  diffSchemas(example, schema);
  diffSchemas(schema, example);
}

function drawPictures({ ir, schema }: Valid): void {
  const diagram = createDiagram(ir, schema);
  if (diagram === undefined) throw new Error('a topology without errors has no picture');
  diagramToDot(diagram, []);
  diagramToMermaid(diagram);
}

function importText(text: string): void {
  const { value, diagnostics } = importDescription(createSourceFile('description', text));
  if (value === undefined) {
    if (diagnostics.length === 0) throw new Error('an import without a topology and without a finding');
    return;
  }
  const { ok, diagnostics: findings } = compile(value.text);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (!ok) throw new Error(`an imported topology has errors: ${errors.map(({ message }) => message)}`);
}
