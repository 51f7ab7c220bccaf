import { vi } from 'vitest';

/** The milliseconds of an hour. */
export const hour = 3_600_000;

/** Moves the clock of the process, which goes on from there; `vi.unstubAllGlobals` puts it right. */
export function jump(by: number): void {
  const Before = Date;
  const Moved = class extends Before {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [Moved.now()] : given) as [number]));
    }
    static override now() {
      return Before.now() + by;
    }
  };
  vi.stubGlobal('Date', Moved);
}
