import type { Fault } from '../fault.js';

/** Processes that end at once, as with a loss of power. */
export const kill: Fault = {
  name: 'kill',
  about: 'each server is killed (SIGKILL) and started again',
  async run({ servers, ended }) {
    for (const server of servers) {
      await server.stop('SIGKILL');
      await ended(3);
      await server.start();
      await ended(3);
    }
    return undefined;
  },
};
