// The channels of orders.gg: which nodes are connected to which services and files. `gg-svc serve orders.gg` finds
// this file by its name; serve.mjs also runs the services.

import { createHttpJsonChannel, createJsonLinesChannel } from 'gg-svc/channels';

/**
 * @param {Record<string, string | undefined>} places `PRICES` and `PARTNER`, the URLs of the price services;
 * `INBOX`, the file of incoming orders; `SHIPMENTS`, the file for shipments
 */
export default function createChannels(places = process.env) {
  const { PRICES = 'http://127.0.0.1:8080', PARTNER = 'http://127.0.0.1:8081' } = places;
  const { INBOX = 'orders.jsonl', SHIPMENTS = 'shipments.jsonl' } = places;
  return [
    createHttpJsonChannel({ node: 'price_service', direction: 'in', url: `${PRICES}/prices/{sku}` }),
    createHttpJsonChannel({ node: 'partner_service', direction: 'in', url: `${PARTNER}/prices/{sku}` }),
    createJsonLinesChannel({ node: 'order_inbox', direction: 'in', path: INBOX }),
    createJsonLinesChannel({ node: 'shipment', direction: 'out', path: SHIPMENTS }),
  ];
}
