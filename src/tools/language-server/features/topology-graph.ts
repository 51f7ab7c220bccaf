import type { Location, TextDocumentIdentifier } from 'vscode-languageserver';
import { createDiagram } from '../../../analysis/diagram/diagram.js';
import type { Drawing } from '../../../analysis/diagram/drawing.js';
import { drawDiagram } from '../../../analysis/diagram/layout.js';
import type { Span } from '../../../base/source/span.js';
import { locationOf, rangeOf } from '../workspace/locations.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import type { AnalysisFeature } from './feature.js';

/** A request of this server beyond the protocol: the topology of a file as a drawing. */
export const graphMethod = 'gg/graph';

export type GraphParams = { readonly textDocument: TextDocumentIdentifier };

/** The answer to {@link graphMethod}: a drawing, or the reason why there is none. */
export type TopologyGraph =
  | {
      readonly drawing: Drawing;
      /** The places of its boxes and of its lines, in the order of the drawing. */
      readonly boxes: readonly Location[];
      readonly lines: readonly Location[];
    }
  | { readonly problem: string };

/** Draws a topology for a preview beside its text, with the layout of `gg-svc graph`. */
export const topologyGraphFeature: AnalysisFeature = {
  capabilities: { experimental: { graph: true } },
  requests: [graphMethod],
  register: (connection, workspace) => {
    connection.onRequest<TopologyGraph, void>(graphMethod, ({ textDocument: { uri } }: GraphParams) => {
      const file = workspace.fileAt(uri);
      return file === undefined ? { problem: 'The file cannot be read.' } : draw(workspace, file);
    });
  },
};

async function draw(workspace: Workspace, file: TopologyFile): Promise<TopologyGraph> {
  const { ir, schema, diagnostics } = workspace.analysisOf(file);
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const diagram = errors === 0 ? createDiagram(ir, schema) : undefined;
  if (diagram === undefined) return { problem: `The topology has errors: ${errors}.` };
  const { instance } = await import('@viz-js/viz');
  let drawing: Drawing;
  try {
    drawing = drawDiagram(diagram, await instance());
  } catch (error) {
    if (error instanceof RangeError) return { problem: error.message };
    throw error;
  }
  // The beginning of the file stands for a place that cannot be read any more.
  const nowhere = { uri: file.uri, range: rangeOf(file.document, 0, 0) };
  const place = ({ span: { file: path, start, end } }: { readonly span: Span }): Location => {
    const found = workspace.file(path);
    return found === undefined ? nowhere : locationOf({ file: found, start, end });
  };
  return { drawing, boxes: drawing.boxes.map(place), lines: drawing.lines.map(place) };
}
