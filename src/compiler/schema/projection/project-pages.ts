import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import type { GraphNode } from '../../graph/graph-ir.js';
import type { PageSize } from '../../graph/page-size.js';
import { baseName, named, nonNull, nullable, readTypeRef, type TypeRef } from '../../graph/type-ref.js';
import { encodeCursor, pageArguments } from '../cursor.js';
import type { GqlArgument, GqlField, GqlObjectType, GqlOperation } from '../gql-schema.js';
import type { ProjectionContext } from './type-projection.js';

/**
 * Makes the connections of operations with `page` and of fields with `@page`, by the GraphQL Cursor Connections Specification: the result
 * `[Book!]!` becomes `BookConnection!`, and the arguments of its section 4 follow those of the operation. Each connection
 * type exists once.
 */
export class PageProjection {
  /** The added types by name, with the first operation or field that needs each. */
  readonly #types = new Map<string, { readonly type: GqlObjectType; readonly of: string }>();
  /** The names of the connections with `totalCount`. */
  readonly #counted = new Set<string>();

  constructor(private readonly context: ProjectionContext) {}

  /** @param span the place of the setting `page` */
  ofOperation(operation: GqlOperation, size: PageSize, span: Span): GqlOperation {
    const { name, type } = operation;
    const bare = nullable(type);
    if (bare.kind === 'list' && nullable(bare.of).kind === 'list') {
      this.context.diagnostics.push(diagnose('GG3064', { operation: name }, span));
    }
    return this.#paged(operation, name, size);
  }

  /** A field whose list has the tag `@page`. An argument of the page among its own is an error (GG3063). */
  ofField(field: GqlField, owner: string, size: PageSize, span: Span): GqlField {
    const { name, arguments: own = [] } = field;
    const place = `${owner}.${name}`;
    const taken = own.find((argument) => pageArguments.has(argument.name));
    if (taken !== undefined) {
      const params = { operation: place, argument: taken.name };
      this.context.diagnostics.push(diagnose('GG3063', params, taken.span ?? span));
      return field;
    }
    return this.#paged(field, place, size);
  }

  #paged<Member extends GqlField | GqlOperation>(member: Member, place: string, page: PageSize): Member {
    const { type, arguments: own = [] } = member;
    return {
      ...member,
      arguments: [...own, ...argumentsOf(place, page.size)],
      type: this.#connectionOf(type, place, page),
      page: { size: page.size, ...(page.isCounted && { isCounted: true }), node: baseName(type) },
    };
  }

  #connectionOf(type: TypeRef, of: string, { isCounted }: PageSize): TypeRef {
    const name = this.#add(baseName(type), of);
    if (isCounted) this.#counted.add(name);
    const connection = named(name);
    // Without `returns`, the type of the target says nothing about a list.
    return nullable(type).kind === 'list' && type.kind !== 'nonNull' ? connection : nonNull(connection);
  }

  /** The added types. A node with the name of one is an error (GG3003). */
  types(): readonly GqlObjectType[] {
    const added: GqlObjectType[] = [];
    for (const [name, { type, of }] of this.#types) {
      const node: GraphNode | undefined = this.context.nodes.get(name);
      if (node === undefined) added.push(this.#counted.has(name) ? counted(type) : type);
      else this.context.diagnostics.push(diagnose('GG3003', { node: node.id, type: name, of }, node.span));
    }
    return added;
  }

  #add(node: string, of: string): string {
    const connection = `${node}Connection`;
    const edge = `${node}Edge`;
    const add = (name: string, description: string, fields: readonly GqlField[]): void => {
      if (!this.#types.has(name)) this.#types.set(name, { type: { name, description, fields, node: undefined }, of });
    };
    add(connection, `A page of a list of ${node}.`, [
      field('edges', 'The items of the page.', `[${edge}!]!`),
      field('pageInfo', 'The place of the page in the list.', 'PageInfo!'),
    ]);
    add(edge, `An item of a page of ${node}.`, [
      field('node', 'The item.', `${node}!`),
      field('cursor', 'The place of the item, for “after” and “before”.', 'String!'),
    ]);
    add('PageInfo', 'The place of a page in its list.', [
      field('hasNextPage', 'Whether there are items after the page.', 'Boolean!'),
      field('hasPreviousPage', 'Whether there are items before the page.', 'Boolean!'),
      field('startCursor', 'The cursor of the first item.', 'String'),
      field('endCursor', 'The cursor of the last item.', 'String'),
    ]);
    return connection;
  }
}

function field(name: string, description: string, type: string): GqlField {
  return { name, description, type: readTypeRef(type), fallback: undefined, span: undefined };
}

function counted(type: GqlObjectType): GqlObjectType {
  const total = field('totalCount', 'The number of items on all pages; null if unknown.', 'Int');
  return { ...type, fields: [...type.fields, total] };
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
  return { ...field(name, description, type), examples: [example] };
}
