import type { Fault } from '../fault.js';

/** The project as it is, with which the faults are compared. */
export const none: Fault = {
  name: 'none',
  about: 'nothing breaks',
  async run({ ended }) {
    await ended(20);
    return undefined;
  },
};
