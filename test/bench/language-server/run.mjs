// Bundles the benchmark of the language server and the program that it talks to, and runs it:
// `npm run bench:lsp`.
//
//   --quick   fewer rounds

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms, runNode, twoProcessors, withProgramFolder } from '../../programs/bundle.mjs';

await withProgramFolder('bench-lsp', async (folder) => {
  const sources = ['src/tools/cli/gg-svc.ts', 'src/tools/language-server/analysis/analysis-worker.ts'];
  await bundlePrograms(['test/bench/language-server/bench.ts', ...sources], folder);
  const [client, server] = twoProcessors();
  const args = [
    '--expose-gc',
    join(folder, 'bench.mjs'),
    `--program=${join(folder, 'gg-svc.mjs')}`,
    `--report=${fileURLToPath(new URL('../REPORT-LSP.md', import.meta.url))}`,
  ];
  if (server !== undefined) args.push(`--server-processor=${server}`);
  process.exitCode = runNode([...args, ...process.argv.slice(2)], client);
});
