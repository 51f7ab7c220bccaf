// Runs the example with one command: node docs/examples/orders/serve.mjs [port]
// It includes the external systems: two price services on other ports, and a file of orders in a temporary
// folder, which is deleted when the example ends.

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  buildRuntimeIoProjectionLayer,
  compile,
  createBetaHttpServer,
  createGqlServer,
  drainHttpServer,
} from 'gg-svc';
import createChannels from './orders.channels.mjs';

const topology = fileURLToPath(new URL('orders.gg', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gg-svc-orders-'));
const places = {
  PRICES: '',
  PARTNER: '',
  INBOX: join(folder, 'orders.jsonl'),
  SHIPMENTS: join(folder, 'shipments.jsonl'),
};
copyFileSync(new URL('orders.jsonl', import.meta.url), places.INBOX);

const cents = new Map([
  ['tea', 450],
  ['cup', 900],
]);
/** @type {import('node:http').RequestListener} */
const answerPrice = async (request, response) => {
  const sku = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
  // Either service may be the first to answer.
  await setTimeout(Math.random() * 40);
  response.setHeader('content-type', 'application/json');
  response.statusCode = cents.has(sku) ? 200 : 404;
  response.end(JSON.stringify({ sku, cents: cents.get(sku) }));
};
const priceService = createServer(answerPrice);
const partnerService = createServer(answerPrice);
places.PRICES = await listen(priceService, 0);
places.PARTNER = await listen(partnerService, 0);

const { ast } = compile({ name: topology, source: readFileSync(topology, 'utf8') });
const layer = buildRuntimeIoProjectionLayer({ graph: ast, channels: createChannels(places) });
const server = createGqlServer({ topologies: [topology], layers: [layer], title: 'Orders' });
const http = createBetaHttpServer(server);
const origin = await listen(http, Number(process.argv[2] ?? 4000));

console.log(`
The API       ${origin}
An order      echo '{"id":"3","sku":"tea","count":4}' >> ${places.INBOX}
The shipments cat ${places.SHIPMENTS}

curl '${origin}/api/price?sku=tea'
curl '${origin}/api/offer?sku=tea'
curl '${origin}/api/orders?sku=tea'
curl -N ${origin}/graphql -H 'accept: text/event-stream' -H 'content-type: application/json' \\
  -d '{"query":"subscription { shipmentSent { id order } }"}'
curl ${origin}/api/shipment -H 'content-type: application/json' \\
  -d '{"input":{"id":"s1","order":"1","to":"Ada, Hamburg"}}'

Ctrl-C ends it.`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await drainHttpServer(http, server, { grace: 2_000 });
    await layer.close();
    priceService.close();
    partnerService.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** @param {import('node:http').Server} server @param {number} port 0 for any that is free */
function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`);
    });
  });
}
