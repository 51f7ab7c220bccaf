import type { Begun, RepeatStore } from './repeat-store.js';

/** The maximum length of all answers together, and their maximum number. */
const maxTotal = 64 << 20;
const maxAnswers = 100_000;

/** What an answer takes beyond its text. */
const overhead = 500;

interface Entry {
  readonly fingerprint: string;
  /** Undefined while the first request runs. */
  answer: string | undefined;
  expiresAt: number;
  settled: Promise<void>;
}

/** Keeps answers in the memory of the process. Beyond a total size, those that were not used for longest are dropped. */
export function createMemoryStore(ttl: number): RepeatStore {
  const entries = new Map<string, Entry>();
  let total = 0;
  const drop = (id: string): void => {
    const entry = entries.get(id);
    if (entry === undefined || !entries.delete(id)) return;
    total -= sizeOf(entry);
  };
  const bound = (): void => {
    for (const [id, { answer }] of entries) {
      if (total <= maxTotal && entries.size <= maxAnswers) return;
      if (answer !== undefined) drop(id);
    }
  };
  return {
    begin(id, fingerprint): Promise<Begun> {
      const found = entries.get(id);
      if (found !== undefined && found.expiresAt > performance.now()) {
        // The order of the map is that of the last use.
        entries.delete(id);
        entries.set(id, found);
        return Promise.resolve(found);
      }
      drop(id);
      let settle = (): void => undefined;
      const settled = new Promise<void>((resolve) => {
        settle = resolve;
      });
      const entry: Entry = { fingerprint, answer: undefined, expiresAt: Number.POSITIVE_INFINITY, settled };
      entries.set(id, entry);
      const run = {
        keep(answer: string): void {
          entry.answer = answer;
          entry.expiresAt = performance.now() + ttl;
          total += sizeOf(entry);
          bound();
          settle();
        },
        release(): void {
          drop(id);
          settle();
        },
      };
      return Promise.resolve({ run });
    },
  };
}

function sizeOf({ answer }: Entry): number {
  return answer === undefined ? 0 : answer.length + overhead;
}
