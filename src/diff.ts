/**
 * `gg-svc/diff`: the changes between two schemas, and whether each of them breaks clients.
 *
 * @module diff
 */

export { diffSchemas } from './diff/diff-schemas.js';
export type { ChangePlace, ChangeReach, SchemaChange } from './diff/model/change.js';
export type { ChangeKind } from './diff/model/change-kinds.js';
export type { ChangeLevel } from './diff/model/change-level.js';
