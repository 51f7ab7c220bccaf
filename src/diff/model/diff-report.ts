import type { SourceFile } from '../../source/source-file.js';
import type { SchemaChange } from './change.js';
import { type ChangeLevel, changeLevels } from './change-level.js';
import type { Waiver } from './waiver.js';

/** Everything that a report on changes is made of. */
export interface DiffReport {
  /** What is compared, in words: `HEAD`, `the working tree`, `old.gg`. */
  readonly before: string;
  readonly after: string;
  readonly topologies: readonly ComparedTopology[];
  /** The topologies that could not be compared, by name: one side has errors. */
  readonly failed: readonly string[];
}

/** One topology on both sides, and what changed between them. */
export interface ComparedTopology {
  /** The file, or the files, that it is known by. */
  readonly name: string;
  readonly before: TopologySide;
  readonly after: TopologySide;
  /** The worst first. */
  readonly changes: readonly JudgedChange[];
}

/** The texts of one side, and how its files are called. */
export interface TopologySide {
  readonly sources: readonly SourceFile[];
  /** The revision that the texts are of; undefined for files as they are now. */
  readonly revision: string | undefined;
  /** How a file is shown: `HEAD:service.gg`. */
  readonly describe: (file: string) => string;
}

/** A change, and the waiver that lets it pass. */
export interface JudgedChange extends SchemaChange {
  readonly waiver: Waiver | undefined;
}

/** How many changes there are. Waived ones are counted apart from the levels. */
export interface ChangeSummary extends Readonly<Record<ChangeLevel, number>> {
  readonly waived: number;
}

/** Counts the changes of all topologies. */
export function summarizeChanges({ topologies }: DiffReport): ChangeSummary {
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
 * Whether any change that no waiver lets pass is of the level, or worse.
 *
 * @param reachableOnly whether changes that no operation can feel do not count
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

/** Whether no operation can feel a change: only code that was made from the schema could. */
function isUnreachable({ reach }: JudgedChange): boolean {
  return reach.isComplete && reach.routes.length + reach.subscriptions.length === 0;
}
