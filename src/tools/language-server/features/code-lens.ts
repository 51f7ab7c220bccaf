import type { CodeLens } from 'vscode-languageserver';
import { formParts } from '../../../compiler/api/form-parts.js';
import { isRequired } from '../../../compiler/api/is-required.js';
import { exampleRequest, type RestRequest } from '../../../compiler/api/rest-request.js';
import { type RestRoute, restRoutes, streamRoutes } from '../../../compiler/api/rest-routes.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import { edgesIn } from '../names/edges.js';
import { rangeOf } from '../workspace/locations.js';
import type { TopologyFile } from '../workspace/topology-file.js';
import type { Workspace } from '../workspace/workspace.js';
import { type AnalysisFeature, listFor } from './feature.js';

/** The command of the lenses. Its argument is a {@link RestRequest}; the client runs it. */
const runRequestCommand = 'gg.runRequest';
/** The same for a subscription, whose answer is an event stream without an end. */
const followStreamCommand = 'gg.followStream';

/**
 * Offers to run an example request, above each edge that becomes a query or a mutation, and to follow the events of those
 * that become a subscription. Only for clients with the capabilities `experimental.runRequest` and
 * `experimental.followStream`: others have no such commands.
 */
export const codeLensFeature: AnalysisFeature = {
  capabilities: { codeLensProvider: {} },
  requests: ['textDocument/codeLens'],
  register: (connection, workspace) => {
    connection.onCodeLens(listFor(workspace, (file) => lensesOf(workspace, file)));
  },
};

function lensesOf(workspace: Workspace, file: TopologyFile): CodeLens[] {
  if (!workspace.runsRequests && !workspace.followsStreams) return [];
  const { schema } = workspace.analysisOf(file);
  const routes = new Map<string, RestRoute[]>();
  const runnable = [
    ...(workspace.runsRequests ? restRoutes(schema).filter((route) => !formParts(schema, route)) : []),
    ...(workspace.followsStreams ? streamRoutes(schema) : []),
  ];
  for (const route of runnable) {
    for (const { span } of route.operation.edges)
      if (span.file === file.path) appendTo(routes, `${span.start} ${span.end}`, route);
  }
  return file.segments.segments.flatMap(({ segment, base }) =>
    edgesIn(segment).flatMap(({ type, typeStart, source, target }) => {
      const start = base + typeStart;
      const range = rangeOf(file.document, start, start + type.length);
      return (routes.get(`${base + source.start} ${base + target.end}`) ?? []).map((route) => {
        const isStream = route.operation.kind === 'subscription';
        // A stream begins with the events from now on, so its position is left out.
        const request: RestRequest = exampleRequest(schema, route, isStream ? isRequired : undefined);
        const title = `${isStream ? 'Follow stream' : 'Run request'}: ${request.method} ${route.path}`;
        const command = isStream ? followStreamCommand : runRequestCommand;
        return { range, command: { title, command, arguments: [request] } };
      });
    }),
  );
}
