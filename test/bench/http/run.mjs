// Bundles the servers and the client, and lets one load the other: `npm run bench:http`.
//
//   --quick   fewer and shorter rounds, and no report
//   --rest    the rows of REST alone, and no report
//   --many    the rows of answers with many objects, into a report of their own
//   --only    the rows whose title contains a text, and no report

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode, twoProcessors, withProgramFolder } from '../../programs/bundle.mjs';
import { bundleBenchmark } from './bundle.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

await withProgramFolder('http', async (folder) => {
  const [traced, untraced] = await bundleBenchmark(folder);
  const [client, server] = twoProcessors();
  const args = [join(folder, 'bench.mjs'), `--root=${root}`, `--traced=${traced}`, `--untraced=${untraced}`];
  if (server !== undefined) args.push(`--server-processor=${server}`);
  process.exitCode = runNode([...args, ...process.argv.slice(2)], client);
});
