import { createServer } from 'node:net';

/**
 * The next port to try. The ports are below those that the system chooses by itself, and each process has its own: what
 * starts in between does not get them.
 */
let next = 11_000 + (process.pid % 500) * 20;

/** A port on which nothing listens. The one that is 10,000 above it is not chosen by the system either (metrics use it). */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next++;
    const probe = createServer();
    const isFree = await new Promise<boolean>((done) => {
      probe.once('error', () => done(false));
      probe.listen(port, () => probe.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
