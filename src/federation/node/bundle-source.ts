import { resolve } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { ReadBytes } from '../../read/read-bytes.js';
import { answerFrom, type BundleState } from '../bundle-records.js';
import type { FederationProjectionSource, FederationSourceStatus } from '../source.js';
import type { Trust } from '../trust-policy.js';
import { staleAfter } from '../verify-bundle.js';
import { FederationError } from './federation-error.js';
import { readFederationFile } from './read-federation-file.js';
import { readTrust, verifyInSlices } from './verify-bundle.js';

/** Where a signed bundle is, and whose signatures count. */
export interface FederationBundleOptions {
  /** The path or the URL of the bundle. */
  readonly bundle: string;
  /** The path of the trust policy. It comes from its reader's own hand, so no URL is taken. */
  readonly trust: string;
  /** Every how many seconds a new bundle is looked for; 0 for never. 5 for a file, 60 for a URL. */
  readonly refresh?: number;
  /** What relative paths are relative to; the working directory unless given. */
  readonly directory?: string;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Hears of what was found when a new bundle came: nothing, warnings, or why it was refused. */
  readonly onReload?: (diagnostics: readonly Diagnostic[]) => void;
}

/** A source over signed bundles: held in memory, and swapped as a whole. */
export interface FederationBundleSource extends FederationProjectionSource {
  status(): FederationSourceStatus;
  bundle(): Uint8Array | undefined;
  /**
   * Looks for a new bundle and a new policy now. When they verify they take the place of the old ones, all at once;
   * else the old ones stay. Never rejects.
   *
   * @returns What was found: nothing when all is well or nothing has changed.
   */
  reload(): Promise<readonly Diagnostic[]>;
  /** Looks for new bundles no more. */
  close(): void;
}

/**
 * Opens a signed bundle as a source of federation records. It is verified in full, against the trust policy, before
 * anything of it is answered; so is every later one. What was seen is remembered while the source is open: an older
 * bundle is refused, so is a second one of the same epoch, and a revocation holds for good. When the bundle grows
 * older than the policy allows, the source answers nothing any more and says that it is stale.
 *
 * @throws {FederationError} When the bundle or the policy cannot be read or do not hold.
 *
 * @example
 * ```ts
 * import { createGqlServer } from 'gg-svc';
 * import { openFederationBundle } from 'gg-svc/federation';
 *
 * const federation = await openFederationBundle({ bundle: 'index.bundle.json', trust: 'trust.json' });
 * const server = createGqlServer({ topologies: ['service.gg'], federation });
 * ```
 */
export async function openFederationBundle(
  options: FederationBundleOptions,
): Promise<FederationBundleSource> {
  const source = new BundleSource(options);
  const found = await source.reload();
  if (!source.isLoaded) throw new FederationError(found);
  source.start();
  return source;
}

/** What is held of a bundle that was verified. */
interface Loaded extends BundleState {
  readonly bytes: Uint8Array;
  readonly policy: ReadBytes;
  readonly trust: Trust;
  readonly staleAfter: number;
}

class BundleSource implements FederationBundleSource {
  readonly chain: FederationProjectionSource['chain'];
  readonly route: FederationProjectionSource['route'];
  readonly witnessHead: FederationProjectionSource['witnessHead'];
  readonly snapshot: FederationProjectionSource['snapshot'];

  readonly #options: FederationBundleOptions;
  readonly #now: () => number;
  #loaded: Loaded | undefined;
  #bundle: ReadBytes | undefined;
  #policy: ReadBytes | undefined;
  #refused: Diagnostic | undefined;
  #reloading: Promise<readonly Diagnostic[]> = Promise.resolve([]);
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FederationBundleOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const answers = answerFrom(() => {
      const loaded = this.#loaded;
      return loaded === undefined || this.#now() >= loaded.staleAfter ? undefined : loaded;
    });
    this.chain = answers.chain;
    this.route = answers.route;
    this.witnessHead = answers.witnessHead;
    this.snapshot = answers.snapshot;
  }

  get isLoaded(): boolean {
    return this.#loaded !== undefined;
  }

  get witnessFreshness(): number {
    return this.#current().trust.freshness.witness;
  }

  start(): void {
    const { bundle, refresh = /^https?:/i.test(bundle) ? 60 : 5, onReload } = this.#options;
    if (refresh <= 0) return;
    let isLooking = false;
    const look = async (): Promise<void> => {
      // A large bundle may take longer to verify than the time between two looks.
      if (isLooking) return;
      isLooking = true;
      const before = this.#refused;
      const loaded = this.#loaded;
      const found = await this.reload();
      isLooking = false;
      // A bundle that stays refused is told of once.
      if (this.#loaded !== loaded || this.#refused?.message !== before?.message) onReload?.(found);
    };
    this.#timer = setInterval(() => void look(), refresh * 1000);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  status(): FederationSourceStatus {
    const { records, history, staleAfter: end } = this.#current();
    const isFresh = this.#now() < end;
    return {
      ready: isFresh,
      state: isFresh ? 'current' : 'stale',
      epoch: records.snapshot.epoch,
      generatedAt: records.snapshot.generatedAt,
      quarantined: [...history.quarantined],
      refused: this.#refused === undefined ? null : `${this.#refused.code} ${this.#refused.message}`,
    };
  }

  bundle(): Uint8Array | undefined {
    return this.#loaded?.bytes;
  }

  reload(): Promise<readonly Diagnostic[]> {
    // One after another, so that the last bundle is held against the one before it.
    this.#reloading = this.#reloading.then(() => this.#load());
    return this.#reloading;
  }

  async #load(): Promise<readonly Diagnostic[]> {
    const { bundle, trust, directory = process.cwd() } = this.#options;
    const locationOf = (path: string): string => (/^https?:/i.test(path) ? path : resolve(directory, path));
    const policyRead = await readFederationFile(resolve(directory, trust), trust, this.#policy);
    const bundleRead = await readFederationFile(locationOf(bundle), bundle, this.#bundle);
    if (!policyRead.ok) return this.#refuse(policyRead.problem);
    if (!bundleRead.ok) return this.#refuse(bundleRead.problem);
    const policy = latest(policyRead, this.#policy);
    const next = latest(bundleRead, this.#bundle);
    const loaded = this.#loaded;
    if (loaded?.policy === policy && loaded.bytes === next.bytes) {
      this.#refused = undefined;
      return [];
    }
    const isSame = policy === this.#policy && next === this.#bundle;
    // What was refused stays so, unless it only came too early.
    if (isSame && this.#refused !== undefined && this.#refused.code !== 'GG6021') return [this.#refused];
    this.#policy = policy;
    this.#bundle = next;

    const reading = await readTrust(policy.bytes, trust);
    if (!reading.ok) return this.#refuse(reading.problem);
    const found = await verifyInSlices(next.bytes, {
      name: bundle,
      trust: reading.trust,
      now: this.#now(),
      history: loaded?.history,
    });
    if (!found.ok) return this.#refuse(found.problem);
    const { records, history, warnings } = found;
    this.#refused = undefined;
    // One assignment swaps everything: a request sees the old state or the new one.
    this.#loaded = {
      records,
      history,
      bytes: next.bytes,
      policy,
      trust: reading.trust,
      staleAfter: staleAfter(records.snapshot, reading.trust),
    };
    return warnings;
  }

  #refuse(problem: Diagnostic): readonly Diagnostic[] {
    this.#refused = problem;
    return [problem];
  }

  #current(): Loaded {
    if (this.#loaded === undefined) throw new Error('invariant: a source is handed out when it is loaded');
    return this.#loaded;
  }
}

/** The known reading if its bytes are the same: a file may be touched, or a server send no ETag. */
function latest(reading: ReadBytes, known: ReadBytes | undefined): ReadBytes {
  return known !== undefined && Buffer.compare(known.bytes, reading.bytes) === 0 ? known : reading;
}
