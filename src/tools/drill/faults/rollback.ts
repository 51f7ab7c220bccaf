import type { Fault } from '../fault.js';
import type { TcpProxy } from '../proxy.js';

/** Transactions that PostgreSQL rolls back, because their connections end before the commit. */
export const rollback: Fault = {
  name: 'rollback',
  about: 'connections are cut in place of a write or COMMIT, three times',
  needs: 'database',
  async run({ database, ended }) {
    let hits = 0;
    for (let count = 0; count < 3; count++) {
      const caught = (database as TcpProxy).catch({ request: /\b(?:commit|insert into)\b/i, isSent: false });
      hits += await Promise.race([caught.then(() => 1), ended(20).then(() => 0)]);
      database?.mend();
      await ended(2);
    }
    return hits;
  },
};
