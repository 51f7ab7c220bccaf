import type { Fault } from '../fault.js';

/** A network that stands still, shorter than events wait for their acknowledgement. */
export const pause: Fault = {
  name: 'pause',
  about: 'no connection carries anything for 2 s',
  needs: 'proxy',
  async run({ proxies, wait }) {
    for (const proxy of proxies) proxy.pause();
    await wait(2_000);
    for (const proxy of proxies) proxy.mend();
    return undefined;
  },
};
