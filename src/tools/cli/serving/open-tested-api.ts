import { drainHttpServer } from '../../../runtime/hosts/node/drain.js';
import { createHostListener } from '../../../runtime/hosts/node/listeners.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import type { Invocation } from '../terminal/command.js';
import { requireValid } from '../terminal/report-findings.js';
import { listen } from './listen.js';
import { createLoaders, openChannels } from './modules.js';
import { openApi } from './open-api.js';

/**
 * Serves the API of a topology on a free port of this machine, or takes the one at a URL.
 *
 * @returns undefined if the topology or its modules have errors, which have been reported.
 */
export async function openTestedApi(started: Invocation, url: string | undefined) {
  const { operands, options, io } = started;
  if (url !== undefined) {
    const topology = await readTopology(operands, io, options);
    const { schema } = requireValid(joinFederation(topology, options), io);
    return { schema, origin: url.replace(/\/+$/, ''), close: () => Promise.resolve() };
  }
  const outside = await openChannels(started);
  const forgetRejections = io.onUnhandledRejection((reason) => {
    io.stderr(`warning: unhandled promise rejection: ${String(reason)}\n`);
  });
  const closeAll = async (): Promise<void> => {
    forgetRejections();
    await outside.close();
  };
  const federation = options.federation === false ? false : undefined;
  const own = { names: {}, engine: 'beta', federation, outside } as const;
  const opened = await openApi(started, own, createLoaders(io));
  if (!opened.ok) {
    await closeAll();
    return undefined;
  }
  const { server, schema } = opened;
  const { origin, http } = await listen(await createHostListener('node', () => server), 0, '127.0.0.1');
  return {
    schema,
    origin,
    close: async () => {
      // No other client sends requests, so there is nothing to announce.
      await drainHttpServer(http, server, { notice: 0, grace: 0 });
      await closeAll();
    },
  };
}
