import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { SchemaChange } from '../model/change.js';
import type { JudgedChange, Waiver } from '../model/diff-report.js';

/** Matches changes with waivers, and records which waivers were used. */
export interface WaiverBook {
  /** Marks the waived changes of one topology. Safe changes need no waiver. */
  readonly judge: (topology: string, changes: readonly SchemaChange[]) => readonly JudgedChange[];
  /** The findings after all changes: expired waivers (GG5027) and unused ones (GG5028). */
  readonly findings: () => readonly Diagnostic[];
}

/**
 * Creates the matcher of the given waivers.
 *
 * @param today the current day, as `2026-11-21`. A waiver is valid on its last day, but not after it.
 */
export function createWaiverBook(waivers: readonly Waiver[], today: string): WaiverBook {
  const used = new Map(waivers.map((waiver) => [waiver, new Set<string>()]));
  const isExpired = ({ expires }: Waiver) => expires < today;
  return {
    judge: (topology, changes) =>
      changes.map((change): JudgedChange => {
        if (change.level === 'safe') return { ...change, waiver: undefined };
        const matching = waivers.filter(
          (waiver) =>
            waiver.kind === change.kind &&
            waiver.coordinates.includes(change.coordinate) &&
            (waiver.topology === undefined || waiver.topology === topology),
        );
        for (const waiver of matching) used.get(waiver)?.add(change.coordinate);
        return { ...change, waiver: matching.find((waiver) => !isExpired(waiver)) };
      }),
    findings: () =>
      waivers.flatMap((waiver): Diagnostic[] => {
        const { kind, expires, span, coordinates } = waiver;
        const unused = coordinates.filter((coordinate) => used.get(waiver)?.has(coordinate) !== true);
        return [
          ...(isExpired(waiver) ? [diagnose('GG5027', { kind, expires }, span)] : []),
          ...unused.map((coordinate) => diagnose('GG5028', { kind, coordinate }, span)),
        ];
      }),
  };
}
