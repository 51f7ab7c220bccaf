// The worker that compiles: the language server of the editor, and the results beside it.

import { createDiagram } from '../../../src/analysis/diagram/diagram.js';
import type { Drawing } from '../../../src/analysis/diagram/drawing.js';
import { drawDiagram } from '../../../src/analysis/diagram/layout.js';
import { schemaToTypesWithTables } from '../../../src/analysis/store/table-types.js';
import { hasErrors } from '../../../src/base/diagnostics/diagnostic.js';
import { analyze, joinLayers } from '../../../src/compiler/analyze.js';
import { withDefaults } from '../../../src/compiler/compile.js';
import { emitAll, standardFiles } from '../../../src/compiler/emit/emitters.js';
import { federationFragment } from '../../../src/compiler/federation-fragment.js';
import { lowerGraph } from '../../../src/compiler/graph/lower/lower.js';
import type { CompileAnswer, CompileRequest, ConnectEditor, PlaygroundFile } from '../protocol.js';
import { serveEditor } from './language-server.js';

self.onmessage = async ({ data }: MessageEvent<ConnectEditor | CompileRequest>) => {
  if (data.kind === 'editor') serveEditor(data.port);
  else self.postMessage(await compileFiles(data.files));
};

/** The results of the first file, with its imports: as `gg-svc build` and `gg-svc types` write them. */
async function compileFiles(files: readonly PlaygroundFile[]): Promise<CompileAnswer> {
  const [root] = files;
  if (root === undefined) return {};
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  const analysis = analyze([{ name: root.name, source: root.text }], {
    readImport: (path) => texts.get(path),
  });
  const { schema, diagnostics } = joinLayers(analysis, [federationFragment]);
  if (hasErrors(diagnostics)) return {};
  const artifacts = {
    ...emitAll(schema, withDefaults({ ...(schema.info && { info: schema.info }) }), [
      ...standardFiles,
      'asyncapi.json',
    ]),
    'types.ts': schemaToTypesWithTables(analysis.schema),
  };
  const drawing = await draw(analysis);
  const sources = analysis.sources.map(({ name, text }) => ({ name, text }));
  return { results: { files: sources, schema: analysis.schema, artifacts, ...(drawing && { drawing }) } };
}

async function draw({ ast, schema }: ReturnType<typeof analyze>): Promise<Drawing | undefined> {
  const { instance } = await import('@viz-js/viz');
  const diagram = createDiagram(lowerGraph(ast).value, schema);
  if (diagram === undefined) throw new Error('invariant: a whole topology has a diagram');
  try {
    return drawDiagram(diagram, await instance());
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
