import { hasChains } from '../api/chains/api-chains.js';
import { withChainFields } from '../api/chains/chain-fields.js';
import { escapeString, printDescription, printString } from '../api/graphql-strings.js';
import { directives, printAccess, printEnumValues, printNotes } from '../api/print-notes.js';
import { graphqlArguments } from '../api/resume-argument.js';
import { argumentSignature } from '../api/signature.js';
import { printTypeRef } from '../graph/type-ref.js';
import {
  allOperations,
  type GqlArgument,
  type GqlEdgeOrigin,
  type GqlEnumType,
  type GqlField,
  type GqlInputType,
  type GqlNodeOrigin,
  type GqlObjectType,
  type GqlOperation,
  type GqlScalarType,
  type GqlSchema,
  type GqlUnionType,
  raceWords,
} from '../schema/gql-schema.js';
import { indexSchema, type NamedType } from '../schema/schema-index.js';
import { TextCollector } from './text/text-collector.js';

/**
 * Writes a schema as GraphQL SDL: the directives, the types in source order, then Query,
 * Mutation, with the fields of chains, and Subscription. `@topology` names the edge that an operation or a union comes from, `@node`
 * the node that a type comes from. A schema without queries gets the placeholder `Query._empty`, because
 * GraphQL requires a query. The text is written directly, without a syntax tree, in the layout of
 * graphql-js, so that formatting it changes nothing.
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
  return printSchema(hasChains(schema) ? withChainFields(schema) : schema);
}

function printSchema(schema: GqlSchema): string {
  const sdl = new TextCollector();
  sdl.add(printDirectives(schema));
  for (const type of schema.interfaces ?? []) sdl.add(printFields(schema, 'interface', type));
  for (const type of schema.objects) sdl.add(printFields(schema, 'type', type));
  for (const type of schema.enums) sdl.add(printEnum(type));
  for (const type of schema.scalars) sdl.add(printScalar(type));
  for (const type of schema.unions) sdl.add(printUnion(type));
  for (const type of schema.inputs) sdl.add(printInput(schema, type));
  const addRoot = (start: string, operations: readonly GqlOperation[]): void => {
    if (operations.length === 0) return;
    sdl.add(start);
    for (const operation of operations) sdl.add(printOperation(schema, operation));
    sdl.add('}\n');
  };
  if (schema.queries.length === 0) sdl.add('type Query {\n  _empty: Boolean\n}\n');
  addRoot('type Query {\n', schema.queries);
  addRoot('\ntype Mutation {\n', schema.mutations);
  addRoot('\ntype Subscription {\n', schema.subscriptions);
  if (schema.info?.description !== undefined) addSchema(sdl, schema, schema.info.description);
  return sdl.text();
}

/** The definition of one type in SDL; undefined for a name that the document does not define. */
export function printDefinition(schema: GqlSchema, name: string): string | undefined {
  const found = indexSchema(schema).types.get(name);
  return found && printNamedType(schema, found);
}

/**
 * A type in SDL; undefined for a built-in scalar.
 *
 * @param comment - The end of the line of each field of an object type or an interface.
 */
export function printNamedType(
  schema: GqlSchema,
  found: NamedType,
  comment?: (field: GqlField) => string,
): string | undefined {
  if (found.kind === 'object') return printFields(schema, 'type', found.type, comment);
  if (found.kind === 'interface') return printFields(schema, 'interface', found.type, comment);
  if (found.kind === 'enum') return printEnum(found.type);
  if (found.kind === 'scalar') return printScalar(found.type);
  if (found.kind === 'union') return printUnion(found.type);
  return found.kind === 'input' ? printInput(schema, found.type) : undefined;
}

/** An operation as the field of its root type, in SDL. */
export function printOperation(schema: GqlSchema, operation: GqlOperation): string {
  const { description, name, type, edges } = operation;
  const signature = `${name}${printArguments(schema, graphqlArguments(operation))}: ${printTypeRef(type)}`;
  return `${printDescription(description, '  ')}  ${signature}${printNotes(operation)}${printTopology(edges)}\n`;
}

function printEnum(type: GqlEnumType): string {
  const start = `${printDescription(type.description, '')}enum ${type.name}${printNode(type.node)}`;
  return `${start} {${printEnumValues(type)}\n}\n\n`;
}

function printScalar({ name, description, specifiedBy, node }: GqlScalarType): string {
  const specification = specifiedBy === undefined ? '' : ` @specifiedBy(url: ${printString(specifiedBy)})`;
  return `${printDescription(description, '')}scalar ${name}${specification}${printNode(node)}\n\n`;
}

function printUnion(union: GqlUnionType): string {
  const { name, description, edges, members, open = {} } = union;
  const opened = Object.entries(open).map(
    ([member, reason]) => ` @open(reason: ${printString(reason)}, member: "${member}")`,
  );
  const words = Object.entries(raceWords(union)).map(
    ([word, value]) => `${word}: ${Array.isArray(value) ? `[${value.join(', ')}]` : JSON.stringify(value)}`,
  );
  const race = words.length === 0 ? '' : ` @race(${words.join(', ')})`;
  const start = `${printDescription(description, '')}union ${name}${printTopology(edges)}${race}${opened.join('')}`;
  return `${start} = ${members.join(' | ')}\n\n`;
}

function printInput(schema: GqlSchema, type: GqlInputType): string {
  const oneOf = type.oneOf === true ? ' @oneOf' : '';
  let text = `${printDescription(type.description, '')}input ${type.name}${oneOf}${printNode(type.node)} {`;
  for (const field of type.fields) {
    text += `${lineStart(field.description)}${argumentSignature(schema, field)}${printNotes(field)}`;
  }
  return `${text}\n}\n\n`;
}

/** An object type or an interface. */
function printFields(
  schema: GqlSchema,
  keyword: 'type' | 'interface',
  type: GqlObjectType,
  comment: (field: GqlField) => string = () => '',
): string {
  const { name, description, interfaces, node } = type;
  const keeps = interfaces === undefined ? '' : ` implements ${interfaces.join(' & ')}`;
  let text = `${printDescription(description, '')}${keyword} ${name}${keeps}${printNode(node)}${printAccess(type)} {`;
  for (const field of type.fields) {
    const args = field.arguments === undefined ? '' : printArguments(schema, field.arguments);
    text += `${lineStart(field.description)}${field.name}${args}: ${printTypeRef(field.type)}${printNotes(field)}${comment(field)}`;
  }
  return `${text}\n}\n\n`;
}

/** The description of the whole API stands on the schema definition (October 2021, section 3.3). */
function addSchema(sdl: TextCollector, schema: GqlSchema, description: string): void {
  const roots = [
    ['query', 'Query', true],
    ['mutation', 'Mutation', schema.mutations.length > 0],
    ['subscription', 'Subscription', schema.subscriptions.length > 0],
  ] as const;
  const lines = roots.filter(([, , exists]) => exists).map(([kind, type]) => `  ${kind}: ${type}\n`);
  sdl.add(`\n${printDescription(description, '')}schema {\n${lines.join('')}}\n`);
}

/** The directives, each only if the schema uses it. */
function printDirectives(schema: GqlSchema): string {
  const { mutations, unions, objects, enums, scalars, inputs, interfaces = [] } = schema;
  const operations = allOperations(schema);
  const fromNode = (type: { readonly node?: GqlNodeOrigin | undefined }) => type.node !== undefined;
  let text = '';
  if ([operations, unions].some((list) => list.some(({ edges }) => edges.length > 0))) {
    text +=
      '"""The edge of the topology that this was projected from."""\n' +
      'directive @topology(edge: String!, from: String!, to: String!) repeatable on FIELD_DEFINITION | UNION\n\n';
  }
  const further = (inputs.some(fromNode) ? ' | INPUT_OBJECT' : '') + (interfaces.some(fromNode) ? ' | INTERFACE' : '');
  if (further !== '' || [objects, enums, scalars].some((list) => list.some(fromNode))) {
    text +=
      '"""The node of the topology that this was projected from."""\n' +
      `directive @node(id: String!, labels: [String!]!) on OBJECT | ENUM | SCALAR${further}\n\n`;
  }
  if (schema.security !== undefined) text += directives.auth;
  if (mutations.some(({ idempotent }) => idempotent !== undefined)) text += directives.idempotent;
  if ([operations, unions].some((list) => list.some(({ open }) => open !== undefined))) text += directives.open;
  const words = unions.map(raceWords);
  if (words.some(({ after }) => after !== undefined)) text += directives.delayedRace;
  else if (unions.some(({ policy }) => policy !== undefined)) text += directives.race;
  if (enums.some(({ spellings }) => spellings !== undefined)) text += directives.value;
  const { notNull, constraint } = usedNotes(schema, operations);
  if (notNull) text += directives.notNull;
  return constraint ? text + directives.constraint : text;
}

/** Whether values are not null though they may be missing, or limited. Loops: a large schema would pay for a call each. */
function usedNotes({ objects, interfaces = [], inputs }: GqlSchema, operations: readonly GqlOperation[]) {
  const used = { notNull: false, constraint: false };
  const read = (values: readonly GqlArgument[]): void => {
    for (const { notNull, constraints } of values) {
      if (notNull === true) used.notNull = true;
      if (constraints !== undefined) used.constraint = true;
    }
  };
  for (const { fields } of inputs) read(fields);
  for (const { arguments: args } of operations) read(args);
  for (const { fields } of [...objects, ...interfaces]) {
    read(fields);
    for (const { arguments: args } of fields) if (args !== undefined) read(args);
  }
  return used;
}

/** A line break and the indent of a field, with its description between them if it has one. */
function lineStart(description: string | undefined): string {
  return description === undefined ? '\n  ' : `\n${printDescription(description, '  ')}  `;
}

/** On one line, unless an argument has a description; then each argument has its own lines. */
function printArguments(schema: GqlSchema, args: readonly GqlArgument[]): string {
  if (args.length === 0) return '';
  const described = args.some(({ description }) => description);
  let text = '(';
  for (const argument of args) {
    const start = described ? `\n${printDescription(argument.description, '    ')}    ` : text === '(' ? '' : ', ';
    text += start + argumentSignature(schema, argument) + printNotes(argument);
  }
  return described ? `${text}\n  )` : `${text})`;
}

function printTopology(edges: readonly GqlEdgeOrigin[]): string {
  let text = '';
  for (const { edge, from, to } of edges) {
    const sources = from.length === 1 ? (from[0] as string) : from.join(' | ');
    text += ` @topology(edge: "${escapeString(edge)}", from: "${escapeString(sources)}", to: "${escapeString(to)}")`;
  }
  return text;
}

function printNode(node: GqlNodeOrigin | undefined): string {
  if (node === undefined) return '';
  let labels = '';
  for (const label of node.labels) labels += `${labels === '' ? '"' : ', "'}${escapeString(label)}"`;
  return ` @node(id: "${escapeString(node.id)}", labels: [${labels}])`;
}
