export interface RepeatStore {
  /** Takes a key for a run, or tells what is known of its first run. Rejects if the store cannot be reached. */
  take(key: StoredKey): Promise<Taken>;
}

/** A key in a store; all three are hashes. */
export interface StoredKey {
  readonly id: string;
  readonly account: string;
  readonly fingerprint: string;
}

export type Taken =
  | { readonly kind: 'first'; readonly lease: Lease }
  /** Something was changed, and no process works on it any more: this run has it now. */
  | { readonly kind: 'changed'; readonly lease: Lease; readonly text: string }
  | { readonly kind: 'answered'; readonly text: string }
  /** Another run has it. `settled` resolves when it is worth to ask again. */
  | { readonly kind: 'busy'; readonly settled: Promise<void> }
  /** The first run ended before it could tell whether it changed something. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'reused' }
  | Full;

/** The key is new, and there is no room for it. */
export interface Full {
  readonly kind: 'full';
  /** Whether the account uses more than its base; otherwise too many accounts use theirs. */
  readonly isGreedy: boolean;
  /** When the next key expires, in milliseconds from now. */
  readonly wait: number;
}

/** The right of one run to change the state of a key. Nothing here rejects. */
export interface Lease {
  /**
   * Sets the state. `answered` ends the lease.
   *
   * @param texts - What to keep; the first that there is room for. There is always room for the last one.
   */
  write(state: 'changed' | 'answered', texts: readonly string[]): Promise<void>;
  /** Ends the lease. A key that is not forgotten stays in its state. */
  end(how: 'forget' | 'keep'): Promise<void>;
}

export interface StoreBounds {
  /** How long a key is kept after its run, in milliseconds. */
  readonly ttl: number;
  /** In bytes. */
  readonly size?: number | undefined;
}
