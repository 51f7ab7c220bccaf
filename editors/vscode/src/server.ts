// The language server of the extension, as a program.

import { readFileSync } from 'node:fs';
import { startLanguageServer } from '../../../src/tools/language-server/node-server.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
process.exitCode = await startLanguageServer({
  input: process.stdin,
  output: process.stdout,
  version,
  pages: `${new URL('docs/diagnostics/', import.meta.url)}{code}.md`,
  analysisWorker: new URL('./analysis-worker.mjs', import.meta.url),
});
