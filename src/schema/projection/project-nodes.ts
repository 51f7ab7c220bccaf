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
      const fields = node.fields.length === 0 ? [ownId(node)] : outputFields(node, context);
      objects.push({ name, description, fields, node: origin });
      inputs.push({ name: inputNameOf(name), description, of: name, fields: inputFields(node, context) });
    }
  }
  return { objects, inputs, enums, scalars };
}

const idType = named('ID');
const ownIdType = nonNull(idType);

/** GraphQL has no type without fields: a node that declares none has a constant `id`. */
function ownId({ id }: GraphNode): GqlField {
  return { name: 'id', description: undefined, type: ownIdType, constant: id, span: undefined };
}

const ownIdInput: readonly GqlArgument[] = [
  { name: 'id', type: idType, fallback: undefined, description: undefined, span: undefined },
];

function outputFields({ fields }: GraphNode, context: ProjectionContext): readonly GqlField[] {
  return fields.map((field) => {
    const { name, description, fallback: constant, span } = field;
    const type = context.types.output(field.type);
    if (type === undefined) reportInput(field, context);
    return { name, description, type: type ?? field.type, constant, span };
  });
}

function reportInput({ type, span }: GraphField, context: ProjectionContext): void {
  context.diagnostics.push(diagnose('GG3013', { name: printTypeRef(type), position: 'a field' }, span));
}

/** The same fields, all optional and without defaults: a field that is left out keeps its value. */
function inputFields({ fields }: GraphNode, { types }: ProjectionContext): readonly GqlArgument[] {
  if (fields.length === 0) return ownIdInput;
  return fields.map((field) => {
    const { name, description, span } = field;
    const type = nullable(types.input(field.type));
    // An optional field without a default is already what the input needs.
    if (type === field.type && field.fallback === undefined) return field;
    return { name, type, fallback: undefined, description, span };
  });
}
