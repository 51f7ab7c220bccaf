import { diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphField, GraphNode } from '../../graph/graph-ir.js';
import { inputNameOf } from '../../graph/names.js';
import { named, nonNull, nullable, printTypeRef, type TypeRef } from '../../graph/type-ref.js';
import { hasNotes, notesOf } from '../../graph/value-notes.js';
import type {
  GqlArgument,
  GqlEnumType,
  GqlField,
  GqlInputType,
  GqlInterfaceType,
  GqlNodeOrigin,
  GqlObjectType,
  GqlProblemType,
  GqlScalarType,
} from '../gql-schema.js';
import type { ProjectionContext } from './projection-context.js';

/** The types that nodes become, each list in the order of the nodes. */
export interface NodeTypes {
  readonly objects: readonly GqlObjectType[];
  readonly inputs: readonly GqlInputType[];
  /** Absent without any. */
  readonly interfaces?: readonly GqlInterfaceType[];
  /** Absent without any. */
  readonly problems?: readonly GqlProblemType[];
  readonly enums: readonly GqlEnumType[];
  readonly scalars: readonly GqlScalarType[];
}

/**
 * Makes the types of the nodes by their kinds; an object type comes with its input.
 *
 * @param nodes the nodes by their type names
 */
export function projectNodes(nodes: ReadonlyMap<string, GraphNode>, context: ProjectionContext): NodeTypes {
  const objects: GqlObjectType[] = [];
  const inputs: GqlInputType[] = [];
  const interfaces: GqlInterfaceType[] = [];
  const problems: GqlProblemType[] = [];
  const enums: GqlEnumType[] = [];
  const scalars: GqlScalarType[] = [];
  const toOutput = (field: GraphField) => outputField(field, context);
  const toInput = (field: GraphField) => inputField(field, context);
  const declaredInput = (field: GraphField) => withType(field, context.types.input(field.type));
  for (const node of nodes.values()) {
    const { typeName: name, description } = node;
    const origin: GqlNodeOrigin = { id: node.id, labels: node.labels, span: node.span };
    switch (node.kind) {
      case 'enum':
        enums.push(enumType(node, origin));
        break;
      case 'scalar':
        scalars.push({ name, description, specifiedBy: node.specifiedBy, node: origin });
        break;
      case 'input': {
        const fields = mapOrShare(node.fields, declaredInput);
        const input = { name, description, of: undefined, fields, node: origin };
        inputs.push(node.labels.includes('OneOf') ? { ...input, oneOf: true } : input);
        break;
      }
      case 'interface':
        interfaces.push({
          name,
          description,
          ...interfacesOf(node),
          ...outputs(node, toOutput),
          node: origin,
        });
        break;
      case 'problem':
        problems.push({
          name,
          description,
          status: statusOf(node),
          fields: mapOrShare(node.fields, toOutput),
          node: origin,
        });
        break;
      case 'object': {
        objects.push({ name, description, ...interfacesOf(node), ...outputs(node, toOutput), node: origin });
        const fields = node.fields.length === 0 ? ownIdInput : mapOrShare(node.fields, toInput);
        inputs.push({ name: inputNameOf(name), description, of: name, fields });
      }
    }
  }
  return {
    objects,
    inputs,
    ...(interfaces.length === 0 ? {} : { interfaces }),
    ...(problems.length === 0 ? {} : { problems }),
    enums,
    scalars,
  };
}

function enumType({ typeName: name, description, values }: GraphNode, node: GqlNodeOrigin): GqlEnumType {
  const valueSpans = values.map(({ span }) => span);
  const type = { name, description, values: values.map((value) => value.name), valueSpans, node };
  if (values.every((value) => value.description === undefined && value.deprecated === undefined)) return type;
  const valueNotes = values.map(({ name: _, span: __, ...notes }) => notes);
  return { ...type, valueNotes };
}

function interfacesOf({ settings }: GraphNode): { readonly interfaces?: readonly string[] } {
  const names = settings?.get('implements')?.value as readonly string[] | undefined;
  return names === undefined ? {} : { interfaces: names };
}

function outputs(node: GraphNode, toOutput: (field: GraphField) => GraphField) {
  return { fields: node.fields.length === 0 ? [ownId(node)] : mapOrShare(node.fields, toOutput) };
}

/** The declared status of a problem; a problem without one is an error of the server (RFC 9110, section 15.6.1). */
function statusOf({ settings }: GraphNode): number {
  return (settings?.get('status')?.value as number | undefined) ?? 500;
}

const idType = named('ID');
const ownIdType = nonNull(idType);

/** GraphQL has no type without fields: a node that declares none has a constant `id`. */
function ownId({ id }: GraphNode): GqlField {
  return { name: 'id', description: undefined, type: ownIdType, fallback: id, span: undefined };
}

const ownIdInput: readonly GqlArgument[] = [
  { name: 'id', type: idType, fallback: undefined, description: undefined, span: undefined },
];

function outputField(field: GraphField, context: ProjectionContext): GraphField {
  const type = context.types.output(field.type);
  if (type === undefined) {
    const params = { name: printTypeRef(field.type), position: 'a field' };
    context.diagnostics.push(diagnose('GG3013', params, field.span));
    return field;
  }
  if (field.arguments === undefined) return withType(field, type);
  const args = mapOrShare(field.arguments, (argument) => argumentOf(argument, context));
  return args === field.arguments ? withType(field, type) : { ...field, type, arguments: args };
}

function argumentOf(argument: GraphField, { types, diagnostics }: ProjectionContext): GraphField {
  if (types.isUnion(argument.type)) {
    const params = { name: printTypeRef(argument.type), position: 'an argument' };
    diagnostics.push(diagnose('GG3013', params, argument.span));
  }
  return withType(argument, types.input(argument.type));
}

function withType(field: GraphField, type: TypeRef): GraphField {
  return type === field.type ? field : { ...field, type };
}

/** The same field, optional and without a default: a field that is left out keeps its value. */
function inputField(field: GraphField, { types }: ProjectionContext): GraphField {
  const { name, description, span } = field;
  const type = nullable(types.input(field.type));
  if (type === field.type && field.fallback === undefined && field.arguments === undefined) return field;
  const input = { name, type, fallback: undefined, description, span };
  return hasNotes(field) ? { ...input, ...notesOf(field) } : input;
}

/**
 * Maps a list, and returns the list itself if `map` returns every item of it. Garbage collection moves what a schema
 * holds, and most fields of nodes are fields of object types and inputs as they are.
 */
function mapOrShare(
  fields: readonly GraphField[],
  map: (field: GraphField) => GraphField,
): readonly GraphField[] {
  let mapped: GraphField[] | undefined;
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] as GraphField;
    const made = map(field);
    if (made === field) continue;
    mapped ??= fields.slice();
    mapped[at] = made;
  }
  return mapped ?? fields;
}
