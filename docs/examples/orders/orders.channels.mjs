// The channels of orders.gg: which node reaches the outside world, and over what. `gg-svc serve orders.gg` finds
// this file by its name; serve.mjs brings an outside world with it.

import { createHttpJsonChannel, createJsonLinesChannel } from 'gg-svc/channels';

/**
 * @param {Record<string, string | undefined>} places `PRICES`, the address of the price service; `INBOX`, the file
 * that orders come in by; `SHIPMENTS`, the file that shipments go into
 */
export default function createChannels(places = process.env) {
  const { PRICES = 'http://127.0.0.1:8080', INBOX = 'orders.jsonl', SHIPMENTS = 'shipments.jsonl' } = places;
  return [
    createHttpJsonChannel({ node: 'price_service', direction: 'in', url: `${PRICES}/prices/{sku}` }),
    createJsonLinesChannel({ node: 'order_inbox', direction: 'in', path: INBOX }),
    createJsonLinesChannel({ node: 'shipment', direction: 'out', path: SHIPMENTS }),
  ];
}
