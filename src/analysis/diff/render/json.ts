import { stringifyForTerminal } from '../../../base/diagnostics/render/json.js';
import { regionOf } from '../../../base/diagnostics/render/report.js';
import type { ChangePlace } from '../model/change.js';
import { changeKinds } from '../model/change-kinds.js';
import { type JudgedChange, summarizeChanges, type TopologySide } from '../model/diff-report.js';
import type { ChangeReporter } from './blocks.js';

/**
 * The report for programs: one object, `{ version, before, after, topologies, failed, summary }`. The version
 * increases when a member is removed or changes its meaning, but not when members are added. Lines and columns
 * count from 1, columns in UTF-16 code units.
 */
export const printJson: ChangeReporter = (report) => {
  const { before, after, topologies, failed } = report;
  const envelope = {
    version: 1,
    before,
    after,
    topologies: topologies.map((topology) => ({
      name: topology.name,
      changes: topology.changes.map((change) => toJson(change, topology.before, topology.after)),
    })),
    failed,
    summary: summarizeChanges(report),
  };
  return `${stringifyForTerminal(envelope)}\n`;
};

function toJson(change: JudgedChange, before: TopologySide, after: TopologySide): object {
  const { kind, level, coordinate, message, reach, waiver } = change;
  return {
    kind,
    level,
    coordinate,
    message,
    why: changeKinds[kind].why,
    before: toPlace(change.before, before),
    after: toPlace(change.after, after),
    reach,
    waiver: waiver === undefined ? null : { reason: waiver.reason, expires: waiver.expires },
  };
}

function toPlace(place: ChangePlace | undefined, { sources, revision }: TopologySide): object | null {
  if (place === undefined) return null;
  const region = regionOf(sources, place.span);
  return {
    file: place.span.file,
    revision,
    line: region?.start.line,
    column: region?.start.column,
    endLine: region?.end.line,
    endColumn: region?.end.column,
    exact: place.exact,
    note: place.note,
  };
}
