/**
 * Makes a clock: the time in milliseconds since 1970. It follows the clock of the machine, but
 * never falls behind the time since it was made: a clock that is set back must not make expired credentials valid.
 */
export function createSteadyClock(): () => number {
  const start = Date.now() - performance.now();
  return () => Math.max(Date.now(), start + performance.now());
}
