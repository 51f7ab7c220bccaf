import { answerType } from '../../api/rest-routes.js';
import { defaultSelection, type Selection } from '../../api/selection.js';
import { allOperations, type GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';

/**
 * Returns a function that tells whether every response and event of REST with an object of a type has a certain field of it.
 * Responses have a greatest depth, so an object may lack the objects nested in it; a document that called those
 * fields required would be wrong about such responses.
 */
export function alwaysAnswered(schema: GqlSchema): (type: string, field: string) => boolean {
  const leftOut = new Map<string, Set<string>>();
  const visited = new Set<Selection>();
  for (const operation of allOperations(schema)) {
    const selection = defaultSelection(schema, answerType(operation));
    if (selection !== undefined) visit(schema, selection, visited, leftOut);
  }
  return (type, field) => leftOut.get(type)?.has(field) !== true;
}

/** Operations share selections, so each is visited once and the time stays linear. */
function visit(
  schema: GqlSchema,
  selection: Selection,
  visited: Set<Selection>,
  leftOut: Map<string, Set<string>>,
): void {
  if (visited.has(selection)) return;
  visited.add(selection);
  for (const member of selection.members) visit(schema, member.selection, visited, leftOut);
  for (const field of selection.fields) {
    if (field.selection !== undefined) visit(schema, field.selection, visited, leftOut);
  }
  const found = namedType(schema, selection.type);
  if (found.kind !== 'object' || found.type.fields.length === selection.fields.length) return;
  const selected = new Set(selection.fields.map(({ name }) => name));
  const missing = leftOut.get(selection.type) ?? new Set();
  for (const { name } of found.type.fields) if (!selected.has(name)) missing.add(name);
  leftOut.set(selection.type, missing);
}
