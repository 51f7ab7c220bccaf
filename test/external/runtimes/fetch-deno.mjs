// `server.fetch` below Deno.serve; the topology is a file.

import { createServer } from './api.mjs';

const server = createServer(['books.gg']);
const onListen = ({ port }) => console.log(`http://127.0.0.1:${port}`);
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, (request) => server.fetch(request));
