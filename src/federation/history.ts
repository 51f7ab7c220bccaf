import { type Diagnostic, diagnose } from '../base/diagnostics/diagnostic.js';
import { wholeFile } from '../base/source/span.js';
import type { FederationBundle } from './bundle.js';
import type { FederationSnapshot } from './records.js';
import { refusal } from './refusal.js';

/** The state that a source keeps from bundle to bundle, to detect rollbacks and forks. */
export interface FederationHistory {
  /** The epoch and the digest of the newest snapshot. */
  readonly epoch: number;
  readonly digest: string;
  readonly heads: ReadonlyMap<string, { readonly epoch: number; readonly head: string }>;
  readonly revoked: ReadonlySet<string>;
  /** The chains with two witnessed heads for one epoch. */
  readonly quarantined: ReadonlySet<string>;
  readonly snapshots: ReadonlyMap<number, FederationSnapshot>;
}

const rememberedSnapshots = 64;

/**
 * Checks a bundle against the history. A snapshot or a witness head with a lower epoch than a known one is a rollback
 * (GG6023); a snapshot with a known epoch and another content is a fork (GG6024). Two heads of one chain for one epoch
 * do not reject the bundle; they put the chain in quarantine (GG6025).
 *
 * @param verified - The snapshot of the bundle, and the revocations in force with it.
 * @returns The history with the bundle, and a warning for each chain that the bundle puts in quarantine.
 */
export function succeed(
  history: FederationHistory | undefined,
  bundle: FederationBundle,
  { snapshot, revoked }: { readonly snapshot: FederationSnapshot; readonly revoked: ReadonlySet<string> },
  minimumEpoch: number,
  name: string,
): { readonly history: FederationHistory; readonly warnings: readonly Diagnostic[] } {
  const { epoch, digest } = snapshot;
  const least = Math.max(minimumEpoch, history?.epoch ?? 0);
  if (epoch < least) throw refusal('GG6023', { what: 'The snapshot', epoch, known: least }, name);
  if (history !== undefined && epoch === history.epoch && digest !== history.digest)
    throw refusal('GG6024', { epoch }, name);
  const heads = new Map(history?.heads);
  const quarantined = new Set(history?.quarantined);
  const warnings: Diagnostic[] = [];
  for (const { chainId, witnessHead } of bundle.chains) {
    const known = heads.get(chainId);
    if (known !== undefined && witnessHead.epoch < known.epoch) {
      const what = `The witness head of ${chainId}`;
      throw refusal('GG6023', { what, epoch: witnessHead.epoch, known: known.epoch }, name);
    }
    const isFork = known?.epoch === witnessHead.epoch && known.head !== witnessHead.head;
    if (isFork && !quarantined.has(chainId)) {
      quarantined.add(chainId);
      warnings.push(diagnose('GG6025', { chain: chainId, epoch: witnessHead.epoch }, wholeFile(name)));
    }
    // Later heads are compared with the first one of the fork.
    if (!isFork) heads.set(chainId, { epoch: witnessHead.epoch, head: witnessHead.head });
  }
  const seen = new Map(history?.snapshots).set(epoch, snapshot);
  const snapshots = new Map([...seen].slice(-rememberedSnapshots));
  return { history: { epoch, digest, heads, revoked, quarantined, snapshots }, warnings };
}
