/**
 * `gg-svc/diff`: the changes between two schemas, and whether each of them breaks clients.
 *
 * @module diff
 */

export { diffSchemas } from './analysis/diff/diff-schemas.js';
export type { ChangePlace, ChangeReach, SchemaChange } from './analysis/diff/model/change.js';
export type { ChangeKind } from './analysis/diff/model/change-kinds.js';
export type { ChangeLevel } from './analysis/diff/model/change-level.js';
