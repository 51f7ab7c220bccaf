import { type Access, clausesOf } from '../../../compiler/graph/access.js';
import type { Owner } from '../../auth/owner.js';
import { OperationRoot } from './operation-root.js';

/** The names of the values that must be the caller's own id. */
export function ownersOf(access: Access): readonly string[] {
  return clausesOf(access).flatMap((clause) => (clause.kind === 'owner' ? [clause.of] : []));
}

/** The caller of an operation as the owner of data; undefined if it may read all. */
export function ownerOf(rootValue: unknown): Owner | undefined {
  return rootValue instanceof OperationRoot ? rootValue.owner : undefined;
}
