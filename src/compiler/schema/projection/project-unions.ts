import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { defined } from '../../../base/values/defined.js';
import { readDuration } from '../../graph/duration.js';
import type { GraphEdge } from '../../graph/graph-ir.js';
import type { JsonValue } from '../../graph/json-value.js';
import { joinDocs } from '../edge-rules/edge-rules.js';
import { isReason } from '../edge-settings/edge-settings.js';
import type { GqlUnionType } from '../gql-schema.js';
import { shareByEdges, type UnionGroup } from './group-edges.js';
import { longestTime, readPolicy } from './race-policy.js';
import { kindLabel, kindText } from './type-projection.js';

/**
 * Makes the unions. Members are the sources of all edges, which must be object types (GG3007); so must the target that
 * the union replaces (GG3016). `after` on an edge staggers the starts: the source of an edge with one source
 * waits that long, the sources of an edge with several each start that long after the one before.
 */
export function projectUnions(groups: readonly UnionGroup[], diagnostics: Diagnostic[]): readonly GqlUnionType[] {
  const branchesOf = shareByEdges((group: UnionGroup) => readBranches(group, diagnostics));
  return groups.flatMap((group): readonly GqlUnionType[] => {
    const { name, target, rule, edges, origins } = group;
    if (target.kind !== 'object') {
      const params = { target: target.id, kind: kindText(target) };
      const labels = [kindLabel(target)];
      diagnostics.push(diagnose('GG3016', params, (edges[0] as GraphEdge).span, { labels }));
      return [];
    }
    const { members, delays, open, policy } = branchesOf(group);
    if (members.length === 0) return [];
    const description = joinDocs(edges) ?? rule.defaultDescription(group);
    return [
      {
        name,
        description,
        members,
        target: target.typeName,
        edges: origins,
        ...defined({ delays, open, policy }),
      },
    ];
  });
}

/** The branches of a race: the names of the member types, the delay of each if an edge has `after`, and the settings. */
type Branches = Pick<GqlUnionType, 'members' | 'delays' | 'open' | 'policy'>;

function readBranches({ name, edges }: UnionGroup, diagnostics: Diagnostic[]): Branches {
  const delays = new Map<string, number>();
  const open: Record<string, string> = {};
  for (const edge of edges) {
    const step = readSetting(edge, 'after', readDelay, durationForm, diagnostics) ?? 0;
    const isLone = edge.sources.length === 1;
    for (const [index, node] of edge.sources.entries()) {
      if (node.kind !== 'object') {
        const params = { node: node.id, kind: kindText(node), union: name };
        diagnostics.push(diagnose('GG3007', params, edge.span, { labels: [kindLabel(node)] }));
      } else if (!delays.has(node.typeName)) {
        // A source that was added before keeps its first delay.
        delays.set(node.typeName, step * (isLone ? 1 : index));
      }
    }
    // Why callers may reach branches of this edge that they may not ask for themselves.
    const reason = readSetting(edge, 'open', reasonOf, reasonForm, diagnostics);
    if (reason !== undefined) for (const { typeName } of edge.sources) open[typeName] ??= reason;
  }
  const policy = readPolicy(name, edges, delays.size, diagnostics);
  return {
    members: [...delays.keys()],
    ...(edges.some(({ settings }) => settings.has('after')) && { delays: [...delays.values()] }),
    ...(Object.keys(open).length > 0 && { open }),
    ...(policy && { policy }),
  };
}

/** The value of a setting of an edge; one of another kind is an error (GG2018) and undefined. */
function readSetting<Value>(
  { settings }: GraphEdge,
  property: string,
  read: (value: JsonValue) => Value | undefined,
  expected: string,
  diagnostics: Diagnostic[],
): Value | undefined {
  const setting = settings.get(property);
  if (setting === undefined) return undefined;
  const value = read(setting.value);
  if (value === undefined) diagnostics.push(diagnose('GG2018', { property, expected }, setting.span));
  return value;
}

const durationForm = "a duration, such as '50ms', '1.5s' or '2m'";
const reasonForm = 'the reason in quotes';

function reasonOf(value: JsonValue): string | undefined {
  return isReason(value) ? value : undefined;
}

/** The milliseconds of a duration or a number; undefined if invalid or too long for a timer. */
export function readDelay(value: JsonValue): number | undefined {
  const time = typeof value === 'string' ? readDuration(value) : value;
  return typeof time === 'number' && time >= 0 && time <= longestTime ? time : undefined;
}
