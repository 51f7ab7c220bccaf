import { printSelection } from '../../../compiler/api/print-selection.js';
import { defaultSelection } from '../../../compiler/api/selection.js';
import { clausesOf, printClause } from '../../../compiler/graph/access.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { isComposite, objectFields } from '../../../compiler/schema/schema-index.js';
import { denialOf } from '../../../runtime/auth/denial.js';
import type { Attempt } from './ask.js';
import type { Belongings, Problem } from './judge.js';
import { itemType, objectsIn, type Stranger } from './rules.js';

/** A field that a user may not select, and the selection that has it. */
export interface GuardedField {
  readonly field: GqlField;
  readonly selection: string;
  readonly text: string;
  readonly isOwned: boolean;
}

/** The fields of the objects of an operation that a user may not select, or only of its own objects. */
export function guardedFields(
  schema: GqlSchema,
  operation: GqlOperation,
  { principal, owner }: Stranger,
): readonly GuardedField[] {
  const held = clausesOf(operation);
  return objectFields(schema, itemType(operation)).flatMap((field) => {
    if (field.arguments !== undefined && field.arguments.length > 0) return [];
    const clause = clausesOf(field).find((one) => {
      if (one.kind === 'owner') return owner !== undefined && !held.some((other) => other.kind === 'owner');
      return denialOf([one], principal, []) !== undefined;
    });
    if (clause === undefined) return [];
    const inner = defaultSelection(schema, field.type);
    const isObject = isComposite(schema, baseName(field.type));
    if (isObject && inner === undefined) return [];
    const text = `${field.name}${inner === undefined ? '' : ` ${printSelection(inner)}`}`;
    const object = `{ __typename id ${text} }`;
    const selection = operation.page === undefined ? object : `{ edges { node ${object} } }`;
    return [{ field, selection, text: printClause(clause), isOwned: clause.kind === 'owner' }];
  });
}

/** What is wrong with an answer that has a guarded field. */
export function judgeField(
  schema: GqlSchema,
  operation: GqlOperation,
  { field, text, isOwned }: GuardedField,
  { isSuccess, result }: Attempt,
  mine: Belongings,
): Problem | undefined {
  if (!isSuccess) return undefined;
  const seen = objectsIn(schema, operation, result).find(
    (one) => one.isTop && (one.object[field.name] ?? null) !== null && (!isOwned || mine.has(one)),
  );
  if (seen === undefined) return undefined;
  return { severity: 'error', reason: `answers with ${seen.type}.${field.name} (${text})` };
}
