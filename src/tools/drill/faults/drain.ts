import type { Fault } from '../fault.js';

/** Processes that are replaced, as in a rolling release. */
export const drain: Fault = {
  name: 'drain',
  about: 'each server is stopped (SIGTERM) and started again',
  async run({ servers, ended }) {
    for (const server of servers) {
      await server.stop('SIGTERM');
      await ended(3);
      await server.start();
      await ended(3);
    }
    return undefined;
  },
};
