import { spawn } from 'node:child_process';
import type { PublishDiagnosticsParams, Range } from 'vscode-languageserver';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';

/** What is measured from the other end of the pipe, in milliseconds, one figure for each edit. */
export interface Latencies {
  /** From an edit to the findings of the syntax. */
  readonly edit: readonly number[];
  /** From an edit to the answer to a request for completions that follows it at once. */
  readonly completion: readonly number[];
  /** From an edit to all findings, the pause that the server waits for included. */
  readonly settled: readonly number[];
}

/**
 * Starts the language server as an editor does, types in the middle of a text, and takes the time.
 *
 * @param program - The program, with the arguments that come before `lsp`.
 */
export async function typeInEditor(
  program: readonly string[],
  text: string,
  { rounds }: { readonly rounds: number },
): Promise<Latencies> {
  const [command = '', ...args] = program;
  const server = spawn(command, [...args, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  let onPublished: (version: number | undefined) => void = () => {};
  connection.onNotification('textDocument/publishDiagnostics', ({ version }: PublishDiagnosticsParams) =>
    onPublished(version),
  );
  connection.listen();
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
  await connection.sendNotification('initialized', {});

  const uri = 'file:///bench/large.gg';
  const lines = text.split('\n');
  let version = 1;
  /** Waits until the findings of a version were published so many times. */
  const published = (wanted: number, times: number): Promise<void> =>
    new Promise((resolve) => {
      let left = times;
      onPublished = (found) => {
        if (found === wanted && --left === 0) resolve();
      };
    });
  const change = (range: Range, inserted: string): void => {
    version += 1;
    void connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: inserted }],
    });
  };
  /** Types one character behind a quote of some line, or takes it back. */
  const type = (round: number): Range => {
    const line = lines.findIndex((one, index) => index > (round * 7919) % lines.length && one.includes("'"));
    const at = Math.max(0, line);
    const character = Math.max(0, (lines[at]?.indexOf("'") ?? 0) + 1);
    const start = { line: at, character };
    change({ start, end: start }, 'x');
    return { start, end: { line: at, character: character + 1 } };
  };

  const opened = published(1, 1);
  void connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'gg', version, text },
  });
  await opened;

  const latencies = { edit: [] as number[], completion: [] as number[], settled: [] as number[] };
  for (let round = 0; round < rounds * 20; round++) {
    const start = performance.now();
    const heard = published(version + 1, 1);
    const range = type(round);
    await heard;
    latencies.edit.push(performance.now() - start);

    const again = performance.now();
    change(range, '');
    await connection.sendRequest('textDocument/completion', {
      textDocument: { uri },
      position: { line: range.start.line, character: (lines[range.start.line]?.indexOf('(') ?? 0) + 1 },
    });
    latencies.completion.push(performance.now() - again);
  }
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const heard = published(version + 1, 2);
    const range = type(round);
    await heard;
    latencies.settled.push(performance.now() - start);
    const back = published(version + 1, 2);
    change(range, '');
    await back;
  }
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  connection.dispose();
  return latencies;
}
