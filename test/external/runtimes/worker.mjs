// A worker: it has no files, so the topology is a part of the bundle.

import { createServer } from './api.mjs';
import source from './books.gg';

const server = createServer([{ name: 'books.gg', source }]);

export default { fetch: (request) => server.fetch(request) };
