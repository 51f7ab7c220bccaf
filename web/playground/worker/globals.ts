// Globals of Node.js that the server reads.

export { Buffer } from 'buffer';

export const process = { env: {} as Record<string, string | undefined>, cwd: () => '/', once: () => {} };

export const setImmediate = (run: () => void) => setTimeout(run);
