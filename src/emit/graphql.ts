import { printTypeRef } from '../graph/type-ref.js';
import type {
  GqlArgument,
  GqlEdgeOrigin,
  GqlField,
  GqlNodeOrigin,
  GqlOperation,
  GqlSchema,
} from '../schema/gql-schema.js';
import { inputTypeRef } from '../schema/schema-index.js';
import { printDescription, printString } from './graphql/strings.js';
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
 * const result = compile("(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String! })");
 * if (result.ok) console.log(schemaToGraphQL(result.schema));
 * ```
 */
export function schemaToGraphQL(schema: GqlSchema): string {
  let text = printDirectives(schema);
  for (const type of schema.objects) {
    text += `${printDescription(type.description, '')}type ${type.name}${printNode(type.node)} {\n`;
    for (const field of type.fields) text += printField(field);
    text += '}\n\n';
  }
  for (const type of schema.enums) {
    text += `${printDescription(type.description, '')}enum ${type.name}${printNode(type.node)} {\n`;
    for (const value of type.values) text += `  ${value}\n`;
    text += '}\n\n';
  }
  for (const type of schema.scalars) {
    const specification =
      type.specifiedBy === undefined ? '' : ` @specifiedBy(url: ${printString(type.specifiedBy)})`;
    text += `${printDescription(type.description, '')}scalar ${type.name}${specification}${printNode(type.node)}\n\n`;
  }
  for (const type of schema.unions) {
    const origin = printTopology(type.edges);
    text += `${printDescription(type.description, '')}union ${type.name}${origin} = ${type.members.join(' | ')}\n\n`;
  }
  for (const type of schema.inputs) {
    text += `${printDescription(type.description, '')}input ${type.name} {\n`;
    for (const field of type.fields) {
      text += `${printDescription(field.description, '  ')}  ${printArgument(schema, field)}\n`;
    }
    text += '}\n\n';
  }
  text +=
    schema.queries.length > 0
      ? printRoot(schema, 'Query', schema.queries)
      : 'type Query {\n  _empty: Boolean\n}\n';
  if (schema.mutations.length > 0) text += `\n${printRoot(schema, 'Mutation', schema.mutations)}`;
  if (schema.subscriptions.length > 0) text += `\n${printRoot(schema, 'Subscription', schema.subscriptions)}`;
  return text;
}

/** Defines the directives of provenance, each only where the schema uses it. */
function printDirectives(schema: GqlSchema): string {
  const fromEdge = (made: { readonly edges: readonly GqlEdgeOrigin[] }) => made.edges.length > 0;
  const fromNode = (type: { readonly node: GqlNodeOrigin | undefined }) => type.node !== undefined;
  const { queries, mutations, subscriptions, unions, objects, enums, scalars } = schema;
  let text = '';
  if ([queries, mutations, subscriptions].some((list) => list.some(fromEdge)) || unions.some(fromEdge)) {
    text +=
      '"""The edge of the topology that this was projected from."""\n' +
      'directive @topology(edge: String!, from: String!, to: String!) repeatable on FIELD_DEFINITION | UNION\n\n';
  }
  if (objects.some(fromNode) || enums.some(fromNode) || scalars.some(fromNode)) {
    text +=
      '"""The node of the topology that this was projected from."""\n' +
      'directive @node(id: String!, labels: [String!]!) on OBJECT | ENUM | SCALAR\n\n';
  }
  return text;
}

function printRoot(schema: GqlSchema, name: string, operations: readonly GqlOperation[]): string {
  let text = `type ${name} {\n`;
  for (const operation of operations) {
    text += printDescription(operation.description, '  ');
    text += `  ${operation.name}${printArguments(schema, operation.arguments)}: `;
    text += `${printTypeRef(operation.type)}${printTopology(operation.edges)}\n`;
  }
  return `${text}}\n`;
}

function printField(field: GqlField): string {
  return `${printDescription(field.description, '  ')}  ${field.name}: ${printTypeRef(field.type)}\n`;
}

/** On one line, unless an argument has a description; then each argument has its own lines. */
function printArguments(schema: GqlSchema, args: readonly GqlArgument[]): string {
  if (args.length === 0) return '';
  if (args.every(({ description }) => description === undefined || description === '')) {
    return `(${args.map((argument) => printArgument(schema, argument)).join(', ')})`;
  }
  let text = '(\n';
  for (const argument of args) {
    text += `${printDescription(argument.description, '    ')}    ${printArgument(schema, argument)}\n`;
  }
  return `${text}  )`;
}

function printArgument(schema: GqlSchema, argument: GqlArgument): string {
  const start = `${argument.name}: ${printTypeRef(inputTypeRef(schema, argument.type))}`;
  const { fallback } = argument;
  return fallback === undefined ? start : `${start} = ${printValue(schema, argument.type, fallback)}`;
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
