import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { FederationBundle } from './bundle.js';
import type { FederationSnapshot } from './records.js';
import { revocationKey } from './revocations.js';

/** What is remembered from one bundle to the next, so that nothing that was seen can be taken back. */
export interface FederationHistory {
  /** The epoch and the digest of the newest snapshot. */
  readonly epoch: number;
  readonly digest: string;
  /** The newest head of each chain. */
  readonly heads: ReadonlyMap<string, { readonly epoch: number; readonly head: string }>;
  /** Every revocation, by its key. */
  readonly revoked: ReadonlySet<string>;
  /** The chains of which two heads were witnessed for one epoch. */
  readonly quarantined: ReadonlySet<string>;
  /** The snapshots that were seen, by epoch: the newest ones. */
  readonly snapshots: ReadonlyMap<number, FederationSnapshot>;
}

/** How many snapshots are remembered. */
export const rememberedSnapshots = 64;

/** What comes of holding a bundle against the history: the next history, or why there is none. */
export type Succession =
  | {
      readonly ok: true;
      readonly history: FederationHistory;
      /** The chains that were quarantined now (GG6025). */
      readonly warnings: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly problem: Diagnostic };

/**
 * Holds a bundle against what was seen before. An epoch that is lower than a known one, of the snapshot or of a
 * witness head, is a rollback (GG6023); the same epoch of the snapshot with another content is a fork (GG6024).
 * Two heads of one chain for one epoch do not refuse the bundle, they quarantine the chain (GG6025).
 *
 * @param minimumEpoch - The epoch that the policy asks for.
 * @param name - What findings call the bundle.
 */
export function succeed(
  history: FederationHistory | undefined,
  bundle: FederationBundle,
  snapshot: FederationSnapshot,
  minimumEpoch: number,
  name: string,
): Succession {
  const span = { file: name, start: 0, end: 0 };
  const { epoch, digest } = snapshot;
  const least = Math.max(minimumEpoch, history?.epoch ?? 0);
  if (epoch < least) {
    const problem = diagnose('GG6023', { what: 'The snapshot', epoch, known: least }, span);
    return { ok: false, problem };
  }
  if (history !== undefined && epoch === history.epoch && digest !== history.digest) {
    return { ok: false, problem: diagnose('GG6024', { epoch }, span) };
  }
  const heads = new Map(history?.heads);
  const quarantined = new Set(history?.quarantined);
  const warnings: Diagnostic[] = [];
  for (const { chainId, witnessHead } of bundle.chains) {
    const known = heads.get(chainId);
    if (known !== undefined && witnessHead.epoch < known.epoch) {
      const what = `The witness head of ${chainId}`;
      const params = { what, epoch: witnessHead.epoch, known: known.epoch };
      return { ok: false, problem: diagnose('GG6023', params, span) };
    }
    const isFork = known?.epoch === witnessHead.epoch && known.head !== witnessHead.head;
    if (isFork && !quarantined.has(chainId)) {
      quarantined.add(chainId);
      warnings.push(diagnose('GG6025', { chain: chainId, epoch: witnessHead.epoch }, span));
    }
    // The head that came first stays the one that later ones are held against.
    if (!isFork) heads.set(chainId, { epoch: witnessHead.epoch, head: witnessHead.head });
  }
  const revoked = new Set([...(history?.revoked ?? []), ...bundle.revocations.map(revocationKey)]);
  const seen = [...(history?.snapshots ?? []), [epoch, snapshot] as const];
  const snapshots = new Map([...new Map(seen)].slice(-rememberedSnapshots));
  return { ok: true, history: { epoch, digest, heads, revoked, quarantined, snapshots }, warnings };
}
