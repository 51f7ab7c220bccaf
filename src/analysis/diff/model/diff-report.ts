import type { SourceFile } from '../../../base/source/source-file.js';
import type { Span } from '../../../base/source/span.js';
import type { SchemaChange } from './change.js';
import type { ChangeKind } from './change-kinds.js';
import { type ChangeLevel, changeLevels } from './change-level.js';

export interface DiffReport {
  /** The compared state in words: `HEAD`, `the working tree`, `old.gg`. */
  readonly before: string;
  readonly after: string;
  readonly topologies: readonly ComparedTopology[];
  /** The topologies that could not be compared, by name: one side has errors. */
  readonly failed: readonly string[];
}

/** One topology on both sides, and the changes between them. */
export interface ComparedTopology {
  /** The name of its file or files. */
  readonly name: string;
  readonly before: TopologySide;
  readonly after: TopologySide;
  /** Sorted, the worst first. */
  readonly changes: readonly JudgedChange[];
}

/** The texts of one side, and the displayed names of its files. */
export interface TopologySide {
  readonly sources: readonly SourceFile[];
  /** The git revision of the texts; undefined for files on disk. */
  readonly revision: string | undefined;
  /** How a file is shown: `HEAD:service.gg`. */
  readonly displayName: (file: string) => string;
}

/** A decision to accept changes until a certain day. */
export interface Waiver {
  readonly kind: ChangeKind;
  /** The coordinates of the changes, at least one. */
  readonly coordinates: readonly string[];
  /** The topology it applies to, by its name in the report; undefined for all. */
  readonly topology: string | undefined;
  readonly reason: string;
  /** The last day on which it is valid: `2026-12-31`. */
  readonly expires: string;
  readonly span: Span;
}

export interface JudgedChange extends SchemaChange {
  readonly waiver: Waiver | undefined;
}

/** The number of changes of all topologies by level. Waived changes are counted separately. */
export function summarizeChanges({ topologies }: DiffReport) {
  const changes = topologies.flatMap((topology) => topology.changes);
  const count = (level: ChangeLevel) =>
    changes.filter((change) => change.level === level && change.waiver === undefined).length;
  return {
    breaking: count('breaking'),
    dangerous: count('dangerous'),
    safe: count('safe'),
    waived: changes.filter(({ waiver }) => waiver !== undefined).length,
  };
}

/**
 * Whether any unwaived change has the level or a worse one.
 *
 * @param reachableOnly whether to ignore changes that no operation reaches
 */
export function hasChangesFrom(report: DiffReport, level: ChangeLevel, reachableOnly = false): boolean {
  const limit = changeLevels.indexOf(level);
  return report.topologies.some(({ changes }) =>
    changes.some(
      (change) =>
        change.waiver === undefined &&
        changeLevels.indexOf(change.level) <= limit &&
        !(reachableOnly && isUnreachable(change)),
    ),
  );
}

/** Whether no operation reaches a change: only code generated from the schema may depend on it. */
function isUnreachable({ reach }: JudgedChange): boolean {
  return reach.isComplete && reach.routes.length + reach.subscriptions.length === 0;
}
