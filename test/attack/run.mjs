// Attacks every host and says how it stood it: `npm run attack`.
//
//   --short       Node's timeouts are shortened, and how long the good client waits is not judged
//   --only text   the hosts whose name holds the text

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundlePrograms, withProgramFolder } from '../programs/bundle.mjs';

await withProgramFolder('attack', async (folder) => {
  const programs = ['main', 'target', 'good-client'].map((name) => `test/attack/${name}.ts`);
  await bundlePrograms(programs, folder);
  const { main } = await import(pathToFileURL(join(folder, 'main.mjs')).href);
  process.exitCode = await main(folder, process.argv.slice(2));
});
