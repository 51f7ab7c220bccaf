import { randomBytes } from 'node:crypto';
import type { Analysis } from '../../../compiler/analyze.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { bearerJwt } from '../../../runtime/auth/bearer-jwt.js';
import { PeerMissingError } from '../../../runtime/load/load-peer.js';
import { DemoTraffic } from '../../workflows/demo/demo-traffic.js';
import { signCallers } from '../../workflows/step-callers.js';
import { emitArtifacts } from '../files/artifacts.js';
import { joinFederation } from '../files/read-topology.js';
import { ownSigning } from '../files/signing.js';
import { emitTypes, readTypeOptions, typeOptions } from '../files/types.js';
import { replaceFile, writeFiles } from '../files/write-files.js';
import { runServer } from '../serving/run-server.js';
import { serverOptions } from '../serving/server-options.js';
import { listCallers } from '../terminal/callers.js';
import { type CliCommand, type CliOptions, CommandFailure, UsageError } from '../terminal/command.js';
import type { CliIo } from '../terminal/io.js';
import { readEmitOptions, readText } from '../terminal/option-values.js';
import { reportBug, reportFindings } from '../terminal/report-findings.js';

export const command: CliCommand = {
  project: 'files',
  options: {
    ...serverOptions,
    '-t, --types <file>': 'write TypeScript types after each change of a topology without errors',
    '-o, --out <directory>': 'write the artifacts after each change of a topology without errors',
    '--demo': 'serve the mock and call all operations with examples, again and again',
    '--no-studio': 'do not serve the studio at /_gg/',
    '--allowed-hosts <names>': 'further host names to answer besides localhost, separated by commas',
    ...typeOptions,
  },
  async run(operands, options, io) {
    // Validates the options now rather than after the first build.
    readTypeOptions(options);
    if (operands.includes('-')) throw new UsageError('dev cannot watch standard input; pass a file.');
    const isDemo = options.demo === true;
    if (isDemo) io.stdout(demoNotice);
    return runServer(
      { operands, options: isDemo ? { ...options, mock: true } : options, io },
      {
        isDev: true,
        isWatching: true,
        allowedHosts: readText(options, 'allowedHosts')?.split(',') ?? [],
        onChecked: (topology) => writeOutputs(topology, options, io),
        ...(isDemo && { traffic: makeTraffic(options, io) }),
      },
    );
  },
};

const demoNotice =
  'Example calls get example rows, and change no data of the project: only the modules of --resolvers and --channels run.\n';

/**
 * Example calls of the callers of the project, or of one without any. The server of this run accepts their tokens. Without
 * example calls, it goes on.
 */
function makeTraffic(options: CliOptions, io: CliIo) {
  const stopped = (error: unknown) => {
    if (error instanceof PeerMissingError) reportFindings([error.diagnostic], [], io);
    else reportBug(error, io);
  };
  const demo = new DemoTraffic(io.clock, stopped);
  const signing = ownSigning('gg-svc dev --demo', randomBytes(32));
  const listed = listCallers(options);
  const senders = listed.length > 0 ? listed : [{ id: 'demo', scopes: [], roles: [], claims: {} }];
  const { owners } = options.project?.server ?? {};
  return {
    authenticator: bearerJwt(signing),
    async follow(schema: GqlSchema, origin: string): Promise<void> {
      try {
        const callers = schema.security === undefined ? [] : await signCallers(senders, signing);
        demo.follow({ schema, origin, callers, owners });
      } catch (error) {
        stopped(error);
      }
    },
    close: () => demo.close(),
  };
}

/** Writes the requested files. Failures are printed and do not stop the server. */
async function writeOutputs(topology: Analysis, options: CliOptions, io: CliIo): Promise<void> {
  const attempt = async (write: () => Promise<readonly string[]>): Promise<void> => {
    try {
      for (const path of await write()) io.stdout(`wrote ${path}\n`);
    } catch (error) {
      if (error instanceof CommandFailure) reportFindings(error.diagnostics, error.sources, io);
      // A scalar of the command line may be missing from the topology while it is being edited.
      else if (error instanceof UsageError) io.stderr(`error: ${error.message}\n`);
      else throw error;
    }
  };
  const out = readText(options, 'out');
  const types = readText(options, 'types');
  if (out !== undefined) {
    await attempt(async () => {
      const { schema } = joinFederation(topology, options);
      const wanted = options.project?.outputs?.files;
      const files = emitArtifacts(schema, readEmitOptions(options), true, wanted);
      return (await writeFiles(out, files, io)).written;
    });
  }
  if (types !== undefined) {
    await attempt(async () => {
      const text = emitTypes(topology.schema, readTypeOptions(options));
      return (await replaceFile(types, text, io)) ? [types] : [];
    });
  }
}
