import { drainHttpServer } from '../../hosts/node/drain.js';
import { createHostListener } from '../../hosts/node/listeners.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { joinFederation, readTopology } from '../files/read-topology.js';
import type { CliOptions } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { requireValid } from '../terminal/report-findings.js';
import { listen } from './listen.js';
import { readContext } from './load-context.js';
import { readResolvers } from './load-resolvers.js';
import { createModuleLoader } from './module-loader.js';
import { openApi } from './open-api.js';
import { openChannels } from './open-channels.js';

/** An API to test. */
export interface TestedApi {
  readonly schema: GqlSchema;
  /** Its URL, without a final slash. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves the API of a topology on a free port of this machine, or takes the one at a URL.
 *
 * @returns undefined if the topology or its modules have errors, which have been reported.
 */
export async function openTestedApi(
  operands: readonly string[],
  options: CliOptions,
  url: string | undefined,
  io: CliIo,
): Promise<TestedApi | undefined> {
  if (url !== undefined) {
    const topology = await readTopology(operands, io, options);
    const { schema } = requireValid(joinFederation(topology, options), io);
    return { schema, origin: url.replace(/\/+$/, ''), close: () => Promise.resolve() };
  }
  const outside = await openChannels(operands, options, io);
  const forgetRejections = io.onUnhandledRejection((reason) => {
    io.stderr(`warning: unhandled promise rejection: ${String(reason)}\n`);
  });
  const closeAll = async (): Promise<void> => {
    forgetRejections();
    await outside.close();
  };
  const loaders = {
    resolvers: createModuleLoader(io.directory, false, 'GG5001', readResolvers),
    context: createModuleLoader(io.directory, false, 'GG5051', readContext),
  };
  const federation = options.federation === false ? false : undefined;
  const opened = await openApi(
    operands,
    { ...options, names: {}, engine: 'beta', federation, outside },
    io,
    loaders,
  );
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
