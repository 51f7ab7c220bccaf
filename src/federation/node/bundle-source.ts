import { resolve } from 'node:path';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.js';
import type { ReadBytes } from '../../base/read/read-bytes.js';
import { isWebUrl } from '../../base/source/parse-url.js';
import type { FederationHistory } from '../history.js';
import type { FederationProjectionSource, FederationSourceStatus } from '../source.js';
import type { Trust } from '../trust-policy.js';
import { routeKey, staleAfter, type VerifiedRecords } from '../verify-bundle.js';
import { readFederationFile, readTrust, verifyInSlices } from './verify-federation-bundle.js';

/** Thrown if a federation bundle or its trust policy cannot be read or does not verify. */
export class FederationError extends Error {
  override readonly name = 'FederationError';

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    const findings = diagnostics.map(({ span, code, message }) => `\n  ${span.file} ${code} ${message}`);
    super(`The federation bundle cannot be used:${findings.join('')}`);
  }
}

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
export async function openFederationBundle(options: FederationBundleOptions): Promise<FederationBundleSource> {
  const { bundle, trust, refresh = isWebUrl(bundle) ? 60 : 5, now = Date.now, onReload } = options;
  let current: Loaded | undefined;
  let lastBundle: ReadBytes | undefined;
  let lastPolicy: ReadBytes | undefined;
  let refused: Diagnostic | undefined;
  let reloading: Promise<readonly Diagnostic[]> = Promise.resolve([]);

  const refuse = (problem: Diagnostic): readonly Diagnostic[] => {
    refused = problem;
    return [problem];
  };
  const load = async (): Promise<readonly Diagnostic[]> => {
    const { directory = process.cwd() } = options;
    const location = isWebUrl(bundle) ? bundle : resolve(directory, bundle);
    const policyRead = await readFederationFile(resolve(directory, trust), trust, lastPolicy);
    const bundleRead = await readFederationFile(location, bundle, lastBundle);
    if (!policyRead.ok) return refuse(policyRead.problem);
    if (!bundleRead.ok) return refuse(bundleRead.problem);
    const policy = latest(policyRead, lastPolicy);
    const next = latest(bundleRead, lastBundle);
    if (current?.policy === policy && current.bytes === next.bytes) {
      refused = undefined;
      return [];
    }
    const isSame = policy === lastPolicy && next === lastBundle;
    // A rejected bundle stays rejected, unless it was only signed ahead of this clock (GG6021).
    if (isSame && refused !== undefined && refused.code !== 'GG6021') return [refused];
    lastPolicy = policy;
    lastBundle = next;

    const reading = await readTrust(policy.bytes, trust);
    if (!reading.ok) return refuse(reading.problem);
    const environment = { name: bundle, trust: reading.trust, now: now(), history: current?.history };
    const found = await verifyInSlices(next.bytes, environment);
    if (!found.ok) return refuse(found.problem);
    const { records, history, warnings } = found;
    refused = undefined;
    // One assignment replaces everything: a request sees either the old state or the new one.
    const end = staleAfter(records.snapshot, reading.trust);
    current = { records, history, bytes: next.bytes, policy, trust: reading.trust, staleAfter: end };
    return warnings;
  };
  // Reloads run one after another, because each bundle is checked against its predecessor.
  const reload = () => {
    reloading = reloading.then(load);
    return reloading;
  };
  const found = await reload();
  if (current === undefined) throw new FederationError(found);

  let isLooking = false;
  const look = async (): Promise<void> => {
    // Verifying a large bundle may take longer than the interval.
    if (isLooking) return;
    isLooking = true;
    const before = { current, refused };
    const findings = await reload();
    isLooking = false;
    // A bundle that stays rejected is reported once.
    if (current !== before.current || refused?.message !== before.refused?.message) onReload?.(findings);
  };
  const timer = refresh > 0 ? setInterval(() => void look(), refresh * 1000).unref() : undefined;
  const isFresh = (loaded: Loaded): boolean => now() < loaded.staleAfter;
  return {
    ...answerFrom(() => (current !== undefined && isFresh(current) ? current : undefined)),
    get witnessFreshness() {
      return (current as Loaded).trust.freshness.witness;
    },
    status() {
      const loaded = current as Loaded;
      const ready = isFresh(loaded);
      return {
        ready,
        state: ready ? 'current' : 'stale',
        epoch: loaded.records.snapshot.epoch,
        generatedAt: loaded.records.snapshot.generatedAt,
        quarantined: [...loaded.history.quarantined],
        refused: refused === undefined ? null : `${refused.code} ${refused.message}`,
      };
    },
    bundle: () => current?.bytes,
    reload,
    close: () => clearInterval(timer),
  };
}

/** A verified bundle, and the history up to it. */
interface BundleState {
  readonly records: VerifiedRecords;
  readonly history: FederationHistory;
}

/**
 * The lookups of a source over verified bundles. Each call uses the current state.
 *
 * @param current - Returns the state; undefined while it must not be served, for instance because it is stale.
 */
export function answerFrom(
  current: () => BundleState | undefined,
): Pick<FederationProjectionSource, 'chain' | 'route' | 'witnessHead' | 'snapshot'> {
  const chainOf = (chainId: string) => {
    const state = current();
    return state?.history.quarantined.has(chainId) ? undefined : state?.records.chains.get(chainId);
  };
  return {
    chain: chainOf,
    route: (from, to) => current()?.records.routes.get(routeKey(from, to)),
    // A quarantined chain has no witness, so no route over it is admissible.
    witnessHead: (chainId) => chainOf(chainId)?.witnessHead,
    snapshot: (epoch) => {
      const state = current();
      return epoch === undefined ? state?.records.snapshot : state?.history.snapshots.get(epoch);
    },
  };
}

interface Loaded extends BundleState {
  readonly bytes: Uint8Array;
  readonly policy: ReadBytes;
  readonly trust: Trust;
  readonly staleAfter: number;
}

/** The known reading if its bytes are the same: a file may be touched, or a server send no ETag. */
function latest(reading: ReadBytes, known: ReadBytes | undefined): ReadBytes {
  return known !== undefined && Buffer.compare(known.bytes, reading.bytes) === 0 ? known : reading;
}
