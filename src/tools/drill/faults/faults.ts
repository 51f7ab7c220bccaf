import type { Fault } from '../fault.js';
import { cut } from './cut.js';
import { drain } from './drain.js';
import { kill } from './kill.js';
import { lostAnswer } from './lost-answer.js';
import { none } from './none.js';
import { pause } from './pause.js';
import { refuse } from './refuse.js';
import { rollback } from './rollback.js';

/** All faults, in the order of a drill. */
export const faults: readonly Fault[] = [none, cut, pause, refuse, lostAnswer, rollback, kill, drain];
