import { defined } from '../../base/values/defined.js';
import { redactText, secretsOf } from '../../runtime/logs/redact.js';
import type { Call, CallSummary } from './protocol.js';
import { type EndedCall, readCall, round } from './read-call.js';
import { shownBody } from './redact-call.js';

/** The number of calls that are kept for each operation. */
export const keptCalls = 50;

/** The limit of all kept texts together, in UTF-16 code units. */
const maxSize = 16 * 1024 * 1024;

/** The last calls of each operation, in bounded memory. */
export class CallStore {
  /** The calls of each operation that were added since the last time. They refer to their requests. */
  readonly #ended = new Map<string, EndedCall[]>();
  /** The kept calls of each operation, the oldest first. */
  readonly #rings = new Map<string, Call[]>();
  /** The same by id, the oldest first. */
  readonly #calls = new Map<string, Call>();
  readonly #prefix = Date.now().toString(36);
  #size = 0;
  #count = 0;

  add(coordinate: string, call: EndedCall): void {
    pushTo(this.#ended, coordinate, call);
  }

  /** Keeps the calls that were added since the last time. Returns their summaries, the oldest first. */
  take(): readonly CallSummary[] {
    const taken: CallSummary[] = [];
    // The clock of calls stands still while the machine sleeps.
    const origin = Date.now() - performance.now();
    for (const [coordinate, ended] of this.#ended) {
      for (const call of ended) {
        this.#count += 1;
        const summary = summaryOf(`${this.#prefix}-${this.#count}`, coordinate, call, origin);
        taken.push(summary);
        this.#keep(readCall(summary, call));
      }
    }
    this.#ended.clear();
    this.#makeRoom();
    return taken.sort((one, other) => one.start - other.start);
  }

  /** The last calls of an operation whose summaries were taken, the newest first. */
  last(coordinate: string): readonly Call[] {
    return [...(this.#rings.get(coordinate) ?? [])].reverse();
  }

  /** All kept calls, the oldest first. */
  all(): readonly Call[] {
    return [...this.#calls.values()];
  }

  find(id: string): Call | undefined {
    return this.#calls.get(id);
  }

  #keep(call: Call): void {
    this.#forget(pushTo(this.#rings, call.coordinate, call));
    this.#calls.set(call.id, call);
    this.#size += sizeOf(call);
  }

  #makeRoom(): void {
    for (const call of this.#calls.values()) {
      if (this.#size <= maxSize) return;
      // It is the oldest of all, so of its operation, too.
      this.#forget(this.#rings.get(call.coordinate)?.shift());
    }
  }

  #forget(call: Call | undefined): void {
    if (call === undefined) return;
    this.#calls.delete(call.id);
    this.#size -= sizeOf(call);
  }
}

/** Adds a call to the last ones of an operation. Returns the one that is dropped for it. */
function pushTo<Item>(rings: Map<string, Item[]>, coordinate: string, item: Item): Item | undefined {
  const ring = rings.get(coordinate);
  if (ring === undefined) rings.set(coordinate, [item]);
  else ring.push(item);
  return ring !== undefined && ring.length > keptCalls ? ring.shift() : undefined;
}

function sizeOf({ request, answer, spans }: Call): number {
  return 1024 + (request.body?.length ?? 0) + (answer?.length ?? 0) + spans.length * 256;
}

function summaryOf(id: string, coordinate: string, call: EndedCall, origin: number): CallSummary {
  const { protocol, start, end, errors, run, request, label } = call;
  const status = protocol === 'ws' ? undefined : call.status;
  const times = { start: origin + start, duration: round(end - start) };
  const caller = run?.caller ?? request?.source.principal?.id;
  const given = run?.argumentsOf(label) ?? {};
  const isGiven = Object.keys(given).length > 0;
  const secrets = isGiven && request !== undefined ? secretsOf(request.source) : [];
  const shown = isGiven ? shownBody(JSON.stringify(given), secrets, maxArguments) : undefined;
  return defined({
    ...{ id, coordinate, protocol, ...times, status, errors },
    ...{ run: run?.chainRun, caller: caller && redactText(caller, []), arguments: shown },
  });
}

/** The characters of the arguments of a call in its summary. */
const maxArguments = 200;
