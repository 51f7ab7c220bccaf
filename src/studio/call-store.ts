import type { Call, CallSummary } from './protocol.js';
import { type EndedCall, readCall } from './read-call.js';

/** The number of calls that are kept for each operation. */
export const keptCalls = 50;

/** The limit of all kept texts together, in UTF-16 code units. */
const maxSize = 16 * 1024 * 1024;

/** The last calls of each operation, in bounded memory. */
export class CallStore {
  readonly #rings = new Map<string, (EndedCall | Call)[]>();
  readonly #touched = new Set<string>();
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
    ring.push(call);
    this.#touched.add(coordinate);
  }

  /** Copies what is kept of the calls that were added. Returns their summaries, the oldest first. */
  settle(): readonly CallSummary[] {
    const settled: Call[] = [];
    for (const coordinate of this.#touched) {
      const ring = this.#rings.get(coordinate) ?? [];
      for (const [at, call] of ring.entries()) {
        if ('id' in call) continue;
        this.#count += 1;
        const made = readCall(`${this.#prefix}-${this.#count}`, coordinate, call);
        ring[at] = made;
        this.#calls.set(made.id, made);
        this.#size += sizeOf(made);
        settled.push(made);
      }
    }
    this.#touched.clear();
    this.#makeRoom();
    return settled.sort((one, other) => one.start - other.start).map(summaryOf);
  }

  /** The last calls of an operation, the newest first. */
  last(coordinate: string): readonly Call[] {
    const ring = this.#rings.get(coordinate) ?? [];
    return ring.filter((call): call is Call => 'id' in call).reverse();
  }

  find(id: string): Call | undefined {
    return this.#calls.get(id);
  }

  #makeRoom(): void {
    for (const call of this.#calls.values()) {
      if (this.#size <= maxSize) return;
      const ring = this.#rings.get(call.coordinate);
      ring?.splice(ring.indexOf(call), 1);
      this.#drop(call);
    }
  }

  #drop(call: EndedCall | Call | undefined): void {
    if (call === undefined || !('id' in call)) return;
    this.#calls.delete(call.id);
    this.#size -= sizeOf(call);
  }
}

/** The texts of a call, and a little for the rest of it. */
function sizeOf({ request, answer, spans }: Call): number {
  return 1024 + (request.body?.length ?? 0) + (answer?.length ?? 0) + spans.length * 256;
}

function summaryOf({ request: _, answer: __, spans: ___, races: ____, ...summary }: Call): CallSummary {
  return summary;
}
