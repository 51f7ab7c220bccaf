import { runContender } from './contender-process.js';
import { contenders } from './contenders.js';
import type { ContenderName } from './rows.js';

await runContender(contenders[process.argv[2] as ContenderName]);
