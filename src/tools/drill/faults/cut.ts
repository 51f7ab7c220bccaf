import type { Fault } from '../fault.js';

/** Connections that end while they are used. */
export const cut: Fault = {
  name: 'cut',
  about: 'all connections are cut, three times',
  needs: 'proxy',
  async run({ proxies, ended }) {
    for (let count = 0; count < 3; count++) {
      for (const proxy of proxies) proxy.cut();
      await ended(5);
    }
    return undefined;
  },
};
