import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { compile } from '../../../../src/compiler/compile.js';
import type { ChannelCall, RuntimeIoChannel } from '../../../../src/runtime/server/channels/binding/channel.js';
import { buildRuntimeIoProjectionLayer } from '../../../../src/runtime/server/channels/runtime-io-layer.js';
import type { GqlServer } from '../../../../src/runtime/server/gql-server.js';
import type { GqlServerOptions } from '../../../../src/runtime/server/options.js';
import { serve } from '../topology-server.js';

/** A server of one text whose nodes have channels. */
export function serveIo(
  source: string,
  channels: readonly RuntimeIoChannel[],
  options: Partial<GqlServerOptions> = {},
): GqlServer {
  const layer = layerOf(source, channels);
  onTestFinished(() => layer.close());
  return serve(source, { layers: [layer], ...options });
}

/** The layer of a text. */
export function layerOf(source: string, channels: readonly RuntimeIoChannel[]) {
  const { ast } = compile({ name: 'test.gg', source });
  return buildRuntimeIoProjectionLayer({ graph: ast, channels });
}

/** A folder of the test's own, which is gone when it ends. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-channels-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a channel is told, with a signal that the test may abort. */
export function callOf(call: Partial<ChannelCall> = {}): ChannelCall {
  return {
    node: 'node',
    operation: 'operation',
    args: {},
    match: call.args ?? {},
    many: true,
    accepts: () => true,
    skip: (error) => {
      throw error;
    },
    context: undefined,
    signal: new AbortController().signal,
    ...call,
  };
}

/** What a channel gives to a subscriber. */
export async function recordsOf(
  channel: RuntimeIoChannel,
  call: Partial<ChannelCall> = {},
): Promise<AsyncIterable<unknown>> {
  const records = await channel.subscribe?.(callOf(call));
  if (records === undefined) throw new Error('The channel cannot be subscribed to.');
  return records;
}

/** The next events of a source: so many, and then it is let go. */
export async function take(records: unknown, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  for await (const record of (await records) as AsyncIterable<unknown>) {
    taken.push(record);
    if (taken.length === count) break;
  }
  return taken;
}
