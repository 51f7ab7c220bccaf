import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { sameJson } from '../../../base/json-schema/same-json.js';
import type { GraphEdge, Setting } from '../../graph/graph-ir.js';
import type { JsonValue } from '../../graph/json-value.js';
import { type EdgeSetting, edgeSettings, type OperationPart, type SettingScope } from './edge-settings.js';

/**
 * The parts of an operation that the settings of its edges give; undefined if they have none. Settings that contradict
 * each other are an error.
 */
export function readSettings(edges: readonly GraphEdge[], scope: SettingScope): OperationPart | undefined {
  if (edges.every(({ settings }) => settings.size === 0)) return undefined;
  let part: OperationPart = {};
  for (const setting of edgeSettings) {
    // Settings without a meaning for the kind of operation were reported with the edge.
    if (!setting.kinds.includes(scope.kind)) continue;
    const given = edges.flatMap(({ settings }) => settings.get(setting.key) ?? []);
    if (given.length === 0) continue;
    const { joins, expected } = setting;
    for (const one of joins === undefined ? [agreed(setting, given, scope)] : given) {
      const read = setting.read(one, scope);
      if (read === undefined) {
        const form = typeof expected === 'string' ? expected : expected(scope.kind);
        scope.report(diagnose('GG2018', { property: setting.key, expected: form }, one.span));
      } else part = joins === undefined ? { ...part, ...read } : joinList(joins, part, read);
    }
  }
  return part;
}

/** Both parts, with the items of both lists, each once. A part without any has no list. */
function joinList(key: 'scopes' | 'throws', part: OperationPart, read: OperationPart): OperationPart {
  const items = new Set([...(part[key] ?? []), ...(read[key] ?? [])]);
  return items.size === 0 ? part : { ...part, ...read, [key]: [...items] };
}

/** The first value; another value on another edge of the operation is an error (GG3037). */
function agreed(
  { key }: EdgeSetting,
  given: readonly Setting[],
  { operation, report }: SettingScope,
): Setting {
  const [first, ...others] = given as [Setting, ...Setting[]];
  const other = others.find(({ value }) => !sameJson(value, first.value));
  if (other !== undefined) {
    const params = { operation, setting: key, one: textOf(first.value), other: textOf(other.value) };
    const labels = [{ span: first.span, message: `${params.one} here` }];
    report(diagnose('GG3037', params, other.span, { labels }));
  }
  return first;
}

/** A value as a topology writes it. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
