import { createInterface } from 'node:readline';

/**
 * Makes this process one contender. It writes its port as a line of JSON and serves until it is killed. For each line that
 * it reads, it writes the processor time that it has used, user and system, in microseconds.
 */
export async function runContender(start: () => number | Promise<number>): Promise<void> {
  console.log(JSON.stringify({ port: await start() }));
  createInterface({ input: process.stdin }).on('line', () => {
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ microseconds: user + system }));
  });
}
