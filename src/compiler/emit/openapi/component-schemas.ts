import { describeEnum, withAccess } from '../../api/access.js';
import { answeredFields, isRequired, needsArguments } from '../../api/is-required.js';
import { answerType, restRoutes, streamRoutes, takesFields } from '../../api/rest-routes.js';
import { answerSelection, type Selection } from '../../api/selection.js';
import { remember } from '../../graph/maps.js';
import { inputNameOf } from '../../graph/names.js';
import { baseName, nonNull, type TypeRef } from '../../graph/type-ref.js';
import {
  allOperations,
  type GqlArgument,
  type GqlField,
  type GqlInputType,
  type GqlObjectType,
  type GqlScalarType,
  type GqlSchema,
  type GqlUnionType,
  raceWords,
} from '../../schema/gql-schema.js';
import { implementersOf, indexSchema, isComposite, memberNames, namedType } from '../../schema/schema-index.js';
import {
  annotate,
  type ComponentSchemas,
  componentRef,
  inAnswers,
  inInputs,
  type JsonSchema,
  type NamedSchemas,
  type ObjectSchema,
  type SchemaObject,
  setDescription,
  typeSchema,
} from './type-schema.js';

/** The component schemas. A member of a union has a second one, `{Type}.Variant`, with its `__typename`. */
export function* componentSchemas(schema: GqlSchema): ComponentSchemas {
  const isAlwaysAnswered = alwaysAnswered(schema);
  for (const type of schema.objects) yield [type.name, objectSchema(schema, type, isAlwaysAnswered)];
  for (const type of schema.inputs) {
    const made = inputSchema(schema, type);
    const mirrored = indexSchema(schema).types.get(type.name.slice(0, -inputNameOf('').length));
    const isOwn = type.of === undefined && mirrored?.kind === 'object';
    yield [type.name, isOwn ? Object.assign(made, { 'x-declared': true }) : made];
  }
  for (const type of schema.enums) {
    const made: SchemaObject = { type: 'string' };
    setDescription(made, describeEnum(type));
    made.enum = [...type.values];
    yield [type.name, made];
  }
  for (const type of schema.scalars) yield [type.name, scalarSchema(schema, type)];
  for (const type of schema.unions) yield [type.name, unionSchema(type)];
  const interfaces = (schema.interfaces ?? []).map((type) => {
    const { name, description } = type;
    return { name, description: withAccess(description, type), members: implementersOf(schema, name) };
  });
  for (const type of interfaces) yield [type.name, unionSchema(type)];
  for (const member of new Set([...schema.unions, ...interfaces].flatMap(({ members }) => members))) {
    yield [variantName(member), variantSchema(member)];
  }
}

/** With `oneOf`, exactly one field is given, and it is not null. */
function inputSchema(schema: GqlSchema, { fields, description, oneOf }: GqlInputType): ObjectSchema {
  if (!oneOf) return argumentsSchema(schema, fields, description);
  const given = fields.map((field) => ({ ...field, type: nonNull(field.type) }));
  const { required: _, ...made } = argumentsSchema(schema, given, description);
  return { ...made, minProperties: 1, maxProperties: 1 };
}

/** The schema of an input or of all arguments of an operation. Like GraphQL, it rejects unknown names. */
export function argumentsSchema(schema: GqlSchema, args: readonly GqlArgument[], description?: string): ObjectSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const argument of args) {
    const type = argument.notNull === undefined ? argument.type : nonNull(argument.type);
    const property = typeSchema(schema, type, inInputs);
    setDescription(property, argument.description);
    annotate(property, argument);
    if (argument.fallback !== undefined) property.default = argument.fallback;
    properties[argument.name] = property;
    if (isRequired(argument)) required.push(argument.name);
  }
  return Object.assign(objectOf(description, properties, required), { additionalProperties: false });
}

function objectSchema(
  schema: GqlSchema,
  type: GqlObjectType,
  isAlwaysAnswered: (type: string, field: string) => boolean,
): SchemaObject {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  // At the maximum depth of a response, such an object has only its `__typename`.
  const fields = answeredFields(type.fields);
  if (holdsObjectsOnly(schema, fields)) properties.__typename = typenameSchema(type.name);
  for (const field of fields) {
    const property = typeSchema(schema, field.type);
    setDescription(property, field.description);
    annotate(property, field);
    if (field.fallback !== undefined) property.examples ??= [field.fallback];
    if (field.sentAs !== undefined) Object.assign(property, { 'x-header': field.sentAs });
    if (field.fields !== undefined) Object.assign(property, { 'x-fields': field.fields });
    properties[field.name] = property;
    if (field.type.kind === 'nonNull' && isAlwaysAnswered(type.name, field.name)) required.push(field.name);
  }
  return objectOf(describeObject(type), properties, required);
}

/** Whether answers select no field of a type at their last level: all are objects or guarded. */
export function holdsObjectsOnly(schema: GqlSchema, fields: readonly GqlField[]): boolean {
  return fields.every((field) => field.auth === 'required' || isComposite(schema, baseName(field.type)));
}

/** The description of a type, with its fields that REST cannot return. */
function describeObject(type: GqlObjectType): string {
  const { fields } = type;
  const graphqlOnly = fields.filter(needsArguments);
  const named = fields.filter((field) => field.auth === 'required' && !needsArguments(field));
  const parts = [
    withAccess(type.description, type),
    noteOn(graphqlOnly, 'need(s) arguments, so only GraphQL returns them.'),
    noteOn(named, 'require(s) authentication, so REST returns them only if `fields` names them.'),
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

/** A note on fields, written for several of them. */
function noteOn(fields: readonly GqlField[], note: string): string | undefined {
  if (fields.length === 0) return undefined;
  const names = fields.map(({ name }) => `\`${name}\``).join(', ');
  const isOne = fields.length === 1;
  return `${names} ${isOne ? note.replace('(s)', 's').replaceAll('them', 'it') : note.replace('(s)', '')}`;
}

/** The schema of an object; `required` is left out if it is empty. */
export function objectOf(
  description: string | undefined,
  properties: Record<string, JsonSchema>,
  required: string[],
): ObjectSchema {
  const made: ObjectSchema = { type: 'object' };
  setDescription(made, description);
  made.properties = properties;
  if (required.length > 0) made.required = required;
  return made;
}

/**
 * A standard scalar has the schema of the table, and a custom scalar is any JSON value but null: each reference to it
 * says whether null is allowed.
 */
function scalarSchema(schema: GqlSchema, { name, description, specifiedBy }: GqlScalarType): SchemaObject {
  const found = namedType(schema, name);
  const specification = specifiedBy === undefined ? undefined : `Specified by ${specifiedBy}`;
  const text = [description, specification].filter((part) => part !== undefined && part !== '').join('\n\n');
  const wire = found.kind === 'scalar' ? found.wire : undefined;
  const words = wire?.jsonSchema ?? { type: ['string', 'number', 'boolean', 'object', 'array'], items: {} };
  const made = { ...words } as SchemaObject;
  setDescription(made, text);
  if (wire !== undefined) made.examples = [wire.example];
  return made;
}

/** A union, or an interface, whose members are the types that implement it. */
function unionSchema({
  description,
  members,
  open,
  ...race
}: Pick<GqlUnionType, 'description' | 'members' | 'open' | 'policy' | 'delays'>): SchemaObject {
  if (members.length === 0) return objectOf(description, { __typename: { type: 'string' } }, []);
  const variants = members.map((member) => componentRef(variantName(member)));
  const mapping = members.map((member) => [member, componentRef(variantName(member)).$ref]);
  const made: SchemaObject = {};
  setDescription(made, description);
  const words = raceWords(race);
  return Object.assign(made, {
    // Some validators take null for a member of the union otherwise, if they know discriminators.
    type: 'object',
    oneOf: variants,
    discriminator: {
      propertyName: '__typename',
      mapping: Object.fromEntries(mapping),
      ...(open && { 'x-open': open }),
      ...(Object.keys(words).length > 0 && { 'x-race': words }),
    },
  });
}

function variantSchema(member: string): SchemaObject {
  return {
    type: 'object',
    description: `${member}, as a member of a union.`,
    allOf: [componentRef(member)],
    properties: { __typename: typenameSchema(member) },
    required: ['__typename'],
  };
}

function typenameSchema(name: string): SchemaObject {
  return { type: 'string', const: name };
}

function variantName(member: string): string {
  return `${member}.Variant`;
}

/**
 * Returns a function that tells whether every response and event of REST with an object of a type has a certain field of it.
 * Responses have a greatest depth, so an object may lack the objects nested in it; a document that called those
 * fields required would be wrong about such responses.
 */
export function alwaysAnswered(schema: GqlSchema): (type: string, field: string) => boolean {
  const leftOut = new Map<string, Set<string>>();
  // Operations share selections, so each is visited once and the time stays linear.
  const selections = new Set<Selection>();
  for (const operation of allOperations(schema)) {
    const selection = answerSelection(schema, operation);
    if (selection !== undefined) selections.add(selection);
  }
  // A set is iterated in order of insertion, with what is added meanwhile.
  for (const { type, members, fields } of selections) {
    for (const { selection } of members) if (selection !== undefined) selections.add(selection);
    for (const { selection } of fields) if (selection !== undefined) selections.add(selection);
    const found = namedType(schema, type);
    if (found.kind !== 'object' || found.type.fields.length === fields.length) continue;
    const missing = remember(leftOut, type, () => new Set());
    let at = 0;
    // A selection keeps the order of the fields.
    for (const { name } of found.type.fields)
      if (fields[at]?.name === name) at++;
      else missing.add(name);
  }
  return (type, field) => leftOut.get(type)?.has(field) !== true;
}

/**
 * The component schemas of results that `?fields=` narrows: `{Type}.Narrowed` for each type that such a result can
 * hold. It requires no field, because the client may leave out any of them; the schema of the type itself stays
 * strict. GraphQL names contain no dot, so the names are free.
 */
export function* narrowedSchemas(schema: GqlSchema): ComponentSchemas {
  const added = new Set<string>();
  const waiting: string[] = [];
  for (const route of [...streamRoutes(schema), ...restRoutes(schema)])
    if (takesFields(schema, route)) waiting.push(baseName(answerType(route.operation)));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (added.has(name)) continue;
    added.add(name);
    const found = namedType(schema, name);
    if (found.kind === 'object') {
      yield [narrowedName(name), narrowedObject(schema, found.type)];
      for (const field of answeredFields(found.type.fields)) waiting.push(baseName(field.type));
    } else if (found.kind === 'union' || found.kind === 'interface') {
      const members = memberNames(found);
      yield [narrowedName(name), narrowedUnion(name, members)];
      waiting.push(...members);
    }
  }
}

/** The schema of a result that `?fields=` narrows. */
export function narrowedSchema(schema: GqlSchema, type: TypeRef): JsonSchema {
  return typeSchema(schema, type, inNarrowedAnswers);
}

const inNarrowedAnswers: NamedSchemas = {
  ...inAnswers,
  refOf: (schema, name) => componentRef(isComposite(schema, name) ? narrowedName(name) : name),
};

function narrowedObject(schema: GqlSchema, { name, fields }: GqlObjectType): SchemaObject {
  const properties: Record<string, JsonSchema> = { __typename: { type: 'string', const: name } };
  for (const field of answeredFields(fields)) properties[field.name] = narrowedSchema(schema, field.type);
  return { type: 'object', description: `${name}, with the requested fields.`, properties };
}

/** `__typename` is required even here: it tells the members apart. */
function narrowedUnion(name: string, members: readonly string[]): SchemaObject {
  if (members.length === 0) return { type: 'object' };
  return {
    description: `${name}, with the requested fields.`,
    anyOf: members.map((member) => ({
      allOf: [componentRef(narrowedName(member))],
      properties: { __typename: { type: 'string', const: member } },
      required: ['__typename'],
    })),
  };
}

function narrowedName(name: string): string {
  return `${name}.Narrowed`;
}
