import type { GqlSchema } from '../schema/gql-schema.js';
import { changeRules } from './change-rules.js';
import type { Finding, SchemaChange } from './model/change.js';
import { changeLevels } from './model/change-level.js';
import { compareSchemas } from './model/comparison.js';
import { createReachFinder } from './reach.js';

/**
 * Compares two schemas: what changed, how bad it is for callers, where it stands in both topologies, and
 * which operations, routes and requests of the collection it can be felt through (the nearest of them, where
 * they would be millions). The worst changes come
 * first, and among those of one level the order is that of their places.
 *
 * @param before the schema that callers know
 * @param after the schema that they would meet
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
  const comparison = compareSchemas(before, after);
  const findings = changeRules.flatMap((rule): Finding[] => [...rule(comparison)]);
  const limit = Math.max(fewestNamed, Math.floor(namesInAll / Math.max(1, findings.length)));
  const finders = { before: createReachFinder(before, limit), after: createReachFinder(after, limit) };
  const changes = findings.map(({ touch, ...change }): SchemaChange => {
    return { ...change, reach: finders[touch.in].reachOf(touch) };
  });
  return inOrder(changes, comparison.after.schema, comparison.before.schema);
}

/** About how many operations are named in all changes together, and how many at least in each. */
const namesInAll = 500_000;
const fewestNamed = 5;

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
