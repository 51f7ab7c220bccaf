import { diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphNode } from '../../graph/graph-ir.js';
import { baseName, listOf, named, nonNull, nullable, type TypeRef } from '../../graph/type-ref.js';
import type { Span } from '../../source/span.js';
import { encodeCursor } from '../cursor.js';
import type { GqlArgument, GqlField, GqlObjectType, GqlOperation } from '../gql-schema.js';
import type { ProjectionContext } from './projection-context.js';

/**
 * Makes the connections of operations with `page`, by the GraphQL Cursor Connections Specification: the result
 * `[Book!]!` becomes `BookConnection!`, and the arguments of its section 4 follow those of the operation. Each connection
 * type exists once.
 */
export class PageProjection {
  /** The added types by name, with the first operation that needs each. */
  readonly #types = new Map<
    string,
    { readonly type: GqlObjectType; readonly of: string; readonly span: Span }
  >();
  readonly #context: ProjectionContext;

  constructor(context: ProjectionContext) {
    this.#context = context;
  }

  /** @param span the place of the setting `page` */
  toConnection(operation: GqlOperation, size: number, span: Span): GqlOperation {
    const { name, type } = operation;
    const bare = nullable(type);
    if (bare.kind === 'list' && nullable(bare.of).kind === 'list') {
      this.#context.diagnostics.push(diagnose('GG3064', { operation: name }, span));
    }
    const node = baseName(type);
    const connection = named(this.#add(node, name, span));
    return {
      ...operation,
      arguments: [...operation.arguments, ...argumentsOf(name, size)],
      // Without `returns`, the type of the target says nothing about a list.
      type: bare.kind === 'list' && type.kind !== 'nonNull' ? connection : nonNull(connection),
      page: { size, node },
    };
  }

  /** The added types. A node with the name of one is an error (GG3003). */
  types(): readonly GqlObjectType[] {
    const added: GqlObjectType[] = [];
    for (const [name, { type, of }] of this.#types) {
      const node: GraphNode | undefined = this.#context.nodes.get(name);
      if (node === undefined) added.push(type);
      else this.#context.diagnostics.push(diagnose('GG3003', { node: node.id, type: name, of }, node.span));
    }
    return added;
  }

  #add(node: string, of: string, span: Span): string {
    const connection = `${node}Connection`;
    const edge = `${node}Edge`;
    const add = (type: GqlObjectType): void => {
      if (!this.#types.has(type.name)) this.#types.set(type.name, { type, of, span });
    };
    add(
      objectType(connection, `A page of a list of ${node}.`, [
        field('edges', 'The items of the page.', listOf(nonNull(named(edge)))),
        field('pageInfo', 'The place of the page in the list.', named('PageInfo')),
      ]),
    );
    add(
      objectType(edge, `An item of a page of ${node}.`, [
        field('node', 'The item.', named(node)),
        field('cursor', 'The place of the item, for “after” and “before”.', named('String')),
      ]),
    );
    add(
      objectType('PageInfo', 'The place of a page in its list.', [
        field('hasNextPage', 'Whether there are items after the page.', named('Boolean')),
        field('hasPreviousPage', 'Whether there are items before the page.', named('Boolean')),
        { ...field('startCursor', 'The cursor of the first item.', named('String')), type: named('String') },
        { ...field('endCursor', 'The cursor of the last item.', named('String')), type: named('String') },
      ]),
    );
    return connection;
  }
}

function objectType(name: string, description: string, fields: readonly GqlField[]): GqlObjectType {
  return { name, description, fields, node: undefined };
}

function field(name: string, description: string, type: Exclude<TypeRef, { kind: 'nonNull' }>): GqlField {
  return { name, description, type: nonNull(type), fallback: undefined, span: undefined };
}

function argumentsOf(operation: string, size: number): readonly GqlArgument[] {
  const cursor = encodeCursor(operation, { position: 0, key: '1' });
  return [
    argument('first', `The number of items after “after”. Without “first” and “last”, ${size}.`, 'Int', size),
    argument('after', 'The cursor of the item before the page.', 'String', cursor),
    argument('last', 'The number of items before “before”.', 'Int', size),
    argument('before', 'The cursor of the item after the page.', 'String', cursor),
  ];
}

function argument(name: string, description: string, type: string, example: string | number): GqlArgument {
  return { name, description, type: named(type), fallback: undefined, span: undefined, examples: [example] };
}
