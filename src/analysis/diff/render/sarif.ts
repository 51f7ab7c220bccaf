import { stringifyForTerminal } from '../../../base/diagnostics/render/json.js';
import { sarifLog, sarifRule, toLocation, toUri } from '../../../base/diagnostics/render/sarif.js';
import { type ChangeKind, type ChangeKindDefinition, changeKinds } from '../model/change-kinds.js';
import type { ChangeLevel } from '../model/change-level.js';
import type { ComparedTopology, JudgedChange } from '../model/diff-report.js';
import { type ChangeReporter, describeReach } from './blocks.js';
import { printPlace } from './text.js';

const levels: Readonly<Record<ChangeLevel, string>> = { breaking: 'error', dangerous: 'warning', safe: 'note' };

/**
 * The report as a SARIF 2.1.0 log. Each kind of change that occurs is a rule. A result has the location of the change
 * in the new topology; its place in the old one, which code scanning cannot show, is a related location. A waived
 * change is a suppressed result, with the reason as its justification.
 */
export const printSarif: ChangeReporter = ({ topologies }, { toolVersion }) => {
  const all = topologies.flatMap(({ changes }) => changes);
  const kinds = [...new Set(all.map(({ kind }) => kind))].sort();
  const results = topologies.flatMap((topology) => topology.changes.map((change) => toResult(change, topology, kinds)));
  return `${stringifyForTerminal(sarifLog(toolVersion, kinds.map(toRule), results))}\n`;
};

function toRule(kind: ChangeKind): object {
  const { why, levels: possible }: ChangeKindDefinition = changeKinds[kind];
  return sarifRule(kind, kind, { text: why }, levels[possible[0] ?? 'safe']);
}

function toResult(change: JudgedChange, topology: ComparedTopology, kinds: readonly ChangeKind[]): object {
  const { kind, level, coordinate, message, before, after, reach, waiver } = change;
  const reached = describeReach(reach);
  return {
    ruleId: kind,
    ruleIndex: kinds.indexOf(kind),
    level: levels[level],
    message: { text: reached.length === 0 ? message : `${message} It reaches ${reached.join('; ')}.` },
    locations: [
      {
        physicalLocation:
          after === undefined
            ? { artifactLocation: { uri: toUri(topology.after.sources[0]?.name ?? topology.name) } }
            : toLocation(after.span, topology.after.sources),
        logicalLocations: [{ fullyQualifiedName: coordinate }],
      },
    ],
    relatedLocations: before && [
      {
        id: 0,
        physicalLocation: toLocation(before.span, topology.before.sources),
        message: { text: `${printPlace(topology.before, before)}: ${before.note}` },
      },
    ],
    // Code scanning recognizes known results by this fingerprint. It omits the line, which moves with every edit.
    partialFingerprints: { 'change/v1': `${topology.name} ${kind} ${coordinate}` },
    suppressions: waiver && [
      { kind: 'external', status: 'accepted', justification: `${waiver.reason} (until ${waiver.expires})` },
    ],
  };
}
