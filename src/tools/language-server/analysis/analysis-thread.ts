import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { PortMessageReader, PortMessageWriter } from 'vscode-languageserver/node';
import { Disk } from '../workspace/disk.js';
import type { AnalysisSide } from './analysis-client.js';
import { serveAnalysis } from './serve-analysis.js';

export function startThread(module: URL, pages: string): AnalysisSide {
  const worker = new Worker(module, {
    workerData: { pages },
    // Standard output carries the protocol.
    stdout: true,
    // An analysis creates many short-lived objects: a larger young generation means fewer collections.
    resourceLimits: { maxYoungGenerationSizeMb: 128 },
  });
  const whenEnded = new Promise<void>((resolve) => {
    worker.on('exit', () => resolve());
    // The exit event follows. Without a listener, an error in the thread would end the process.
    worker.on('error', () => {});
  });
  return { ...messagesOf(worker), whenEnded, end: () => void worker.terminate() };
}

export function startHere(pages: string): AnalysisSide {
  const { port1, port2 } = new MessageChannel();
  servePort(port2, pages);
  const whenEnded = new Promise<void>((resolve) => port1.on('close', () => resolve()));
  return { ...messagesOf(port1), whenEnded, end: () => port1.close() };
}

/** Serves the analysis on a port, with the files of the disk. */
export function servePort(port: MessagePort, pages: string): void {
  serveAnalysis(messagesOf(port), pages, new Disk());
}

function messagesOf(port: MessagePort | Worker): Pick<AnalysisSide, 'reader' | 'writer'> {
  return { reader: new PortMessageReader(port), writer: new PortMessageWriter(port) };
}
