const started = { wall: Date.now(), steady: performance.now() };

/**
 * The time in milliseconds since 1970. It follows the clock of the machine, but not behind the time that has passed
 * since the process started: a clock that is set back must not make expired credentials valid again.
 */
export function steadyNow(): number {
  return Math.max(Date.now(), started.wall + performance.now() - started.steady);
}
