/**
 * Makes a clock: the time in milliseconds since 1970. It follows the clock of the machine, but not behind the time that
 * has passed since it was made: a clock that is set back must not make expired credentials valid again.
 */
export function createSteadyClock(): () => number {
  const start = Date.now() - performance.now();
  return () => Math.max(Date.now(), start + performance.now());
}
