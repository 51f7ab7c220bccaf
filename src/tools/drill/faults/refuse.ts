import type { Fault } from '../fault.js';

/** A broker and a database that are away, shorter than events wait for their acknowledgement. */
export const refuse: Fault = {
  name: 'refuse',
  about: 'all connections are cut, and new ones are refused for 3 s',
  needs: 'proxy',
  async run({ proxies, wait }) {
    for (const proxy of proxies) proxy.refuse();
    await wait(3_000);
    for (const proxy of proxies) proxy.mend();
    return undefined;
  },
};
