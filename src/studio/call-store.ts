import type { Call, CallSummary } from './protocol.js';
import { type EndedCall, readCall, round } from './read-call.js';

/** The number of calls that are kept for each operation. */
const keptCalls = 50;

/** The limit of all kept texts together, in UTF-16 code units. */
const maxSize = 16 * 1024 * 1024;

/** A call that is kept. */
interface Entry {
  /** Undefined until its summary was taken. */
  id: string | undefined;
  call: EndedCall | Call;
}

/** The last calls of each operation, in bounded memory. */
export class CallStore {
  readonly #rings = new Map<string, Entry[]>();
  /** The operations whose summaries were not taken. */
  readonly #called = new Set<string>();
  /** The operations whose calls refer to their requests. */
  readonly #unsettled = new Set<string>();
  /** The settled calls by id, the oldest first. */
  readonly #calls = new Map<string, Call>();
  readonly #prefix = Date.now().toString(36);
  #size = 0;
  #count = 0;

  add(coordinate: string, call: EndedCall): void {
    let ring = this.#rings.get(coordinate);
    if (ring === undefined) {
      ring = [];
      this.#rings.set(coordinate, ring);
    }
    if (ring.length === keptCalls) this.#drop(ring.shift());
    ring.push({ id: undefined, call });
    this.#called.add(coordinate);
  }

  /** The summaries of the calls that were added since the last time, the oldest first. */
  take(): readonly CallSummary[] {
    const taken: CallSummary[] = [];
    for (const coordinate of this.#called) {
      this.#unsettled.add(coordinate);
      for (const entry of this.#rings.get(coordinate) ?? []) {
        if (entry.id !== undefined || 'id' in entry.call) continue;
        this.#count += 1;
        entry.id = `${this.#prefix}-${this.#count}`;
        taken.push(summaryOf(entry.id, coordinate, entry.call));
      }
    }
    this.#called.clear();
    return taken.sort((one, other) => one.start - other.start);
  }

  /** Copies what is kept of the calls, which then refer to nothing of their requests. */
  settle(): void {
    for (const coordinate of this.#unsettled) {
      for (const entry of this.#rings.get(coordinate) ?? []) {
        const { id, call } = entry;
        if (id === undefined || 'id' in call) continue;
        const settled = readCall(summaryOf(id, coordinate, call), call);
        entry.call = settled;
        this.#calls.set(id, settled);
        this.#size += sizeOf(settled);
      }
    }
    this.#unsettled.clear();
    this.#makeRoom();
  }

  /** The last calls of an operation whose summaries were taken, the newest first. */
  last(coordinate: string): readonly Call[] {
    this.settle();
    const ring = this.#rings.get(coordinate) ?? [];
    return ring.flatMap(({ call }) => ('id' in call ? [call] : [])).reverse();
  }

  find(id: string): Call | undefined {
    this.settle();
    return this.#calls.get(id);
  }

  #makeRoom(): void {
    for (const call of this.#calls.values()) {
      if (this.#size <= maxSize) return;
      const ring = this.#rings.get(call.coordinate) ?? [];
      const [dropped] = ring.splice(
        ring.findIndex(({ id }) => id === call.id),
        1,
      );
      this.#drop(dropped);
    }
  }

  #drop(entry: Entry | undefined): void {
    if (entry === undefined || !('id' in entry.call)) return;
    this.#calls.delete(entry.call.id);
    this.#size -= sizeOf(entry.call);
  }
}

/** The texts of a call, and a little for the rest of it. */
function sizeOf({ request, answer, spans }: Call): number {
  return 1024 + (request.body?.length ?? 0) + (answer?.length ?? 0) + spans.length * 256;
}

function summaryOf(id: string, coordinate: string, call: EndedCall): CallSummary {
  const { protocol, start, end, status, errors } = call;
  return {
    ...{ id, coordinate, protocol, start: performance.timeOrigin + start, duration: round(end - start) },
    ...(status === undefined || protocol === 'ws' ? {} : { status }),
    errors,
  };
}
