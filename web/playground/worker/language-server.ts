import { BrowserMessageReader, BrowserMessageWriter, createProtocolConnection } from 'vscode-languageserver/browser';
import type { AnalysisSide } from '../../../src/tools/language-server/analysis/analysis-client.js';
import { serveAnalysis } from '../../../src/tools/language-server/analysis/serve-analysis.js';
import { serveClient } from '../../../src/tools/language-server/server.js';
import { noStoredFiles } from '../../../src/tools/language-server/workspace/stored-files.js';

/** The pages of the codes are not in the playground; findings carry their hints. */
const pages = 'file:///{code}.md';

/** Serves the editor at the other end of a port. All files are open in it, so there are no others. */
export function serveEditor(port: MessagePort): void {
  serveClient({
    version: 'playground',
    pages,
    files: noStoredFiles,
    analyses: [startAnalysis],
    watchDog: { shutdownReceived: false, initialize: () => {}, exit: () => {} },
    connect: (logger) => {
      const { reader, writer } = messagesOf(port);
      return createProtocolConnection(reader, writer, logger);
    },
  });
}

/** Starts the analysis in this worker, which already keeps the page responsive. */
function startAnalysis(): AnalysisSide {
  const { port1, port2 } = new MessageChannel();
  serveAnalysis(messagesOf(port2), pages, noStoredFiles);
  return { ...messagesOf(port1), whenEnded: new Promise(() => {}), end: () => port1.close() };
}

function messagesOf(port: MessagePort): Pick<AnalysisSide, 'reader' | 'writer'> {
  return { reader: new BrowserMessageReader(port), writer: new BrowserMessageWriter(port) };
}
