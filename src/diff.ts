/**
 * `gg-svc/diff`: the changes between two schemas, and whether each of them breaks clients.
 *
 * @module diff
 */

export type { ChangePlace, ChangeReach, SchemaChange } from './diff/change.js';
export type { ChangeKind } from './diff/change-kinds.js';
export type { ChangeLevel } from './diff/change-level.js';
export { diffSchemas } from './diff/diff-schemas.js';
