import { remember } from '../graph/maps.js';
import { baseName, nullable } from '../graph/type-ref.js';
import type { GqlArgument, GqlField, GqlSchema } from '../schema/gql-schema.js';
import { inputTypeOf, isComposite, memberNames, namedType, objectFields } from '../schema/schema-index.js';
import { isRequired } from './is-required.js';
import { tailOf } from './required-tail.js';

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
      const isList = nullable(field.type).kind === 'list';
      count += 1 + (isList ? 0 : countRequired(schema, baseName(field.type), levels - 1, memo));
    }
    return count;
  });
}

/** The counts by name, for each depth in each position. */
const counts = new WeakMap<GqlSchema, Map<string, number>[]>();

/** Counts each type once for each depth, so that the whole is linear in the size of the schema. */
function countFields(schema: GqlSchema, position: Position, name: string, depth: number): number {
  const memos = remember(counts, schema, () => []);
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

function allFieldsOf(
  schema: GqlSchema,
  position: Position,
  name: string,
): readonly (GqlField | GqlArgument)[] {
  if (position === 'input') return inputTypeOf(schema, name)?.fields ?? [];
  const found = namedType(schema, name);
  if (found.kind === 'object') return found.type.fields;
  return memberNames(found).flatMap((member) => objectFields(schema, member));
}
