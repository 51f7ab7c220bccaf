import { resolve } from 'node:path';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import type { ReadBytes } from '../../base/read/read-bytes.js';
import { isWebUrl } from '../../base/source/parse-url.js';
import { answerFrom, type BundleState } from '../bundle-records.js';
import type { FederationProjectionSource, FederationSourceStatus } from '../source.js';
import type { Trust } from '../trust-policy.js';
import { staleAfter } from '../verify-bundle.js';
import { FederationError } from './federation-error.js';
import { readFederationFile } from './read-federation-file.js';
import { readTrust, verifyInSlices } from './verify-federation-bundle.js';

/** A signed bundle and the trust policy for it. */
export interface FederationBundleOptions {
  /** The path or the URL of the bundle. */
  readonly bundle: string;
  /** The path of the trust policy. Not a URL: the policy must not come from where the bundle comes from. */
  readonly trust: string;
  /** The interval of checks for a new bundle, in seconds; 0 for none. Default: 5 for a file, 60 for a URL. */
  readonly refresh?: number;
  /** The folder that relative paths start from. Default: the working directory. */
  readonly directory?: string;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** Called after a new bundle, with no findings, warnings, or the reason for its rejection. */
  readonly onReload?: (diagnostics: readonly Diagnostic[]) => void;
}

/** A source over signed bundles, held in memory and replaced as a whole. */
export interface FederationBundleSource extends FederationProjectionSource {
  status(): FederationSourceStatus;
  bundle(): Uint8Array | undefined;
  /**
   * Checks for a new bundle and policy now. If they verify, they replace the old ones atomically; otherwise the old
   * ones stay in use. Never rejects.
   *
   * @returns The findings; empty if the new bundle verifies or nothing has changed.
   */
  reload(): Promise<readonly Diagnostic[]>;
  /** Stops the checks for new bundles. */
  close(): void;
}

/**
 * Opens a signed bundle as a source of federation records. The bundle, and every later one, is fully verified against
 * the trust policy before it is used. While the source is open, it rejects older bundles and a second bundle of the
 * same epoch, and keeps all revocations. Once the bundle is older than the policy allows, the source answers nothing
 * and reports itself as stale.
 *
 * @throws {FederationError} If the bundle or the policy cannot be read or does not verify.
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
    const { bundle, refresh = isWebUrl(bundle) ? 60 : 5, onReload } = this.#options;
    if (refresh <= 0) return;
    let isLooking = false;
    const look = async (): Promise<void> => {
      // Verifying a large bundle may take longer than the interval.
      if (isLooking) return;
      isLooking = true;
      const before = this.#refused;
      const loaded = this.#loaded;
      const found = await this.reload();
      isLooking = false;
      // A bundle that stays rejected is reported once.
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
    // Reloads run one after another, because each bundle is checked against its predecessor.
    this.#reloading = this.#reloading.then(() => this.#load());
    return this.#reloading;
  }

  async #load(): Promise<readonly Diagnostic[]> {
    const { bundle, trust, directory = process.cwd() } = this.#options;
    const locationOf = (path: string): string => (isWebUrl(path) ? path : resolve(directory, path));
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
    // A rejected bundle stays rejected, unless it was only signed ahead of this clock (GG6021).
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
    // One assignment replaces everything: a request sees either the old state or the new one.
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
