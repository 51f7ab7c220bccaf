import { type FieldDefinitionNode, type InputValueDefinitionNode, Kind, type TypeNode } from 'graphql';
import { pageArguments } from '../../../compiler/schema/cursor.js';
import type { SchemaDefinition } from './type-definitions.js';
import { baseOf, directiveOf } from './values.js';

/** A field whose result is a list in pages, as a topology declares it. */
export interface PagedField {
  readonly type: TypeNode;
  readonly arguments: readonly InputValueDefinitionNode[];
  /** The number of items in a page; absent for other fields. */
  readonly page?: number;
}

/** The types of the items of the connections that a topology with `page` adds, by the names of the connections. */
export function itemsOfConnections({ types }: SchemaDefinition): ReadonlyMap<string, string> {
  const items = new Map<string, string>();
  for (const type of types.values()) {
    const { name } = type;
    const item = /^(.+)Connection$/.exec(name)?.[1];
    if (item === undefined || directiveOf(type, 'node') !== undefined) continue;
    if (types.has(`${item}Edge`) && types.has('PageInfo')) items.set(name, item);
  }
  return items;
}

/** A field with its list in place of the connection. */
export function withoutPages(
  { type, arguments: args = [] }: FieldDefinitionNode,
  connections: ReadonlyMap<string, string>,
): PagedField {
  const item = connections.get(baseOf(type));
  if (item === undefined || type.kind === Kind.LIST_TYPE) return { type, arguments: args };
  const first = args.find(({ name }) => name.value === 'first')?.description?.value ?? '';
  const named = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: item } } as const;
  const list = { kind: Kind.LIST_TYPE, type: { kind: Kind.NON_NULL_TYPE, type: named } } as const;
  return {
    type: type.kind === Kind.NON_NULL_TYPE ? { kind: Kind.NON_NULL_TYPE, type: list } : list,
    arguments: args.filter(({ name }) => !pageArguments.has(name.value)),
    page: Number(/(\d+)\.$/.exec(first)?.[1] ?? 20),
  };
}
