import { diagnose } from '../../diagnostics/diagnostic.js';
import type { GraphField, GraphNode } from '../../graph/graph-ir.js';
import { inputNameOf } from '../../graph/names.js';
import { named, nonNull, nullable, printTypeRef } from '../../graph/type-ref.js';
import type {
  GqlArgument,
  GqlEnumType,
  GqlField,
  GqlInputType,
  GqlNodeOrigin,
  GqlObjectType,
  GqlScalarType,
} from '../gql-schema.js';
import type { ProjectionContext } from './projection-context.js';

/** The types that nodes become, each list in the order of the nodes. */
export interface NodeTypes {
  readonly objects: readonly GqlObjectType[];
  readonly inputs: readonly GqlInputType[];
  readonly enums: readonly GqlEnumType[];
  readonly scalars: readonly GqlScalarType[];
}

/**
 * Makes the types of the nodes: an enum or a custom scalar by the label, else an object type and its input.
 *
 * @param nodes the nodes by their type names
 */
export function projectNodes(nodes: ReadonlyMap<string, GraphNode>, context: ProjectionContext): NodeTypes {
  const objects: GqlObjectType[] = [];
  const inputs: GqlInputType[] = [];
  const enums: GqlEnumType[] = [];
  const scalars: GqlScalarType[] = [];
  const toOutput = (field: GraphField) => outputField(field, context);
  const toInput = (field: GraphField) => inputField(field, context);
  for (const node of nodes.values()) {
    const { typeName: name, description } = node;
    const origin: GqlNodeOrigin = { id: node.id, labels: node.labels, span: node.span };
    if (node.kind === 'enum') {
      const values = node.values.map((value) => value.name);
      const valueSpans = node.values.map((value) => value.span);
      enums.push({ name, description, values, valueSpans, node: origin });
    } else if (node.kind === 'scalar') {
      scalars.push({ name, description, specifiedBy: node.specifiedBy, node: origin });
    } else {
      const isEmpty = node.fields.length === 0;
      const fields = isEmpty ? [ownId(node)] : mapOrShare(node.fields, toOutput);
      const inputFields = isEmpty ? ownIdInput : mapOrShare(node.fields, toInput);
      objects.push({ name, description, fields, node: origin });
      inputs.push({ name: inputNameOf(name), description, of: name, fields: inputFields });
    }
  }
  return { objects, inputs, enums, scalars };
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
  return type === field.type ? field : { ...field, type };
}

/** The same field, optional and without a default: a field that is left out keeps its value. */
function inputField(field: GraphField, { types }: ProjectionContext): GraphField {
  const { name, description, span } = field;
  const type = nullable(types.input(field.type));
  if (type === field.type && field.fallback === undefined) return field;
  return { name, type, fallback: undefined, description, span };
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
