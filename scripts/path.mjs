// Prints the way of one warm request through `src`: the files that it enters, in the order of their first function, with
// the number of calls. `docs/architecture.md` is checked against it.
//
//   npm run path -- 'GET /api/readUser?id=1'
//   npm run path -- 'POST /graphql {"query":"{ readUser(id: \"1\") { id name } }"}'
//   npm run path -- 'POST /api/saveUser {"input":{"name":"Ada"}}' --follow userSaved
//   npm run path -- compile
//
// The server is that of docs/examples/service.gg. `--follow` subscribes to an event over Server-Sent Events first, and
// ends with the event. `--functions` prints the names of the functions.

import { parseArgs } from 'node:util';
import { measureWalk } from './walk.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { follow: { type: 'string' }, functions: { type: 'boolean', default: false } },
});
const [request = 'GET /api/readUser?id=1'] = positionals;
const files = await measureWalk(request, values.follow);
const width = Math.max(...files.map(({ file }) => file.length));
for (const { file, calls, functions } of files) {
  const names = values.functions ? `  ${[...functions].join(' ')}` : '';
  console.log(`${file.padEnd(width)} ${String(calls).padStart(5)}${names}`);
}
console.log(`${files.length} files, ${files.reduce((sum, { calls }) => sum + calls, 0)} calls`);
