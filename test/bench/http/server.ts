import { createInterface } from 'node:readline';
import { contenders } from './contenders.js';
import type { ContenderName } from './rows.js';

/**
 * A process that is one contender. It writes its port as a line of JSON and serves until it is killed. For each line
 * that it reads, it writes the processor time that it has used, user and system, in microseconds.
 */
const start = contenders[process.argv[2] as ContenderName];
console.log(JSON.stringify({ port: await start() }));
createInterface({ input: process.stdin }).on('line', () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ microseconds: user + system }));
});
