// Bundles the servers and the client, and lets one load the other: `npm run bench:http`.
//
//   --quick   fewer and shorter rounds, and no report
//   --rest    the rows of REST alone, and no report
//   --only    the rows whose title contains a text, and no report

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, twoProcessors, withProgramFolder } from '../../programs/bundle.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

await withProgramFolder('http', async (folder) => {
  const [traced, untraced] = [join(folder, 'traced'), join(folder, 'untraced')];
  await bundlePrograms(['test/bench/http/bench.ts'], folder);
  await bundlePrograms(['test/bench/http/server.ts'], traced);
  await bundlePrograms(['test/bench/http/server.ts'], untraced, [withoutTracing()]);
  const [client, server] = twoProcessors();
  const args = [
    join(folder, 'bench.mjs'),
    `--root=${root}`,
    `--traced=${join(traced, 'server.mjs')}`,
    `--untraced=${join(untraced, 'server.mjs')}`,
  ];
  if (server !== undefined) args.push(`--server-processor=${server}`);
  process.exitCode = runNode([...args, ...process.argv.slice(2)], client);
});

/** Puts in the place of tracing what a program without it would have. */
function withoutTracing() {
  const contents = `
    const span = new Proxy({}, { get: () => () => span });
    export const isTracing = () => false;
    export const withSvcSpan = (name, fn) => fn(span);
    export const withRemoteParent = (headers, fn) => fn();
    export const withTraceparent = (traceparent, fn) => fn();
    export const activeTraceId = () => undefined;
    export const activeTraceparent = () => undefined;
    export const spanContextOf = () => undefined;
    export const initSvcTracingFromEnv = () => {};
    export const svcTracer = {};`;
  return {
    name: 'without-tracing',
    setup({ onLoad }) {
      onLoad({ filter: /\/tracing\/svc-tracing\.ts$/ }, () => ({ contents, loader: 'js' }));
    },
  };
}
