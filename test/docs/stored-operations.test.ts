import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import type { Column } from '../../src/analysis/store/model.js';
import { readsOf } from '../../src/analysis/store/reads.js';
import { storeModelOf } from '../../src/analysis/store/tables.js';
import { isRequired } from '../../src/compiler/api/is-required.js';
import { operationDocument } from '../../src/compiler/api/operation-document.js';
import { printSelectionForExecution } from '../../src/compiler/api/print-selection.js';
import { answerSelection } from '../../src/compiler/api/selection.js';
import { baseName } from '../../src/compiler/graph/type-ref.js';
import { compile } from '../../src/compiler.js';
import { modelOf, noSqlite } from '../runtime/store/engines.js';
import { serveRows } from '../runtime/store/read/serve-rows.js';
import { codeBlocks } from './markdown.js';

const files = globSync(['docs/**/*.md', 'docs/examples/**/*.gg', 'README.md']).sort();

/** Whether a topology has tables, and is no example of a finding about them. */
function isStorable(source: string): boolean {
  const { model, diagnostics } = storeModelOf(compile({ name: 'store.gg', source }).schema);
  return model.tables.length > 0 && diagnostics.length === 0;
}

/** The topologies with stored nodes, in pages and examples. */
const topologies = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  const blocks = file.endsWith('.gg')
    ? [{ text, line: 1 }]
    : codeBlocks(text).filter(({ language }) => language === 'gg');
  return blocks.flatMap(({ text: source, line }) =>
    source.includes(': Stored') && isStorable(source) ? [[`${file}:${line}`, source] as const] : [],
  );
});

/** A value that a column holds. */
function someValue({ kind, values, constraints }: Column): unknown {
  const others: Partial<Record<Column['kind'], unknown>> = {
    integer: constraints?.minimum ?? 1,
    float: 1,
    boolean: true,
    instant: 0,
    json: [],
  };
  return others[kind] ?? values?.[0] ?? '1';
}

test.skipIf(noSqlite).each(topologies)(
  'each query of %s is one statement, with its relations',
  async (_name, source) => {
    const { schema } = compile({ name: 'store.gg', source });
    const model = modelOf(source);
    const rows = model.tables.map(({ name, columns }) => {
      return [name, [Object.fromEntries(columns.map((one) => [one.name, someValue(one)]))]];
    });
    const { ask, statements } = await serveRows(source, Object.fromEntries(rows), {
      authenticate: () => null,
    });
    const { reads } = readsOf(schema, model);
    for (const operation of schema.queries) {
      if (!reads.has(`Query.${operation.name}`)) continue;
      const selection = answerSelection(schema, operation);
      const fields = selection === undefined ? '' : printSelectionForExecution(selection);
      const items = operation.page === undefined ? fields : `{ edges { node ${fields} } }`;
      const given = operation.arguments.filter(isRequired).map(({ name, type }) => {
        return [name, /^(?:Int|Float)$/.test(baseName(type)) ? 1 : '1'];
      });
      const data = await ask(operationDocument(schema, operation, items), Object.fromEntries(given));
      expect(data, operation.name).not.toBeInstanceOf(Array);
      // The store looks for events that other processes left.
      const own = statements.filter((statement) => !statement.includes('gg_svc_'));
      expect(own, operation.name).toHaveLength(1);
    }
  },
);
