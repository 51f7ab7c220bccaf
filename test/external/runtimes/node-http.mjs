// The hosts for Node, on a runtime with `node:http`: Yoga with WebSocket, and Apollo Server.

import { createAlphaServer, createBetaHttpServer } from 'gg-svc';
import { createServer } from './api.mjs';

const beta = createBetaHttpServer(createServer(['books.gg']));
const alpha = createBetaHttpServer(createAlphaServer({ topologies: ['books.gg'] }));

const listen = (http) =>
  new Promise((done) => {
    http.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${http.address().port}`));
  });
console.log(`${await listen(beta)} ${await listen(alpha)}`);
