import { printTypeRef } from '../graph/type-ref.js';
import type {
  GqlArgument,
  GqlEdgeOrigin,
  GqlNodeOrigin,
  GqlOperation,
  GqlSchema,
} from '../schema/gql-schema.js';
import { inputTypeRef } from '../schema/schema-index.js';
import { printDescription, printString } from './graphql/strings.js';
import { TextCollector } from './graphql/text-collector.js';
import { printValue } from './graphql/values.js';

/**
 * Writes a schema as GraphQL SDL: the directives of provenance, the types in source order, then Query,
 * Mutation and Subscription. `@topology` says which edge an operation or a union comes from, `@node`
 * which node a type comes from. A schema without queries gets the placeholder `Query._empty`, because
 * GraphQL demands a query. The text is made directly, without a syntax tree in between; it is laid out
 * as graphql-js would print it, so that formatting it changes nothing.
 *
 * @example
 * ```ts
 * import { compile, schemaToGraphQL } from 'gg-svc';
 *
 * const result = compile("(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String! })");
 * if (result.ok) console.log(schemaToGraphQL(result.schema));
 * ```
 */
export function schemaToGraphQL(schema: GqlSchema): string {
  const definitions = new TextCollector('\n');
  for (const directive of directivesOf(schema)) definitions.add(directive);
  for (const type of schema.objects) {
    let text = `${printDescription(type.description, '')}type ${type.name}${printNode(type.node)} {\n`;
    for (const field of type.fields) {
      if (field.description !== undefined) text += printDescription(field.description, '  ');
      text += `  ${field.name}: ${printTypeRef(field.type)}\n`;
    }
    definitions.add(`${text}}\n`);
  }
  for (const type of schema.enums) {
    const start = `${printDescription(type.description, '')}enum ${type.name}${printNode(type.node)}`;
    definitions.add(`${start} {\n  ${type.values.join('\n  ')}\n}\n`);
  }
  for (const type of schema.scalars) {
    const { specifiedBy } = type;
    const specification = specifiedBy === undefined ? '' : ` @specifiedBy(url: ${printString(specifiedBy)})`;
    const start = `${printDescription(type.description, '')}scalar ${type.name}`;
    definitions.add(`${start}${specification}${printNode(type.node)}\n`);
  }
  for (const type of schema.unions) {
    const start = `${printDescription(type.description, '')}union ${type.name}${printTopology(type.edges)}`;
    definitions.add(`${start} = ${type.members.join(' | ')}\n`);
  }
  for (const type of schema.inputs) {
    let text = `${printDescription(type.description, '')}input ${type.name} {\n`;
    for (const field of type.fields) {
      if (field.description !== undefined) text += printDescription(field.description, '  ');
      text += `  ${printArgument(schema, field)}\n`;
    }
    definitions.add(`${text}}\n`);
  }
  if (schema.queries.length === 0) definitions.add('type Query {\n  _empty: Boolean\n}\n');
  else definitions.add(printRoot(schema, 'Query', schema.queries));
  if (schema.mutations.length > 0) definitions.add(printRoot(schema, 'Mutation', schema.mutations));
  if (schema.subscriptions.length > 0) {
    definitions.add(printRoot(schema, 'Subscription', schema.subscriptions));
  }
  return definitions.text();
}

/** The directives of provenance, each only where the schema uses it. */
function directivesOf({
  queries,
  mutations,
  subscriptions,
  unions,
  objects,
  enums,
  scalars,
}: GqlSchema): string[] {
  const fromEdge = (made: { readonly edges: readonly GqlEdgeOrigin[] }) => made.edges.length > 0;
  const fromNode = (type: { readonly node: GqlNodeOrigin | undefined }) => type.node !== undefined;
  const definitions: string[] = [];
  if ([queries, mutations, subscriptions, unions].some((list) => list.some(fromEdge))) {
    definitions.push(
      '"""The edge of the topology that this was projected from."""\n' +
        'directive @topology(edge: String!, from: String!, to: String!) repeatable on FIELD_DEFINITION | UNION\n',
    );
  }
  if ([objects, enums, scalars].some((list) => list.some(fromNode))) {
    definitions.push(
      '"""The node of the topology that this was projected from."""\n' +
        'directive @node(id: String!, labels: [String!]!) on OBJECT | ENUM | SCALAR\n',
    );
  }
  return definitions;
}

function printRoot(schema: GqlSchema, name: string, operations: readonly GqlOperation[]): string {
  const lines = new TextCollector('');
  lines.add(`type ${name} {\n`);
  for (const operation of operations) {
    const { description, name, type, edges } = operation;
    const args = printArguments(schema, operation.arguments);
    lines.add(
      `${printDescription(description, '  ')}  ${name}${args}: ${printTypeRef(type)}${printTopology(edges)}\n`,
    );
  }
  lines.add('}\n');
  return lines.text();
}

/** On one line, unless an argument has a description; then each argument has its own lines. */
function printArguments(schema: GqlSchema, args: readonly GqlArgument[]): string {
  if (args.length === 0) return '';
  const described = args.some(({ description }) => description !== undefined && description !== '');
  let text = '(';
  for (const argument of args) {
    if (described) text += `\n${printDescription(argument.description, '    ')}    `;
    else if (text !== '(') text += ', ';
    text += printArgument(schema, argument);
  }
  return described ? `${text}\n  )` : `${text})`;
}

function printArgument(schema: GqlSchema, { name, type, fallback }: GqlArgument): string {
  const start = `${name}: ${printTypeRef(inputTypeRef(schema, type))}`;
  return fallback === undefined ? start : `${start} = ${printValue(schema, type, fallback)}`;
}

function printTopology(edges: readonly GqlEdgeOrigin[]): string {
  let text = '';
  for (const { edge, from, to } of edges) {
    text += ` @topology(edge: ${printString(edge)}, from: ${printString(from.join(' | '))}, to: ${printString(to)})`;
  }
  return text;
}

function printNode(node: GqlNodeOrigin | undefined): string {
  if (node === undefined) return '';
  return ` @node(id: ${printString(node.id)}, labels: [${node.labels.map(printString).join(', ')}])`;
}
