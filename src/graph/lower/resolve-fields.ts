import { diagnose } from '../../diagnostics/diagnostic.js';
import type { SourceFile } from '../../source/source-file.js';
import type { Property } from '../../syntax/ast.js';
import type { GraphField } from '../graph-ir.js';
import { sameJson } from '../json-value.js';
import { NamedList } from '../named-list.js';
import { whyInvalidName } from '../names.js';
import { sameType } from '../type-ref.js';
import { type GraphDraft, type NodeDraft, spanOf } from './graph-draft.js';
import { literalType } from './literal-type.js';
import { type PropertyPlace, reportPropertyClash } from './property-clash.js';
import { readProperty } from './read-property.js';

/**
 * Reads the properties of the nodes that are object types into fields, each declaration after the one
 * before it. A property that is declared again must have the same type and the same value (GG2006); a
 * type in one place and its value in another make one field together.
 */
export function resolveFields(draft: GraphDraft): void {
  for (const node of draft.nodes.values()) {
    if (node.kind === 'object' && node.declarations.length > 0) node.fields = resolveNode(draft, node);
  }
}

function resolveNode(draft: GraphDraft, node: NodeDraft): readonly GraphField[] {
  const fields = new NamedList<GraphField>();
  for (const { file, term } of node.declarations) {
    for (const property of term.properties) {
      const field = resolveField(draft, file, property);
      if (field === undefined) continue;
      const at = fields.indexOf(field.name);
      if (at === -1) {
        addField(draft, fields, field);
        continue;
      }
      const united = unite(fields.items[at] as GraphField, field);
      if (united !== undefined) fields.items[at] = united;
      else reportPropertyClash(draft, `Node “${node.id}”`, firstPlace(node, field.name), { file, property });
    }
  }
  return fields.toArray();
}

function resolveField(draft: GraphDraft, file: SourceFile, property: Property): GraphField | undefined {
  const reading = readProperty(draft, file, property);
  if (reading === undefined) return undefined;
  const { key: name, value, doc: description } = property;
  const span = spanOf(file, property);
  if (reading.kind === 'typed') {
    return { name, type: reading.type, fallback: reading.fallback, description, span };
  }
  const found = literalType(draft.typeTable, value);
  if ('reason' in found) {
    draft.diagnostics.push(diagnose('GG2014', found, spanOf(file, value)));
    return undefined;
  }
  if (value.kind === 'Null') draft.diagnostics.push(diagnose('GG2015', { property: name }, span));
  return { name, type: found.type, fallback: reading.json, description, span };
}

function addField(draft: GraphDraft, fields: NamedList<GraphField>, field: GraphField): void {
  const reason = whyInvalidName(field.name);
  if (reason !== undefined) {
    const { file, start } = field.span;
    const span = { file, start, end: start + field.name.length };
    draft.diagnostics.push(diagnose('GG3008', { name: field.name, reason }, span));
  }
  fields.push(field);
}

/** Both declarations as one; undefined when they contradict each other. */
function unite(one: GraphField, other: GraphField): GraphField | undefined {
  if (!sameType(one.type, other.type)) return undefined;
  const bothHaveValues = one.fallback !== undefined && other.fallback !== undefined;
  if (bothHaveValues && !sameJson(one.fallback, other.fallback)) return undefined;
  return {
    ...one,
    fallback: one.fallback ?? other.fallback,
    description: one.description ?? other.description,
  };
}

function firstPlace(node: NodeDraft, key: string): PropertyPlace {
  const places = node.declarations.flatMap(({ file, term }) =>
    term.properties.filter((property) => property.key === key).map((property) => ({ file, property })),
  );
  return places[0] as PropertyPlace;
}
