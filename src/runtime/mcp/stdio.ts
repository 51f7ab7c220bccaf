import type { Readable, Writable } from 'node:stream';
import * as sdk from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { MaybePromise } from '../../base/values/maybe-promise.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { DeniedError } from '../auth/denial.js';
import type { Credentials, Principal } from '../auth/principal.js';
import { ProblemError, problemOfDenial } from '../call/problem.js';
import { FetchExchange } from '../http/fetch-exchange.js';
import type { ToolCaller } from './call-tool.js';
import type { Mcp } from './mcp.js';
import { invalidRequest, listenedUris } from './mcp-resource.js';
import { type CallContext, createSdkServer, type Follower } from './sdk-server.js';
import { FilteredTransport, limitLines } from './stdio-transport.js';

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
  const callerOf = async ({ mcpReq: { signal } }: CallContext): Promise<ToolCaller> => {
    const exchange = new FetchExchange(
      new Request('http://localhost/mcp', { method: 'POST', headers, signal }),
    );
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
  const served: { follower?: Follower | undefined } = {};
  /** The resources that are followed, by the id of the request that named them. */
  const listened = new Map<unknown, string[]>();
  const releaseAll = (uris: string[] = []): void => {
    for (const uri of uris.splice(0)) served.follower?.release(uri);
  };
  const lines = limitLines(limits.body, (id, reason) => {
    const error = { code: invalidRequest, message: reason };
    transport.send({ jsonrpc: '2.0', id, error } as sdk.JSONRPCMessage).catch(() => undefined);
  });
  // `subscriptions/listen` is answered by the SDK; its resources are followed here.
  const listen = async (
    id: unknown,
    uris: readonly string[],
    request: sdk.JSONRPCMessage,
  ): Promise<boolean> => {
    const { follower } = served;
    if (follower === undefined || uris.length === 0) return true;
    const followed: string[] = [];
    listened.set(id, followed);
    try {
      const caller = await callerOf({ mcpReq: { signal: new AbortController().signal } });
      for (const uri of uris) {
        await follower.follow(uri, caller);
        followed.push(uri);
      }
      // The client may have cancelled meanwhile.
      const isWanted = listened.get(id) === followed;
      if (!isWanted) releaseAll(followed);
      return isWanted;
    } catch (error) {
      releaseAll(followed);
      listened.delete(id);
      if (!(error instanceof ProblemError)) throw error;
      const { detail, status } = error.problem;
      const refused = { code: invalidRequest, message: detail, data: { status } };
      await transport.send({ ...request, error: refused } as unknown as sdk.JSONRPCMessage);
      return false;
    }
  };
  const transport = new FilteredTransport(
    new StdioServerTransport(lines, output, { maxBufferSize: Number.MAX_SAFE_INTEGER }),
    (message) => {
      if (!('method' in message)) return true;
      if ('id' in message) {
        const uris = listenedUris(message as JsonValue);
        return (
          uris.length === 0 ||
          listen(message.id, uris, { jsonrpc: '2.0', id: message.id } as sdk.JSONRPCMessage)
        );
      }
      if (message.method === 'notifications/cancelled') {
        const id = message.params?.requestId;
        releaseAll(listened.get(id));
        listened.delete(id);
      }
      return true;
    },
  );
  await new Promise<void>((resolve) => {
    const handle = serveStdio(
      () => {
        const { server, follower } = createSdkServer(sdk, mcp, callerOf, {
          canSubscribe: true,
          notifies: true,
        });
        served.follower = follower;
        return server;
      },
      { transport, onerror: (error) => monitor.notice(`MCP: ${error.message}`) },
    );
    const forget = onStop(() => void handle.close());
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      forget();
      input.unpipe(lines);
      resolve();
    };
    input.pipe(lines);
  });
}
