import { perObject, remember } from '../graph/maps.js';
import { baseName, nullable } from '../graph/type-ref.js';
import { allOperations, type GqlArgument, type GqlField, type GqlSchema } from '../schema/gql-schema.js';
import { indexSchema, inputTypeOf, isComposite, memberNames, namedType, objectFields } from '../schema/schema-index.js';
import { answeredFields, isRequired } from './is-required.js';

/** Whether a type is in an input or an output position. */
export type Position = 'input' | 'output';

/** The maximum number of levels of objects in a default selection or an example. */
const maximumDepth = 3;

/** The maximum number of fields in a default selection or an example, unless one level alone has more. */
const maximumFields = 200;

/**
 * The greatest depth, at most 3 and at least 1, at which the objects nested in a type have no
 * more than 200 fields together. Types may refer to each other in any way, so a fixed depth alone
 * would let a dense schema make texts that grow with the third power of its size.
 */
export function boundedDepth(schema: GqlSchema, position: Position, name: string): number {
  let depth = maximumDepth;
  while (depth > 1 && countFields(schema, position, name, depth) > maximumFields) depth--;
  return depth;
}

/** Whether an input has a value of at most 200 fields on at most 12 levels, the required ones. */
export function hasSmallValue(schema: GqlSchema, name: string): boolean {
  return countRequired(schema, name, 12, new Map()) <= maximumFields;
}

function countRequired(schema: GqlSchema, name: string, levels: number, memo: Map<string, number>): number {
  const input = inputTypeOf(schema, name);
  if (input === undefined) return 0;
  if (levels === 0) return Number.POSITIVE_INFINITY;
  return remember(memo, `${levels} ${name}`, () => {
    let count = 0;
    for (const field of input.oneOf ? input.fields.slice(0, 1) : input.fields) {
      if (!input.oneOf && !isRequired(field)) continue;
      const isEmpty = nullable(field.type).kind === 'list' && !((field.constraints?.minItems ?? 0) > 0);
      count += 1 + (isEmpty ? 0 : countRequired(schema, baseName(field.type), levels - 1, memo));
    }
    return count;
  });
}

const counts = perObject((_: GqlSchema): Map<string, number>[] => []);

/** Counts each type once for each depth, so that the whole is linear in the size of the schema. */
function countFields(schema: GqlSchema, position: Position, name: string, depth: number): number {
  const memos = counts(schema);
  const at = position === 'input' ? 2 * depth : 2 * depth + 1;
  memos[at] ??= new Map();
  return remember(memos[at], name, () => {
    const isLast = depth === 1;
    if (isLast && position === 'output') return tailOf(schema, name).fields;
    let count = 0;
    for (const field of allFieldsOf(schema, position, name)) {
      const inner = baseName(field.type);
      if (!isComposite(schema, inner)) count += 1;
      else if (!isLast) count += 1 + countFields(schema, position, inner, depth - 1);
    }
    return count;
  });
}

function allFieldsOf(schema: GqlSchema, position: Position, name: string): readonly (GqlField | GqlArgument)[] {
  if (position === 'input') return inputTypeOf(schema, name)?.fields ?? [];
  const found = namedType(schema, name);
  if (found.kind === 'object') return found.type.fields;
  return memberNames(found).flatMap((member) => objectFields(schema, member));
}

// A default selection ends at a depth, but an answer must have the fields that the topology requires. So the last level
// of a selection has a tail: its required objects, with their scalars, enums and required objects. A tail cannot follow
// a cycle of required fields, and has a greatest size.

/** With the levels above, a document keeps within the limit of servers. */
const maximumLevels = 7;
const maximumTypes = 50;

interface Tail {
  readonly fields: number;
  readonly levels: number;
}

const tails = perObject((_: GqlSchema) => new Map<string, Tail>());
/** The types that a type requires, directly or not; undefined if there are too many. */
const requirements = perObject((_: GqlSchema) => new Map<string, ReadonlySet<string> | undefined>());
/** The connections, and the edges in them. */
const pageTypes = perObject((schema: GqlSchema): ReadonlySet<string> => {
  const paged = [...allOperations(schema), ...schema.objects.flatMap(({ fields }) => fields)];
  return new Set(paged.flatMap(({ page }) => (page ? [`${page.node}Connection`, `${page.node}Edge`] : [])));
});

/**
 * Whether a field with an object belongs to a selection also below its last level: it is required, and neither part of
 * a cycle of required fields nor too large. A page always has its items, which may refer back to its owner.
 */
export function isInTail(schema: GqlSchema, owner: string, { type }: Pick<GqlField, 'type'>): boolean {
  if (type.kind !== 'nonNull') return false;
  if (pageTypes(schema).has(owner)) return true;
  const inner = baseName(type);
  const required = requiredTypes(schema, inner);
  if (required === undefined || required.has(owner)) return false;
  const { fields, levels } = tailOf(schema, inner);
  return fields <= maximumFields && levels <= maximumLevels;
}

function tailOf(schema: GqlSchema, name: string): Tail {
  return remember(tails(schema), name, () => {
    let fields = 0;
    let levels = 1;
    for (const { owner, field } of fieldsBelow(schema, name)) {
      if (!isComposite(schema, baseName(field.type))) {
        fields += 1;
      } else if (isInTail(schema, owner, field)) {
        const inner = tailOf(schema, baseName(field.type));
        fields += 1 + inner.fields;
        levels = Math.max(levels, 1 + inner.levels);
      }
    }
    return { fields, levels };
  });
}

function requiredTypes(schema: GqlSchema, name: string): ReadonlySet<string> | undefined {
  const required = requirements(schema);
  if (required.has(name)) return required.get(name);
  const found = new Set([name]);
  for (const type of found) {
    for (const { owner, field } of fieldsBelow(schema, type)) {
      found.add(owner);
      const inner = baseName(field.type);
      if (field.type.kind === 'nonNull' && isComposite(schema, inner)) found.add(inner);
    }
    if (found.size > maximumTypes) break;
  }
  const types = found.size > maximumTypes ? undefined : found;
  required.set(name, types);
  return types;
}

/** The fields of an object type, or of all types that a union or an interface stands for. */
function fieldsBelow(schema: GqlSchema, name: string): readonly { readonly owner: string; readonly field: GqlField }[] {
  const { types } = indexSchema(schema);
  const found = types.get(name);
  const owners = found === undefined ? [] : [name, ...memberNames(found)];
  return owners.flatMap((owner) => {
    const type = types.get(owner);
    if (type?.kind !== 'object') return [];
    return answeredFields(type.type.fields).map((field) => ({ owner, field }));
  });
}
