import { type AccessClause, clausesOf, printClause } from '../../../compiler/graph/access.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import type { GqlField, GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { isComposite, memberNames, namedType, objectFields } from '../../../compiler/schema/schema-index.js';
import { denialOf } from '../../../runtime/auth/denial.js';
import type { Attempt } from './ask.js';
import type { OwnedObjects, Problem } from './judge.js';
import { itemType, type OtherUser, objectsIn, ownersOfType } from './rules.js';

/** A field that default selections omit, and a selection that has it. */
export interface GuardedField {
  /** The object type that has it: of a union or an interface, each of its types. */
  readonly type: string;
  readonly field: GqlField;
  readonly selection: string;
  /** The rule that the user does not meet. */
  readonly text: string;
  /**
   * The data that the user must not get: the field, the field of an object of the first user, or such an object in the
   * field.
   */
  readonly without: 'field' | 'owned field' | 'owned object';
}

/** The fields of the objects of an operation that a user may not select, or only for its own objects. */
export function guardedFields(schema: GqlSchema, operation: GqlOperation, { principal, owner }: OtherUser) {
  const held = clausesOf(operation);
  const guarded = (field: GqlField): readonly [GuardedField['without'], AccessClause] | undefined => {
    const clauses = clausesOf(field);
    const lacking = clauses.find((one) => denialOf([one], principal, []) !== undefined);
    if (lacking !== undefined) return ['field', lacking];
    if (owner === undefined || clauses.length === 0) return undefined;
    const own = clauses.find(({ kind }) => kind === 'owner');
    if (own !== undefined && !held.some(({ kind }) => kind === 'owner')) return ['owned field', own];
    const [of] = ownersOfType(schema, baseName(field.type));
    return of === undefined ? undefined : ['owned object', { kind: 'owner', of }];
  };
  const item = itemType(operation);
  const members = memberNames(namedType(schema, item));
  return (members.length === 0 ? [item] : members).flatMap((type): readonly GuardedField[] => {
    const fields = objectFields(schema, type);
    // Objects are found by their ids; one without an id has the name of its type in its place.
    const id = fields.some(({ name }) => name === 'id') ? 'id' : 'id: __typename';
    return fields.flatMap((field) => {
      const found = (field.arguments ?? []).length > 0 ? undefined : guarded(field);
      if (found === undefined) return [];
      const [without, clause] = found;
      const name = baseName(field.type);
      const inner = objectFields(schema, name).filter(({ name: one }) =>
        ['id', ...ownersOfType(schema, name)].includes(one),
      );
      const selected = ['__typename', ...inner.map((one) => one.name)].join(' ');
      const own = `${id} ${field.name}${isComposite(schema, name) ? ` { ${selected} }` : ''}`;
      const object = `{ __typename ... on ${type} { ${own} } }`;
      const selection = operation.page === undefined ? object : `{ edges { node ${object} } }`;
      return [{ type, field, selection, text: printClause(clause), without }];
    });
  });
}

/** The finding about an answer that has a guarded field. */
export function judgeField(
  schema: GqlSchema,
  operation: GqlOperation,
  { type, field, text, without }: GuardedField,
  { isSuccess, result }: Attempt,
  mine: OwnedObjects,
): Problem | undefined {
  if (!isSuccess) return undefined;
  const objects = objectsIn(schema, operation, result);
  if (without === 'owned object') {
    const inside = objects.find((one) => !one.isTop && one.type === baseName(field.type) && mine.has(one));
    return inside && { severity: 'error', reason: `answers with ${mine.describe(inside)} (${text})` };
  }
  const seen = objects.find(
    (one) =>
      one.isTop &&
      one.type === type &&
      (one.object[field.name] ?? null) !== null &&
      (without === 'field' || mine.has(one)),
  );
  return seen && { severity: 'error', reason: `answers with ${type}.${field.name} (${text})` };
}
