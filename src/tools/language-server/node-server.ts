import type { Readable, Writable } from 'node:stream';
import type { WatchDog } from 'vscode-languageserver';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { startHere, startThread } from './analysis/analysis-thread.js';
import { type LanguageServerPlatform, serveClient } from './server.js';
import { Disk } from './workspace/disk.js';
import { withProjectFiles } from './workspace/project-files.js';

export interface LanguageServerOptions extends Pick<LanguageServerPlatform, 'version' | 'pages'> {
  readonly input: Readable;
  readonly output: Writable;
  /** The module of the analysis thread, `analysis/analysis-worker.ts`. Without one, the analysis runs in this thread. */
  readonly analysisWorker?: URL;
}

/**
 * Serves the Language Server Protocol 3.17 over streams, with the files of the disk, until the client sends `exit` or
 * disconnects.
 *
 * @returns the exit code that the protocol requires: 0 after `shutdown`, else 1. It never rejects.
 */
export function startLanguageServer(options: LanguageServerOptions): Promise<number> {
  const { input, output, version, pages, analysisWorker } = options;
  return new Promise((resolve) => {
    const watchDog = createWatchDog((exitCode) => {
      end();
      resolve(exitCode);
    });
    // A client that disconnects closes the streams without a message.
    for (const event of ['end', 'close', 'error']) input.on(event, () => watchDog.exit(1));
    output.on('error', () => watchDog.exit(1));
    const threads = analysisWorker === undefined ? [] : [() => startThread(analysisWorker, pages)];
    const end = serveClient({
      ...{ version, pages, watchDog, files: new Disk(), complete: withProjectFiles },
      analyses: [...threads, () => startHere(pages)],
      connect: (logger) =>
        createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
    });
  });
}

/** Ends the server. After `shutdown` the exit code is always 0. */
function createWatchDog(end: (exitCode: number) => void): WatchDog {
  let timer: NodeJS.Timeout | undefined;
  const watchDog: WatchDog = {
    shutdownReceived: false,
    initialize: ({ processId }) => {
      if (typeof processId === 'number') timer = setInterval(() => checkAlive(processId, watchDog), 3000);
      timer?.unref();
    },
    exit: () => {
      clearInterval(timer);
      end(watchDog.shutdownReceived ? 0 : 1);
    },
  };
  return watchDog;
}

/** A client that crashed may leave the streams open. */
function checkAlive(processId: number, watchDog: WatchDog): void {
  try {
    process.kill(processId, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') watchDog.exit(1);
  }
}
