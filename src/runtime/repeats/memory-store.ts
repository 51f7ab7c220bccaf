import { baseOf, firstCharge, isWithinShare, overhead } from './fair-share.js';
import type { Lease, RepeatStore, StoreBounds, StoredKey, Taken } from './repeat-store.js';

const defaultSize = 64 << 20;

interface Entry extends StoredKey {
  state: 'running' | 'changed' | 'answered';
  text: string;
  charge: number;
  lease: { readonly settled: Promise<void>; settle(): void } | undefined;
}

/** Keeps calls in the memory of the process. Runs end with it, so a lease has no time of its own. */
export class MemoryStore implements RepeatStore {
  readonly #entries = new Map<string, Entry>();
  /** When the keys without a lease expire. All have the same ttl, so the first one expires first. */
  readonly #ends = new Map<string, number>();
  readonly #used = new Map<string, number>();
  #total = 0;

  constructor(private readonly bounds: StoreBounds) {}

  get #size(): number {
    return this.bounds.size ?? defaultSize;
  }

  async take(key: StoredKey): Promise<Taken> {
    const now = performance.now();
    this.#dropExpired(now);
    const entry = this.#entries.get(key.id);
    if (entry === undefined) return this.#begin(key, now);
    if (entry.fingerprint !== key.fingerprint) return { kind: 'reused' };
    if (entry.lease !== undefined) return { kind: 'busy', settled: entry.lease.settled };
    if (entry.state === 'answered') return { kind: 'answered', text: entry.text };
    if (entry.state === 'running') return { kind: 'unknown' };
    return { kind: 'changed', lease: this.#lend(entry), text: entry.text };
  }

  #begin(key: StoredKey, now: number): Taken {
    if (!this.#hasRoom(key.account, firstCharge)) {
      const isGreedy = this.#usedBy(key.account) + firstCharge > baseOf(this.#size);
      const [next = now] = this.#ends.values();
      return { kind: 'full', isGreedy, wait: next - now };
    }
    const entry: Entry = { ...key, state: 'running', text: '', charge: 0, lease: undefined };
    this.#entries.set(key.id, entry);
    this.#charge(entry, firstCharge);
    return { kind: 'first', lease: this.#lend(entry) };
  }

  #lend(entry: Entry): Lease {
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    entry.lease = { settled, settle };
    this.#ends.delete(entry.id);
    return {
      write: async (state, texts) => {
        this.#write(entry, state, texts);
        if (state === 'answered') this.#release(entry);
      },
      end: async (how) => {
        this.#release(entry);
        if (how === 'forget') this.#drop(entry);
      },
    };
  }

  #write(entry: Entry, state: 'changed' | 'answered', texts: readonly string[]): void {
    const fits = (text: string): boolean => this.#hasRoom(entry.account, chargeOf(text) - entry.charge);
    entry.state = state;
    entry.text = texts.find(fits) ?? texts.at(-1) ?? '';
    this.#charge(entry, chargeOf(entry.text));
  }

  #release(entry: Entry): void {
    entry.lease?.settle();
    entry.lease = undefined;
    this.#ends.set(entry.id, performance.now() + this.bounds.ttl);
  }

  #dropExpired(now: number): void {
    for (const [id, end] of this.#ends) {
      if (end > now) return;
      const entry = this.#entries.get(id);
      if (entry !== undefined) this.#drop(entry);
    }
  }

  #drop(entry: Entry): void {
    this.#charge(entry, 0);
    this.#entries.delete(entry.id);
    this.#ends.delete(entry.id);
  }

  #usedBy(account: string): number {
    return this.#used.get(account) ?? 0;
  }

  #hasRoom(account: string, more: number): boolean {
    return more <= 0 || isWithinShare(this.#usedBy(account) + more, this.#total + more, this.#size);
  }

  #charge(entry: Entry, charge: number): void {
    const own = this.#usedBy(entry.account) + charge - entry.charge;
    this.#total += charge - entry.charge;
    entry.charge = charge;
    if (own > 0) this.#used.set(entry.account, own);
    else this.#used.delete(entry.account);
  }
}

function chargeOf(text: string): number {
  return overhead + Buffer.byteLength(text);
}
