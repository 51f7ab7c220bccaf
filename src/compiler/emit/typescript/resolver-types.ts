import { withoutOldNames } from '../../api/old-names.js';
import { appendTo } from '../../graph/maps.js';
import { baseName } from '../../graph/type-ref.js';
import {
  allOperations,
  type GqlArgument,
  type GqlField,
  type GqlObjectType,
  type GqlOperation,
  type GqlSchema,
  type GqlUnionType,
} from '../../schema/gql-schema.js';
import {
  implementersOf,
  inputTypeOf,
  inputTypeRef,
  isComposite,
  memberNames,
  namedType,
  objectFields,
} from '../../schema/schema-index.js';
import type { LeftOut } from './left-out.js';
import { resolverSupport } from './resolver-support.js';
import {
  docComment,
  givenMember,
  leafText,
  memberText,
  oneOfText,
  type TypeContext,
  typeText,
  unionText,
} from './type-text.js';

/** The types of the values that resolvers take and return, and of the resolvers themselves. */
export function resolverTypes(whole: TypeContext, leftOut: LeftOut): string {
  const schema = withoutOldNames(whole.schema);
  const context = { ...whole, schema };
  const reached = reachableTypes(schema, allOperations(schema));
  const isReached = ({ name }: { readonly name: string }): boolean => reached.has(name);
  const objects = schema.objects.filter(isReached);
  const unions = abstractTypes(schema).filter(isReached);
  const inputs = schema.inputs.filter(isReached);
  const takenBy = operationsByInput(schema);
  return [
    ...objects.map((type) => objectType(context, leftOut, type)),
    ...unions.map(({ name, description, members }) => {
      const options = members.map((member) => `Member<'${member}', ${rowText(context, member)}>`);
      const start = `export type ${withRows(context.nameOf(name), options.length > 0)} =`;
      return docComment(description) + unionText(start, options);
    }),
    ...inputs.map(({ name, of, description, fields, oneOf }) => {
      if (oneOf) {
        const start = `export type ${context.nameOf(name)} =`;
        return docComment(description) + oneOfText(start, fields, (inner) => inputText(context, inner));
      }
      const members = fields.map((field) => givenMember(field, (inner) => inputText(context, inner), '  '));
      const comment = description ?? (of && inputComment(of, takenBy.get(name) ?? []));
      return map(context.nameOf(name), comment, members);
    }),
    ...pagedType(schema),
    argumentsMap(context, 'Query', schema.queries),
    resultsMap(context, 'QueryResults', 'The result of each query.', schema.queries),
    argumentsMap(context, 'Mutation', schema.mutations),
    resultsMap(context, 'MutationResults', 'The result of each mutation.', schema.mutations),
    argumentsMap(context, 'Subscription', schema.subscriptions),
    resultsMap(context, 'SubscriptionPayloads', 'The payload of each subscription.', schema.subscriptions),
    ...fieldArgumentsMap(context, objects),
    objectsMap(context, objects),
    unionsMap(unions),
    resolverSupport(context, leftOut, objects.some(takesArguments)),
  ].join('\n');
}

/** A union, or an interface with the types that implement it. */
export type AbstractType = Pick<GqlUnionType, 'name' | 'description' | 'members'>;

/** The unions and the interfaces of a schema. */
export function abstractTypes(schema: GqlSchema): readonly AbstractType[] {
  const interfaces = (schema.interfaces ?? []).map(({ name, description }) => {
    return { name, description, members: implementersOf(schema, name) };
  });
  return [...schema.unions, ...interfaces];
}

/** The names of the operations with an argument of an input, by the name of the input. */
function operationsByInput(schema: GqlSchema): ReadonlyMap<string, string[]> {
  const takenBy = new Map<string, string[]>();
  for (const operation of allOperations(schema)) {
    const inputs = operation.arguments.map(({ type }) => baseName(inputTypeRef(schema, type)));
    for (const input of new Set(inputs)) appendTo(takenBy, input, operation.name);
  }
  return takenBy;
}

/** ``Input for `placeOrder`.``, or, for an input that only other inputs refer to, ``Input with the fields of `Order`.`` */
function inputComment(of: string, operations: readonly string[]): string {
  if (operations.length === 0) return `Input with the fields of \`${of}\`.`;
  return `Input for ${operations.map((name) => `\`${name}\``).join(', ')}.`;
}

function objectType(context: TypeContext, leftOut: LeftOut, type: GqlObjectType): string {
  const members = type.fields.map((field) => {
    const mayLack = leftOut.field(field);
    const text = returnedText(context, field);
    return memberText(field, mayLack, mayLack ? `${text} | undefined` : text);
  });
  const description = type.description ?? `A value of the type \`${type.name}\`.`;
  return map(declaredName(context, type), description, members);
}

/** Only a type with objects in it depends on `Rows`. */
function declaredName({ schema, nameOf }: TypeContext, type: GqlObjectType): string {
  return holdsOthers(schema, type) ? `${nameOf(type.name)}<Rows = unknown>` : nameOf(type.name);
}

function holdsOthers(schema: GqlSchema, { fields }: GqlObjectType): boolean {
  return fields.some((field) => isComposite(schema, returnedName(field)));
}

/** The type of an object: its row type where `Rows` has one. */
function rowText(context: TypeContext, name: string): string {
  return `Given<Rows, '${name}', ${usedName(context, name)}>`;
}

function usedName({ schema, nameOf }: TypeContext, name: string): string {
  const found = namedType(schema, name);
  const isPlain = found.kind === 'object' && !holdsOthers(schema, found.type);
  return isPlain ? nameOf(name) : `${nameOf(name)}<Rows>`;
}

/** A value that a resolver returns. GraphQL accepts integers for an ID, too. */
function outputText(context: TypeContext, name: string): string {
  if (isComposite(context.schema, name)) return rowText(context, name);
  const also = context.alsoReturned(name);
  if (also !== undefined) return `${leafText(context, name)} | ${also}`;
  return name === 'ID' ? 'string | number' : leafText(context, name);
}

function inputText(context: TypeContext, name: string): string {
  const { schema, nameOf } = context;
  if (!isComposite(schema, name)) return leafText(context, name);
  return nameOf(baseName(inputTypeRef(schema, { kind: 'named', name })));
}

function argumentsMap(context: TypeContext, root: string, operations: readonly GqlOperation[]): string {
  const members = operations.map(({ arguments: args, ...operation }) =>
    memberText(operation, false, args.length === 0 ? 'NoArguments' : argumentsText(context, args, '  ')),
  );
  return map(`${root}Arguments`, `The arguments of each ${root.toLowerCase()}.`, members);
}

function argumentsText(context: TypeContext, args: readonly GqlArgument[], indent: string): string {
  const leaf = (name: string) => inputText(context, name);
  return `{\n${args.map((argument) => givenMember(argument, leaf, `${indent}  `)).join('')}${indent}}`;
}

function takesArguments({ fields }: GqlObjectType): boolean {
  return fields.some(({ arguments: args }) => args !== undefined);
}

/** The arguments of the fields that take some; empty if no field does. */
function fieldArgumentsMap(context: TypeContext, objects: readonly GqlObjectType[]): readonly string[] {
  const members = objects.filter(takesArguments).map(({ name, fields }) => {
    const taking = fields.filter((field) => field.arguments !== undefined);
    const lists = taking.map(({ name: field, arguments: args = [] }) =>
      memberText({ name: field }, false, argumentsText(context, args, '    '), '    '),
    );
    return memberText({ name }, false, `{\n${lists.join('')}  }`);
  });
  return members.length === 0 ? [] : [map('FieldArguments', 'The arguments of the fields of each type.', members)];
}

function resultsMap(context: TypeContext, name: string, what: string, operations: readonly GqlOperation[]): string {
  const { schema } = context;
  const members = operations.map((operation) => {
    const text = returnedText(context, operation);
    return memberText(operation, false, operation.type.kind === 'nonNull' ? text : `${text} | undefined`);
  });
  const dependsOnRows = operations.some((operation) => isComposite(schema, returnedName(operation)));
  return map(withRows(name, dependsOnRows), what, members);
}

/** The name of the type of what resolvers return; of pages, that of their items. */
function returnedName({ type, page }: Pick<GqlField, 'type' | 'page'>): string {
  return page?.node ?? baseName(type);
}

/** The type of what resolvers of pages return, if the schema has pages. */
function pagedType({ queries, objects }: GqlSchema): readonly string[] {
  const pages = [...queries, ...objects.flatMap(({ fields }) => fields)].flatMap(({ page }) => page ?? []);
  const isCounted = pages.some((page) => page.isCounted);
  return pages.length === 0 ? [] : [isCounted ? pagedText.replaceAll(afterwards, `$&${totalText}`) : pagedText];
}

/** What the resolver of an operation or a field returns. */
function returnedText(context: TypeContext, { type, page }: Pick<GqlField, 'type' | 'page'>): string {
  if (page === undefined) return typeText(type, (name) => outputText(context, name));
  const text = `Paged<${outputText(context, page.node)}>`;
  return type.kind === 'nonNull' ? text : `${text} | null`;
}

const afterwards = /\n( +)readonly (?:cursors\?|pageInfo): [^\n]*/g;
const totalText = `
$1/** The number of items on all pages, or a function that gives it, which is called if a client asks for it. */
$1readonly totalCount?: number | (() => number | Promise<number>) | undefined;`;

const pagedText = `/**
 * What the resolver of a query with pages returns: all items in order, of which the page is cut out; the items of the
 * page; or a connection.
 */
export type Paged<Item> =
  | readonly Item[]
  | {
      readonly items: readonly Item[];
      readonly hasNextPage?: boolean | undefined;
      readonly hasPreviousPage?: boolean | undefined;
      /** The key of each item, which the resolver gets as \`after\` or \`before\`. Default: its \`id\`. */
      readonly cursors?: readonly string[] | undefined;
    }
  | {
      readonly edges: readonly { readonly node: Item; readonly cursor: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
    };
`;

function objectsMap(context: TypeContext, objects: readonly GqlObjectType[]): string {
  const members = objects.map(({ name }) => memberText({ name }, false, usedName(context, name)));
  const dependsOnRows = objects.some((type) => holdsOthers(context.schema, type));
  return map(withRows('ObjectTypes', dependsOnRows), 'The object types by their names in the schema.', members);
}

function unionsMap(unions: readonly AbstractType[]): string {
  const members = unions.map(({ name, members: names }) =>
    unionText(
      `  readonly ${name}:`,
      names.map((member) => `'${member}'`),
    ),
  );
  return map('UnionTypes', 'The names of the members of each union, by its name in the schema.', members);
}

/** TypeScript reports an unused type parameter unless its name begins with `_`. */
function withRows(name: string, isUsed: boolean): string {
  return `${name}<${isUsed ? '' : '_'}Rows = unknown>`;
}

function map(name: string, what: string | undefined, members: readonly string[]): string {
  const comment = docComment(what);
  // Linters refuse an empty interface.
  return members.length === 0
    ? `${comment}export type ${name} = Record<never, never>;\n`
    : `${comment}export interface ${name} {\n${members.join('')}}\n`;
}

/** The objects, unions and inputs that operations and declared errors have, directly or nested in others. */
export function reachableTypes(schema: GqlSchema, operations: readonly GqlOperation[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const add = (name: string): void => {
    if (isComposite(schema, name)) reached.add(name);
  };
  const addTaken = ({ type }: GqlArgument): void => {
    const input = inputTypeOf(schema, baseName(type));
    if (input !== undefined) reached.add(input.name);
  };
  const addReturned = ({ type, arguments: args }: Pick<GqlField, 'type' | 'arguments'>): void => {
    add(baseName(type));
    args?.forEach(addTaken);
  };
  operations.forEach(addReturned);
  for (const { fields } of schema.problems ?? []) for (const { type } of fields) add(baseName(type));
  // A set is iterated in order of insertion, with what is added meanwhile.
  for (const name of reached) {
    const found = namedType(schema, name);
    if (found.kind === 'input') found.type.fields.forEach(addTaken);
    memberNames(found).forEach(add);
    objectFields(schema, name).forEach(addReturned);
  }
  return reached;
}
