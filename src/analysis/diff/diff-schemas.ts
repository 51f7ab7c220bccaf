import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { changeRules } from './change-rules.js';
import type { ChangeReach, Finding, SchemaChange } from './model/change.js';
import { changeLevels } from './model/change-level.js';
import { compareSchemas } from './model/comparison.js';
import type { ServerSettings } from './model/server-settings.js';
import { createReachFinder } from './reach.js';

/**
 * Compares two schemas. Each change has its severity for callers, its places in both topologies, and its reach: the
 * operations, routes and requests of the collection that it affects (only the nearest if there are very many). The
 * worst changes come first; changes of one level are in the order of their places.
 *
 * @param before the schema that callers use now
 * @param after the schema that replaces it
 *
 * @example
 * ```ts
 * import { compile } from 'gg-svc';
 * import { diffSchemas } from 'gg-svc/diff';
 *
 * const before = compile('(root)-[:PROCESS { id: ID! }]->(user { name: String, email: String })');
 * const after = compile('(root)-[:PROCESS { id: ID! }]->(user { name: String })');
 * for (const { level, message, reach } of diffSchemas(before.schema, after.schema)) {
 *   console.log(level, message, reach.routes); // breaking The field User.email was removed. …
 * }
 * ```
 */
export function diffSchemas(before: GqlSchema, after: GqlSchema): readonly SchemaChange[] {
  return diffApis({ schema: before }, { schema: after });
}

/** A schema, and the settings of its server; settings are compared if both sides have some. */
export interface ServedApi {
  readonly schema: GqlSchema;
  readonly settings?: ServerSettings | undefined;
}

/** Compares two schemas, as `diffSchemas` does, and the settings of their servers. */
export function diffApis(old: ServedApi, found: ServedApi): readonly SchemaChange[] {
  const [before, after] = [old.schema, found.schema];
  const compared = compareSchemas(before, after);
  const { settings } = old;
  const comparison =
    settings && found.settings ? { ...compared, settings: [settings, found.settings] as const } : compared;
  const findings = changeRules.flatMap((rule): Finding[] => [...rule(comparison)]);
  const limit = Math.max(fewestNamed, Math.floor(namesInAll / Math.max(1, findings.length)));
  const finders = { before: createReachFinder(before, limit), after: createReachFinder(after, limit) };
  const changes = findings.map(({ touch, ...change }): SchemaChange => {
    const reach = finders[touch.in](touch);
    const other = touch.in === 'before' ? finders.after : finders.before;
    // Callers cannot notice a type that no operation takes or returns.
    const isSafe = 'type' in touch && !touch.isData && isNowhere(reach) && isNowhere(other(touch));
    return { ...change, level: isSafe ? 'safe' : change.level, reach };
  });
  return inOrder(changes, comparison.after.schema, comparison.before.schema);
}

/** The approximate number of operations listed in all changes together, and the minimum for each. */
const namesInAll = 500_000;
const fewestNamed = 5;

const isNowhere = ({ routes, isComplete }: ChangeReach): boolean => isComplete && routes.length === 0;

function inOrder(changes: readonly SchemaChange[], after: GqlSchema, before: GqlSchema): SchemaChange[] {
  const files = [...after.sources, ...before.sources].map(({ name }) => name);
  const fileRank = new Map([...new Set(files)].map((name, at) => [name, at]));
  const keyOf = ({ level, after: now, before: then }: SchemaChange): readonly number[] => {
    const span = (now ?? then)?.span;
    return [changeLevels.indexOf(level), fileRank.get(span?.file ?? '') ?? -1, span?.start ?? -1];
  };
  const keyed = changes.map((change) => ({ change, key: keyOf(change) }));
  return keyed
    .sort((a, b) => a.key.map((part, at) => part - (b.key[at] as number)).find((by) => by !== 0) ?? 0)
    .map(({ change }) => change);
}
