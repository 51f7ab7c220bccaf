import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { type Access, accessOf, demandWords, saysAccess, withoutAccess } from '../../graph/access.js';
import { declaredInterfaces, type GraphField, type GraphNode, isOneOf } from '../../graph/graph-ir.js';
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
  GqlSchema,
} from '../gql-schema.js';
import type { PageProjection } from './project-pages.js';
import { cannotReturn, kindText, type ProjectionContext } from './type-projection.js';

/** The types that nodes become, each list in the order of the nodes. */
export type NodeTypes = Pick<GqlSchema, 'objects' | 'inputs' | 'interfaces' | 'problems' | 'enums' | 'scalars'>;

/**
 * Makes the types of the nodes by their kinds; an object type comes with its input.
 *
 * @param nodes the nodes by their type names
 * @param pages makes the connections of fields; without it, lists stay as they are
 */
export function projectNodes(
  nodes: ReadonlyMap<string, GraphNode>,
  context: ProjectionContext,
  pages?: PageProjection,
): NodeTypes {
  const objects: GqlObjectType[] = [];
  const inputs: GqlInputType[] = [];
  const interfaces: GqlInterfaceType[] = [];
  const problems: GqlProblemType[] = [];
  const enums: GqlEnumType[] = [];
  const scalars: GqlScalarType[] = [];
  const toOutput = (field: GraphField) => outputField(field, context);
  const toObject = (node: GraphNode, origin: GqlNodeOrigin): GqlObjectType => {
    const { typeName: name, description, store } = node;
    const { fields } = outputs(node, toOutput, pages);
    const access = accessOf(node);
    const implemented = interfacesOf(node, nodes);
    // Most nodes say no more, and an object made by spreading is much slower to make and to read.
    if (access.auth === undefined && access.open === undefined && implemented.interfaces === undefined && !store)
      return { name, description, fields, node: origin };
    return { name, description, ...access, ...implemented, fields, ...(store && { store }), node: origin };
  };
  for (const node of nodes.values()) {
    const { typeName: name, description } = node;
    const origin: GqlNodeOrigin = { id: node.id, labels: node.labels, span: node.span };
    if (node.kind !== 'object' && node.kind !== 'interface' && saysAccess(node)) {
      const place = node.kind === 'problem' ? 'a declared error' : kindText(node);
      reportAccess(node, place, node.span, context.diagnostics);
    }
    if (node.store !== undefined && !node.labels.includes('Stored'))
      context.diagnostics.push(
        diagnose(
          'GG7005',
          { rule: node.store.join(', '), place: name, reason: 'the node lacks the label Stored' },
          node.span,
        ),
      );
    if (node.kind === 'enum') enums.push(enumType(node, origin));
    else if (node.kind === 'scalar') scalars.push({ name, description, specifiedBy: node.specifiedBy, node: origin });
    else if (node.kind === 'input') inputs.push(inputType(node, origin, context));
    else if (node.kind === 'interface') interfaces.push(toObject(node, origin));
    else if (node.kind === 'problem') problems.push(problemType(node, origin, toOutput, context));
    else {
      objects.push(toObject(node, origin));
      if (nodes.get(inputNameOf(name))?.kind !== 'input')
        inputs.push({ name: inputNameOf(name), description, of: name, fields: mirror(node, context) });
    }
  }
  checkInputs(nodes, context.diagnostics);
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
  const isSpelt = values.some(({ spelling }) => spelling !== undefined);
  const type = {
    ...{ name, description, values: values.map((value) => value.name), valueSpans, node },
    ...(isSpelt && { spellings: values.map((value) => value.spelling ?? value.name) }),
  };
  if (values.every((value) => value.description === undefined && value.deprecated === undefined)) return type;
  const valueNotes = values.map(({ name: _, span: __, spelling: ___, ...notes }) => notes);
  return { ...type, valueNotes };
}

function inputType(node: GraphNode, origin: GqlNodeOrigin, context: ProjectionContext): GqlInputType {
  const { typeName: name, description, fields: declared } = node;
  const oneOf = isOneOf(node);
  const own = oneOf ? ownIdInput : ownIdRequired;
  const fields = mapOrShare(declared, (field) => givenField(field, 'an input', context));
  const input = {
    name,
    description,
    of: undefined,
    fields: declared.length === 0 ? own : fields,
    node: origin,
  };
  return oneOf ? { ...input, oneOf } : input;
}

/**
 * The interfaces of a node, and those that these implement: GraphQL lists them all (September 2025, section 3.6).
 */
function interfacesOf(
  node: GraphNode,
  nodes: ReadonlyMap<string, GraphNode>,
): { readonly interfaces?: readonly string[] } {
  const declared = declaredInterfaces(node);
  if (declared.length === 0) return {};
  const names = new Set(declared);
  // Iterating a set also visits the items that are added meanwhile.
  for (const name of names) for (const other of declaredInterfaces(nodes.get(name))) names.add(other);
  return { interfaces: [...names] };
}

function outputs(
  node: GraphNode,
  toOutput: (field: GraphField) => GraphField,
  pages: PageProjection | undefined,
): { readonly fields: readonly GqlField[] } {
  if (node.fields.length === 0) return { fields: [ownId(node)] };
  const fields = mapOrShare(node.fields, toOutput);
  if (pages === undefined || fields.every(({ pageSize }) => pageSize === undefined)) return { fields };
  return {
    fields: fields.map(({ pageSize, ...field }) =>
      pageSize === undefined ? field : pages.ofField(field, node.typeName, pageSize, field.span),
    ),
  };
}

/** The members that problem details (RFC 9457, section 3.1) and errors have themselves. */
const reservedFields: ReadonlySet<string> = new Set([
  ...['type', 'title', 'status', 'detail', 'instance', 'code'],
  ...['name', 'message', 'stack', 'cause'],
]);

/** A problem without a declared status is an error of the server (RFC 9110, section 15.6.1). */
function problemType(
  { id, typeName: name, description, settings, fields }: GraphNode,
  node: GqlNodeOrigin,
  toOutput: (field: GraphField) => GraphField,
  { diagnostics }: ProjectionContext,
): GqlProblemType {
  for (const { name: field, span, pageSize, fields: shown, ...own } of fields) {
    if (reservedFields.has(field)) diagnostics.push(diagnose('GG3061', { node: id, field }, span));
    if (pageSize !== undefined) {
      diagnostics.push(diagnose('GG2037', { tag: 'page', place: 'a declared error' }, span));
    }
    if (shown !== undefined) {
      diagnostics.push(diagnose('GG2037', { tag: 'fields', place: 'a declared error' }, span));
    }
    if (own.oldNames !== undefined) {
      diagnostics.push(diagnose('GG2037', { tag: 'renamedFrom', place: 'a declared error' }, span));
    }
    if (saysAccess(own)) reportAccess(own, 'a declared error', span, diagnostics);
  }
  const given = settings?.get('status');
  const status = given === undefined ? 500 : (given.value as number);
  if (given !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599)) {
    const params = { property: 'status', expected: 'an HTTP status from 400 to 599' };
    diagnostics.push(diagnose('GG2018', params, given.span));
  }
  return {
    name,
    description,
    status,
    fields: mapOrShare(fields, (field) => toOutput(withoutAccess(field))),
    node,
  };
}

/** Reports the tags of access where nothing is read (GG2037): each word that is given. */
function reportAccess(access: Access, place: string, span: Span, diagnostics: Diagnostic[]): void {
  const demands = demandWords.filter((tag) => access[tag] !== undefined);
  for (const tag of demands.length === 0 ? ['auth'] : demands) {
    diagnostics.push(diagnose('GG2037', { tag, place }, span));
  }
}

const idType = named('ID');
const ownIdType = nonNull(idType);

/** GraphQL has no type without fields: a node that declares none has a constant `id`. */
function ownId({ id }: GraphNode): GqlField {
  return { name: 'id', description: undefined, type: ownIdType, fallback: id, span: undefined };
}

/** The field of an input without others, which GraphQL does not have either. */
const ownIdField = { name: 'id', fallback: undefined, description: undefined, span: undefined };
const ownIdInput: readonly GqlArgument[] = [{ ...ownIdField, type: idType }];
const ownIdRequired: readonly GqlArgument[] = [{ ...ownIdField, type: ownIdType }];

function outputField(field: GraphField, context: ProjectionContext): GraphField {
  const type = context.types.output(field.type);
  if (type === undefined) {
    context.diagnostics.push(cannotReturn(field.type, 'a field', field.span, context));
    return field;
  }
  if (field.arguments === undefined) return withType(field, type);
  const args = mapOrShare(field.arguments, (argument) => givenField(argument, 'an argument', context));
  return args === field.arguments ? withType(field, type) : { ...field, type, arguments: args };
}

/** A field of a declared input, or an argument of a field. */
function givenField(field: GraphField, position: string, { types, diagnostics }: ProjectionContext): GraphField {
  if (types.isUnion(field.type) || types.hasNoInput(field.type)) {
    diagnostics.push(diagnose('GG3013', { name: printTypeRef(field.type), position }, field.span));
  }
  return withType(field, types.input(field.type));
}

function withType(field: GraphField, type: TypeRef): GraphField {
  return type === field.type ? field : { ...field, type };
}

/** The fields of the input of an object type: those whose types have a form of input. */
function mirror({ fields }: GraphNode, context: ProjectionContext): readonly GqlArgument[] {
  const { types } = context;
  const given = fields.some(({ type }) => types.hasNoInput(type))
    ? fields.filter(({ type }) => !types.hasNoInput(type))
    : fields;
  return given.length === 0 ? ownIdInput : mapOrShare(given, (field) => inputField(field, context));
}

/** The same field, optional and without a default: a field that is left out keeps its value. */
function inputField(field: GraphField, { types }: ProjectionContext): GraphField {
  const { name, description, span } = field;
  const type = nullable(types.input(field.type));
  if (type === field.type && field.fallback === undefined && field.arguments === undefined) return withoutAccess(field);
  const input = { name, type, fallback: undefined, description, span };
  return hasNotes(field) ? { ...input, ...notesOf(field) } : input;
}

/**
 * Maps a list, and returns the list itself if `map` returns every item of it. Garbage collection moves what a schema
 * holds, and most fields of nodes are fields of object types and inputs as they are.
 */
function mapOrShare(fields: readonly GraphField[], map: (field: GraphField) => GraphField): readonly GraphField[] {
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

/**
 * Checks that every declared input has a value (GG3031): an input that requires itself, directly or through required
 * fields of other inputs, can never be given (GraphQL, September 2025, section 3.10). A list ends such a cycle, because
 * it may be empty, unless `@minItems` forbids that. Each cycle is reported once, at the field that closes it.
 */
function checkInputs(nodes: ReadonlyMap<string, GraphNode>, diagnostics: Diagnostic[]): void {
  const finished = new Set<GraphNode>();
  for (const start of nodes.values()) {
    if (start.kind !== 'input' || finished.has(start)) continue;
    // Without recursion: a chain of inputs may be as long as the topology.
    const way: Step[] = [{ node: start, next: 0 }];
    const at = new Map([[start, 0]]);
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const field = step.node.fields[step.next++];
      if (field === undefined) {
        finished.add(step.node);
        at.delete(step.node);
        way.pop();
        continue;
      }
      const required = requiredInput(nodes, field);
      if (required === undefined || finished.has(required)) continue;
      const first = at.get(required);
      if (first === undefined) {
        at.set(required, way.length);
        way.push({ node: required, next: 0 });
      } else diagnostics.push(endless(way.slice(first), required, field));
    }
  }
}

/** More fields than this are not listed. */
const mostListed = 6;

/** An input on the way from the first one, and the position of its next field. */
interface Step {
  readonly node: GraphNode;
  next: number;
}

/** The declared input that a value of the field always contains. */
function requiredInput(
  nodes: ReadonlyMap<string, GraphNode>,
  { type, constraints }: GraphField,
): GraphNode | undefined {
  const ofList = (constraints?.minItems ?? 0) > 0;
  for (let inner = type; inner.kind === 'nonNull'; inner = inner.of.of) {
    if (inner.of.kind === 'named') {
      const node = nodes.get(inner.of.name);
      return node?.kind === 'input' ? node : undefined;
    }
    // The limit is that of the outermost list.
    if (inner !== type || !ofList) return undefined;
  }
  return undefined;
}

function endless(cycle: readonly Step[], { typeName: input }: GraphNode, { span }: GraphField): Diagnostic {
  const fields = cycle.map(({ node, next }) => `${node.typeName}.${node.fields[next - 1]?.name}`);
  const path = fields.length <= mostListed ? fields.join(', ') : `${fields.slice(0, mostListed).join(', ')}, …`;
  return diagnose('GG3031', { input, path }, span);
}
