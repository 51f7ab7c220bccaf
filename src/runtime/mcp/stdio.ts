import { type Readable, Transform, type Writable } from 'node:stream';
import * as sdk from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type MaybePromise, proceed } from '../../base/values/maybe-promise.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { DeniedError } from '../auth/denial.js';
import type { Credentials, Principal } from '../auth/principal.js';
import type { ChainCaller } from '../call/chains/run-chain.js';
import { ProblemError, problemOfDenial } from '../call/problem.js';
import { FetchExchange } from '../http/fetch-exchange.js';
import { isTooDeep } from '../limits/parse-json.js';
import type { Mcp } from './mcp.js';
import { invalidRequest, listenedUris } from './mcp-resource.js';
import { type CallContext, createSdkServer, type Follower } from './sdk-server.js';
import { createTasks } from './tasks.js';

/** The connection of an MCP host that has started this process. */
export interface StdioConnection {
  readonly input: Readable;
  /** Gets messages of the protocol only. */
  readonly output: Writable;
  /** The headers that a request over HTTP would have, with the credentials of the host. */
  readonly headers: Readonly<Record<string, string>>;
  /** Finds the caller. May throw a `DeniedError`. */
  readonly authenticate: (credentials: Credentials) => MaybePromise<Principal | null>;
}

/** Serves MCP over standard input and output until the input ends, or the function that it passes to `onStop` is called. */
export async function serveOverStdio(
  mcp: Mcp,
  { input, output, headers, authenticate }: StdioConnection,
  onStop: (stop: () => void) => () => void,
): Promise<void> {
  const { monitor, limits } = mcp.environment;
  const callerOf = async ({ mcpReq: { signal } }: CallContext): Promise<ChainCaller> => {
    const exchange = new FetchExchange(new Request('http://localhost/mcp', { method: 'POST', headers, signal }));
    try {
      exchange.principal = await authenticate({
        header: (name) => exchange.header(name),
        request: () => exchange.request(),
      });
    } catch (error) {
      throw error instanceof DeniedError ? new ProblemError(problemOfDenial(error.denial)) : error;
    }
    // Nothing counts the message itself.
    exchange.prepaid = 0;
    return exchange;
  };
  let follower: Follower | undefined;
  const listening = new Set<unknown>();
  const endListening = (id: unknown): void => {
    listening.delete(id);
    follower?.release(id);
  };
  const lines = limitLines(limits.body, (id, reason) => {
    const error = { code: invalidRequest, message: reason };
    transport.send({ jsonrpc: '2.0', id, error } as sdk.JSONRPCMessage).catch(() => undefined);
  });
  const transport = new StdioServerTransport(lines, output, { maxBufferSize: Number.MAX_SAFE_INTEGER });
  /** Follows resources for `subscriptions/listen`, which the SDK answers. False if the request was refused or cancelled. */
  const listen = async (id: sdk.RequestId, uris: readonly string[]): Promise<boolean> => {
    if (follower === undefined) return true;
    listening.add(id);
    try {
      const caller = await callerOf({ mcpReq: { signal: new AbortController().signal } });
      for (const uri of uris) await follower.follow(uri, id, caller);
      // The client may have cancelled meanwhile.
      const isWanted = listening.has(id);
      if (!isWanted) endListening(id);
      return isWanted;
    } catch (error) {
      const isWanted = listening.has(id);
      endListening(id);
      if (!isWanted) return false;
      if (!(error instanceof ProblemError)) throw error;
      const { detail, status } = error.problem;
      const refused = { code: invalidRequest, message: detail, data: { status } };
      await transport.send({ jsonrpc: '2.0', id, error: refused });
      return false;
    }
  };
  /** Reads a message before the SDK gets it: true passes it on. */
  const mayPass = (message: sdk.JSONRPCMessage): MaybePromise<boolean> => {
    if (!('method' in message)) return true;
    if ('id' in message) {
      const uris = listenedUris(message as JsonValue);
      return uris.length === 0 || listen(message.id, uris);
    }
    if (message.method === 'notifications/cancelled') endListening(message.params?.requestId);
    return true;
  };
  await new Promise<void>((resolve) => {
    const onerror = (error: Error) => monitor.notice(`MCP: ${error.message}`);
    const handle = serveStdio(
      () => {
        const tasks = mcp.durable && createTasks(sdk, mcp, mcp.durable, callerOf);
        const made = createSdkServer(sdk, mcp, callerOf, { canSubscribe: true, notifies: true }, tasks);
        follower = made.follower;
        return made.server;
      },
      { transport, onerror },
    );
    const forget = onStop(() => void handle.close());
    const { onclose, onmessage } = transport;
    transport.onmessage = (message) => {
      const passed = proceed(mayPass(message), (may) => (may ? onmessage?.(message) : undefined));
      if (passed instanceof Promise) passed.catch(onerror);
    };
    transport.onclose = () => {
      onclose?.();
      forget();
      input.unpipe(lines);
      resolve();
    };
    input.pipe(lines);
  });
}

/** The number of bytes at the end of a refused message in which its id is looked for. */
const tailLength = 300;

/**
 * Passes on the lines of an input that are messages within the limits. The SDK would end the connection for a longer one.
 *
 * @param refuse - Gets the id of each refused message, or null if it is not found, and the reason.
 */
function limitLines(maximum: number, refuse: (id: string | number | null, reason: string) => void) {
  let parts: Buffer[] = [];
  let size = 0;
  let tail = '';
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= maximum) parts.push(part);
    else {
      parts = [];
      tail = (tail + part.toString('latin1', Math.max(0, part.length - tailLength))).slice(-tailLength);
    }
  };
  const take = (): Buffer | undefined => {
    const line = Buffer.concat(parts);
    const text = line.toString();
    const reason =
      size > maximum
        ? `The message has more than ${maximum} bytes.`
        : isTooDeep(text)
          ? 'The message is nested too deeply.'
          : undefined;
    if (reason !== undefined) refuse(idAtEnd(size > maximum ? tail : text.slice(-tailLength)), reason);
    parts = [];
    size = 0;
    tail = '';
    return reason === undefined ? line : undefined;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        add(chunk.subarray(start, end));
        const line = take();
        if (line !== undefined) this.push(Buffer.concat([line, Buffer.from([newline])]));
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
      done();
    },
  });
}

const newline = 0x0a;

/** Most clients write the id as the last member. */
function idAtEnd(text: string): string | number | null {
  const [, written] = /"id":(\d{1,15}|"[^"\\]{1,100}")\s*\}\s*$/.exec(text) ?? [];
  return written === undefined ? null : (JSON.parse(written) as string | number);
}
