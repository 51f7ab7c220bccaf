// `server.fetch` below Bun.serve; the topology is a file.

import { createServer } from './api.mjs';

const server = createServer(['books.gg']);
// Bun would close an event stream that is idle for 10 s.
const { port } = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: server.fetch });
console.log(`http://127.0.0.1:${port}`);
