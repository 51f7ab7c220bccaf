import type { CodeLens } from 'vscode-languageserver';
import { exampleRequest, type RestRequest } from '../../api/rest-request.js';
import { type RestRoute, restRoutes } from '../../api/rest-routes.js';
import { edgesIn } from '../names/edges.js';
import { rangeOf } from '../workspace/locations.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import type { AnalysisFeature } from './feature.js';

/** The command of the lenses. Its argument is a {@link RestRequest}; the client runs it. */
const runRequestCommand = 'gg.runRequest';

/**
 * Offers to run an example request, above each edge that becomes a query or a mutation. Only for clients with the
 * capability `experimental.runRequest`: others have no such command.
 */
export const codeLensFeature: AnalysisFeature = {
  capabilities: { codeLensProvider: {} },
  requests: ['textDocument/codeLens'],
  register: (connection, workspace) => {
    connection.onCodeLens(({ textDocument: { uri } }): CodeLens[] => {
      const file = workspace.runsRequests ? workspace.fileAt(uri) : undefined;
      return file === undefined ? [] : lensesOf(workspace, file);
    });
  },
};

function lensesOf(workspace: Workspace, file: TopologyFile): CodeLens[] {
  const { schema } = workspace.analysisOf(file);
  const routes = new Map<string, RestRoute[]>();
  for (const route of restRoutes(schema)) {
    for (const { span } of route.operation.edges) {
      if (span.file !== file.path) continue;
      const key = `${span.start} ${span.end}`;
      routes.set(key, [...(routes.get(key) ?? []), route]);
    }
  }
  return file.segments.segments.flatMap(({ segment, base }) =>
    edgesIn(segment).flatMap(({ type, typeStart, source, target }) => {
      const start = base + typeStart;
      const range = rangeOf(file.document, start, start + type.length);
      return (routes.get(`${base + source.start} ${base + target.end}`) ?? []).map((route) => {
        const request: RestRequest = exampleRequest(schema, route);
        const title = `Run request: ${request.method} ${route.path}`;
        return { range, command: { title, command: runRequestCommand, arguments: [request] } };
      });
    }),
  );
}
