import { onTestFinished } from 'vitest';
import { analyze } from '../../../src/compiler/analyze.js';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import type { CallRecorder } from '../../../src/runtime/http/telemetry/call-recorder.js';
import type { StudioMessage, StudioState } from '../../../src/tools/studio/protocol.js';
import { Studio, type StudioOptions } from '../../../src/tools/studio/studio.js';

/** The address of the studios of the tests. */
export const address = 'http://127.0.0.1:4000';

/** A module that does not exist: the layout is computed in this thread. */
const layoutWorker = new URL('no-layout-worker.js', import.meta.url);

/** Creates a studio; it is closed after the test. */
export function makeStudio(options: Partial<StudioOptions> = {}): Studio {
  const assets = new URL('../../../web/studio/', import.meta.url);
  const siteAssets = new URL('../../../web/site/', import.meta.url);
  const fixed = { title: 'a.gg', endpoint: '/graphql', assets, siteAssets, layoutWorker };
  const studio = new Studio({ ...fixed, ...options });
  onTestFinished(() => studio.close());
  return studio;
}

/** Shows a text as the file `a.gg`; without errors it is served. */
export function show(studio: Studio, text: string, given?: Resolvers): void {
  const analysis = analyze({ name: 'a.gg', source: text });
  const { diagnostics: findings, schema } = analysis;
  const isBroken = findings.some(({ severity }) => severity === 'error');
  const resolvers = given === undefined ? {} : { resolvers: { path: 'a.resolvers.mjs', given } };
  studio.show({ analysis, findings, ...(isBroken ? {} : { served: { schema, ...resolvers } }) });
}

/** The options of a server with a recorder, which is no public option. */
export function withRecorder<Options extends object>(options: Options, recorder: CallRecorder) {
  return { ...options, recorder };
}

/** Sends a request from this machine. */
export function send(
  studio: Studio,
  path: string,
  { peer = '127.0.0.1', ...init }: RequestInit & { readonly peer?: string | undefined } = {},
): Promise<Response> {
  return studio.fetch(new Request(new URL(path, address), init), peer);
}

/** Sends JSON, as the page does. */
export function post(studio: Studio, path: string, value: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return send(studio, path, { method: 'POST', headers, body: JSON.stringify(value) });
}

/** What the page shows once the topology is drawn: the studio does not wait for that on a busy machine. */
export async function stateOf(studio: Studio): Promise<StudioState> {
  for (;;) {
    const state = (await (await send(studio, '/_gg/api/state')).json()) as StudioState;
    if (state.api === undefined || 'drawing' in state.api || 'undrawn' in state.api) return state;
  }
}

/** Reads the messages of a stream, one at a time. */
export function readerOf(response: Response): {
  next(): Promise<StudioMessage | undefined>;
  leave(): Promise<void>;
} {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const [event = '', ...rest] = text.split('\n\n');
        if (rest.length > 0) {
          text = rest.join('\n\n');
          if (event.startsWith('data: ')) return JSON.parse(event.slice('data: '.length));
          continue;
        }
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += Buffer.from(value).toString();
      }
    },
    leave: () => reader.cancel(),
  };
}
