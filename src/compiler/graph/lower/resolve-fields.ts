import { sameJson } from '../../../base/json-schema/same-json.js';
import type { Property } from '../../syntax/ast.js';
import { accessOf, joinAccess } from '../access.js';
import { type GraphField, type GraphNode, isOneOf } from '../graph-ir.js';
import { NamedList } from '../named-list.js';
import { sameType } from '../type-ref.js';
import { notesOf } from '../value-notes.js';
import type { Declaration, DraftFile, GraphDraft, NodeDraft, PropertyPlace } from './graph-draft.js';
import { isSetting } from './node-settings.js';
import { type ValuePlace, withTags } from './read-doc.js';
import { literalType } from './read-literal.js';
import { knownType, readProperty } from './read-property.js';

/**
 * Reads the properties of nodes with fields, declaration by declaration. A repeated property must have the
 * same type and the same value (GG2006); a type in one declaration and its value in another make one field.
 */
export function resolveFields(draft: GraphDraft): void {
  for (const node of draft.nodes.values()) {
    if (node.kind === 'enum' || node.kind === 'scalar' || node.declarations.length === 0) continue;
    node.fields = resolveNode(node);
    if (isOneOf(node)) checkOneOf(draft, node);
    node.declarations = none;
  }
}

const none: readonly never[] = [];

function resolveNode(node: NodeDraft): readonly GraphField[] {
  const { kind } = node;
  const use: ValuePlace = kind === 'input' ? 'input' : kind === 'object' ? 'result' : 'field';
  const fields = new NamedList<GraphField>(node.declarations[0]?.term.properties.length ?? 0);
  let firstPlaces: ReadonlyMap<string, PropertyPlace> | undefined;
  for (const { file, term } of node.declarations) {
    for (const property of term.properties) {
      if (isSetting(node, file, property)) continue;
      const read = resolveField(file, property);
      if (read === undefined) continue;
      const field = withTags(file, property, read, use);
      const at = fields.indexOf(field.name);
      if (at === -1) {
        file.refusesName(property);
        if (field.sentAs !== undefined) checkHeader(file, node, field, fields.toArray());
        fields.push(field);
        continue;
      }
      const united = unite(fields.at(at), field);
      if (united !== undefined) fields.set(at, united);
      else {
        firstPlaces ??= firstPlacesOf(node.declarations);
        const first = firstPlaces.get(field.name) as PropertyPlace;
        file.reportClash(`Node “${node.id}”`, first, property);
      }
    }
  }
  return fields.toArray();
}

/** Reports a field that is sent as the same header as one before it (GG2061). The names of headers ignore case. */
function checkHeader(
  file: DraftFile,
  node: NodeDraft,
  { name, span, sentAs }: GraphField,
  before: readonly GraphField[],
): void {
  const first = before.find((field) => field.sentAs?.toLowerCase() === sentAs?.toLowerCase());
  if (first === undefined) return;
  const reason = `“${first.name}” and “${name}” are both sent as ${sentAs}`;
  const labels = [{ span: first.span, message: `“${first.name}” is here` }];
  file.draft.report('GG2061', { operation: node.typeName, reason }, span, { labels });
}

function resolveField(file: DraftFile, property: Property): GraphField | undefined {
  const { key: name, value, doc: description } = property;
  const span = file.spanOf(property);
  const known = knownType(file.draft, property);
  if (known !== undefined) {
    const field = { name, type: known, fallback: undefined, description, span };
    return property.args === undefined ? field : withArguments(file, property, field);
  }
  const reading = readProperty(file, property);
  if (reading === undefined) return undefined;
  if (reading.kind === 'typed') {
    const field = { name, type: reading.type, fallback: reading.fallback, description, span };
    return property.args === undefined ? field : withArguments(file, property, field);
  }
  file.reportStrayArguments(property);
  const found = literalType(file.draft.typeTable, value);
  if ('reason' in found) {
    file.report('GG2014', found, value);
    return undefined;
  }
  if (value.kind === 'Null') file.report('GG2015', { property: name }, span);
  return { name, type: found.type, fallback: reading.json, description, span };
}

function withArguments(file: DraftFile, property: Property, field: GraphField): GraphField {
  const args = readFieldArguments(file, property);
  return args === undefined ? field : { ...field, arguments: args };
}

/**
 * Reads the arguments in the parentheses of a field: a type each, perhaps with a default. A literal is an error
 * (GG2018), and so is a repeated argument (GG2006).
 */
function readFieldArguments(file: DraftFile, field: Property): readonly GraphField[] | undefined {
  if (field.args === undefined) return undefined;
  const firsts = new Map<string, Property>();
  const args: GraphField[] = [];
  for (const property of field.args) {
    const { key: name, doc: description } = property;
    const first = firsts.get(name);
    if (first !== undefined) {
      file.reportClash(`Field “${field.key}”`, { file, property: first }, property);
      continue;
    }
    firsts.set(name, property);
    const reading = readProperty(file, property);
    if (reading === undefined) continue;
    if (reading.kind === 'literal') {
      const params = { property: name, expected: 'a type, such as Int or Int = 10' };
      const isReported = property.value.kind === 'Word';
      if (!isReported) file.report('GG2018', params, property.value);
      continue;
    }
    if (file.refusesName(property)) continue;
    const span = file.spanOf(property);
    const argument = { name, type: reading.type, fallback: reading.fallback, description, span };
    args.push(withTags(file, property, argument, 'input'));
  }
  return args.length === 0 ? undefined : args;
}

/** Both declarations as one; undefined when they contradict each other. */
function unite(one: GraphField, other: GraphField): GraphField | undefined {
  if (!sameType(one.type, other.type)) return undefined;
  const bothHaveValues = one.fallback !== undefined && other.fallback !== undefined;
  if (bothHaveValues && !sameJson(one.fallback, other.fallback)) return undefined;
  if (!sameArguments(one.arguments, other.arguments)) return undefined;
  return {
    ...notesOf(other),
    ...one,
    ...accessOf(joinAccess(one, other)),
    fallback: one.fallback ?? other.fallback,
    description: one.description ?? other.description,
  };
}

function sameArguments(one: GraphField['arguments'] = none, other: GraphField['arguments'] = none): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, type, fallback }, at) => {
      const same = other[at] as GraphField;
      return name === same.name && sameType(type, same.type) && sameJson(fallback, same.fallback);
    })
  );
}

/** The first property of each key. Made once for a node, however many of its declarations clash. */
function firstPlacesOf(declarations: readonly Declaration[]): ReadonlyMap<string, PropertyPlace> {
  const places = new Map<string, PropertyPlace>();
  for (const { file, term } of declarations) {
    for (const property of term.properties) {
      if (!places.has(property.key)) places.set(property.key, { file, property });
    }
  }
  return places;
}

/**
 * Checks the fields of an input with the label `OneOf` (GG2030): a required field and one with a default would always
 * have a value (GraphQL, September 2025, section 3.10.1).
 */
function checkOneOf(draft: GraphDraft, { id: node, fields }: GraphNode): void {
  for (const { name, type, fallback, span } of fields) {
    const fault = fallback !== undefined ? 'has a default' : type.kind === 'nonNull' ? 'is required' : undefined;
    if (fault === undefined) continue;
    const reason = `its field “${name}” ${fault}`;
    draft.report('GG2030', { node, reason }, span);
  }
}
