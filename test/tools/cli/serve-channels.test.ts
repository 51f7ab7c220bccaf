import { afterEach, describe, expect, test } from 'vitest';
import { directoryWith, endServers, type RunResult, runCli, stopAtOnce } from './stand-in-io.js';

const topology = `
  (shelf)-[:PROCESS { sku: ID! }]->(stock { sku: ID!, count: Int! })
  (order { sku: ID! })-[:FOLD]->(placed { sku: ID! })
`;
const shelf = `{ node: 'shelf', direction: 'in', transport: 'shelf', read: ({ args }) => ({ sku: args.sku, count: 7 }) }`;

const running: { readonly stop: () => Promise<RunResult> }[] = [];
afterEach(() => endServers(running));

/** Runs `gg-svc serve` on a free port until it says where it is. */
async function serve(files: Readonly<Record<string, string>>, ...args: string[]) {
  let ask = (): void => undefined;
  let done: Promise<RunResult> | undefined;
  const banner = await new Promise<string>((resolve, reject) => {
    done = runCli(['serve', ...args, '--port', '0'], {
      directory: directoryWith(files),
      stdout: resolve,
      onStop: (stop) => {
        ask = stop;
        return () => undefined;
      },
    });
    done.then((result) => reject(new Error(`it ended at once: ${result.stderr}`)), reject);
  });
  const stop = () => {
    ask();
    return done as Promise<RunResult>;
  };
  running.push({ stop });
  const origin = /http:\/\/[^/]+/.exec(banner)?.[0] ?? '';
  return { banner, get: async (path: string) => fetch(`${origin}${path}`), stop };
}

describe('gg-svc serve with channels', () => {
  test('binds nodes to the channels of the given module', async () => {
    const files = { 'shop.gg': topology, 'io.mjs': `export default [${shelf}];` };
    const { banner, get } = await serve(files, 'shop.gg', '--channels', 'io.mjs');
    expect(banner).toContain('no resolvers: constants and channels are served');
    expect(banner).toContain('\nchannels from io.mjs\n');
    expect(await (await get('/api/stock?sku=tea')).json()).toEqual({ sku: 'tea', count: 7 });
    const document = (await (await get('/openapi.json')).json()) as { 'x-io': unknown };
    expect(document['x-io']).toMatchObject([{ node: 'shelf', direction: 'in', transport: 'shelf' }]);
  });

  test('finds the module beside the topology, calls its default export, and closes the channels at the end', async () => {
    const closed = `close: () => { globalThis.channelsClosed = (globalThis.channelsClosed ?? 0) + 1; }`;
    const files = {
      'shop.gg': topology,
      'shop.channels.mjs': `export default async () => [{ ...${shelf}, ${closed} }];`,
    };
    const { banner, get, stop } = await serve(files, 'shop.gg');
    expect(banner).toContain('channels from shop.channels.mjs (found next to the topology; --no-channels ignores it)');
    expect(await (await get('/api/stock?sku=cup')).json()).toEqual({ sku: 'cup', count: 7 });
    expect((await stopAtOnce(stop)).code).toBe(0);
    expect((globalThis as { channelsClosed?: number }).channelsClosed).toBe(1);
  });

  test('ignores the module with --no-channels', async () => {
    const files = { 'shop.gg': topology, 'shop.channels.mjs': `export default [${shelf}];` };
    const { banner, get } = await serve(files, 'shop.gg', '--no-channels');
    expect(banner).not.toContain('channels from');
    expect((await get('/api/stock?sku=tea')).status).toBe(501);
  });

  test('recognizes channel errors of another copy of the package', async () => {
    const error =
      "Object.assign(new Error('it is empty'), { name: 'ChannelError', fault: 'failed', reason: 'it is empty' })";
    const files = {
      'shop.gg': topology,
      'shop.channels.mjs': `export default [{ ...${shelf}, read: () => { throw ${error}; } }];`,
    };
    const { get } = await serve(files, 'shop.gg');
    expect(await (await get('/api/stock?sku=tea')).json()).toMatchObject({
      status: 502,
      code: 'GG5011',
      detail: 'The channel of the node shelf (shelf) failed: it is empty.',
    });
  });

  test.each([
    ['export default { shelf: 1 };', 'its default export must be a list of channels or a function that returns one'],
    ['export const channels = [];', 'its default export must be a list of channels or a function that returns one'],
    ["throw new Error('no shelf.');", 'no shelf'],
    ["throw 'no shelf';", 'no shelf'],
    ["export default () => { throw new Error('no shelf'); };", 'no shelf'],
  ])('rejects a module without channels: %s', async (module, reason) => {
    const directory = directoryWith({
      'shop.gg': topology,
      'shop.channels.js': module,
      'package.json': '{"type":"module"}',
    });
    const { code, stderr } = await runCli(['serve', 'shop.gg'], { directory });
    expect(code).toBe(1);
    expect(stderr).toContain('GG5016');
    expect(stderr).toContain(`The channels in shop.channels.js cannot be loaded: ${reason}.`);
  });

  test('rejects a missing module, and a channel without a node', async () => {
    const directory = directoryWith({
      'shop.gg': topology,
      'io.mjs': `export default [{ ...${shelf}, node: 'shelv' }, null];`,
    });
    const missing = await runCli(['serve', 'shop.gg', '--channels', 'no.mjs'], { directory });
    expect(missing.stderr).toContain('The channels in no.mjs cannot be loaded: the file does not exist.');
    const unfit = await runCli(['serve', 'shop.gg', '--channels', 'io.mjs'], { directory });
    expect(unfit.code).toBe(1);
    expect(unfit.stderr).toMatch(/GG5006.*shelv/);
    expect(unfit.stderr).toContain('Did you mean shelf?');
    expect(unfit.stderr).toContain('io.mjs');
    expect(unfit.stderr).toContain('GG5010');
  });
});
