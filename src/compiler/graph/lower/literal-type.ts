import type { Value } from '../../syntax/ast.js';
import { nullable, printTypeRef, type TypeRef } from '../type-ref.js';
import type { TypeTable } from './type-table.js';

/** The type of a literal, or the reason why it has none. */
export type LiteralType = { readonly type: TypeRef } | { readonly reason: string };

/**
 * The type of a field that is declared by its value alone: the scalar of the value, non-null; `null` is a nullable
 * String. The items of a list must have one type: integers beside other numbers are Floats, and a `null` makes the
 * items nullable.
 */
export function literalType(types: TypeTable, value: Value): LiteralType {
  switch (value.kind) {
    case 'String':
    case 'Word':
      return { type: types.required('String') };
    case 'Boolean':
      return { type: types.required('Boolean') };
    case 'Number':
      return { type: types.required(value.integer && isInt(value.value) ? 'Int' : 'Float') };
    case 'Null':
      return { type: types.named('String') };
    case 'List':
      return listType(types, value.items);
  }
}

/** Whether a number is a GraphQL Int: a 32-bit integer. */
export function isInt(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}

function listType(types: TypeTable, items: readonly Value[]): LiteralType {
  let common: TypeRef | undefined;
  let holdsNull = false;
  for (const item of items) {
    if (item.kind === 'Null') {
      holdsNull = true;
      continue;
    }
    const found = literalType(types, item);
    if ('reason' in found) return found;
    const united: TypeRef | undefined = common === undefined ? found.type : unite(types, common, found.type);
    if (united === undefined) {
      return {
        reason: `it holds both ${describeLiteralType(common as TypeRef)} and ${describeLiteralType(found.type)}`,
      };
    }
    common = united;
  }
  if (common === undefined) return { reason: holdsNull ? 'it holds nothing but null' : 'it is empty' };
  return { type: types.nonNull(types.listOf(holdsNull ? nullable(common) : common)) };
}

/** The narrowest type for the values of both; undefined if there is none. */
function unite(types: TypeTable, one: TypeRef, other: TypeRef): TypeRef | undefined {
  if (one === other) return one;
  if (one.kind === 'nonNull' || other.kind === 'nonNull') {
    const inner = unite(types, nullable(one), nullable(other));
    return inner !== undefined && one.kind === other.kind ? types.nonNull(inner) : inner;
  }
  if (one.kind === 'list' && other.kind === 'list') {
    const inner = unite(types, one.of, other.of);
    return inner && types.listOf(inner);
  }
  const numbers = isNumber(one) && isNumber(other);
  return numbers ? types.named('Float') : undefined;
}

function isNumber(type: TypeRef): boolean {
  return type.kind === 'named' && (type.name === 'Int' || type.name === 'Float');
}

function describeLiteralType(type: TypeRef): string {
  return printTypeRef(type).replaceAll('!', '');
}
