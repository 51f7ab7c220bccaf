// The channels of orders.gg: which node reaches the outside world, and over what.

import { createHttpJsonChannel, createJsonLinesChannel } from 'gg-svc';

/**
 * @param {{ prices: string, inbox: string, shipments: string }} places the address of the price service, the
 * file that orders come in by, and the file that shipments go into
 */
export function createChannels({ prices, inbox, shipments }) {
  return [
    createHttpJsonChannel({ node: 'price_service', direction: 'in', url: `${prices}/prices/{sku}` }),
    createJsonLinesChannel({ node: 'order_inbox', direction: 'in', path: inbox }),
    createJsonLinesChannel({ node: 'shipment', direction: 'out', path: shipments }),
  ];
}
