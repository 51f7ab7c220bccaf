import type { Fault } from '../fault.js';

/** Requests that change something: those of the brokers, and the ends of transactions. */
const writes = /\b(?:commit|insert into)\b|gg-svc-store|^H?PUB |evalsha|\r\neval\r\n|\r\npublish\r\n/im;

/** Changes that are made, although their servers do not hear of it. */
export const lostAnswer: Fault = {
  name: 'lost-answer',
  about: 'connections are cut between a write and its answer, three times',
  needs: 'proxy',
  async run({ proxies, ended }) {
    let hits = 0;
    for (let count = 0; count < 3; count++) {
      const caught = proxies.map((proxy) => proxy.catch({ request: writes, isSent: true }));
      hits += await Promise.race([Promise.any(caught).then(() => 1), ended(20).then(() => 0)]);
      for (const proxy of proxies) proxy.mend();
      await ended(2);
    }
    return hits;
  },
};
