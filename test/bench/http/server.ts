import { contenders } from './contenders.js';
import type { ContenderName } from './rows.js';

/** A process that is one contender: it says its port on a line of its own, and serves until it is ended. */
const start = contenders[process.argv[2] as ContenderName];
console.log(JSON.stringify({ port: await start() }));
