import type { SelectedField, SelectedMember, Selection } from './selection.js';

/** The maximum number of aliases in a selection; servers commonly reject a document with more than 30. */
const maximumAliases = 20;

/**
 * Writes a selection as GraphQL, braces included, one field a line; every line after the first begins
 * with `indent`. The text is valid in any document: conflicting fields of union members get an alias,
 * and from the 21st on such fields are left out. Empty for a result without fields.
 */
export function printSelection(selection: Selection | undefined, indent = ''): string {
  return selection === undefined ? '' : print(selection, indent, { left: maximumAliases });
}

/**
 * Writes a selection with every field under its own name, for an engine that executes it without
 * validating it first. Validation would reject members of a union whose fields have the same name and
 * different types, although no object ever has both. Empty for a result without fields.
 */
export function printSelectionForExecution(selection: Selection | undefined): string {
  return selection === undefined ? '' : print(selection, '', undefined);
}

type AliasBudget = { left: number } | undefined;

function print(selection: Selection, indent: string, budget: AliasBudget): string {
  const inner = `${indent}  `;
  let text = selection.typename ? `{\n${inner}__typename` : '{';
  for (const field of selection.fields) text += `\n${inner}${printField(field, field.name, inner, budget)}`;
  for (const member of selection.members)
    text += `\n${inner}... on ${member.selection.type} ${printMember(member, inner, budget)}`;
  return `${text}\n${indent}}`;
}

function printField(field: SelectedField, text: string, indent: string, budget: AliasBudget): string {
  const start = text + (field.arguments ?? '');
  return field.selection === undefined ? start : `${start} ${print(field.selection, indent, budget)}`;
}

function printMember(member: SelectedMember, indent: string, budget: AliasBudget): string {
  if (budget === undefined || member.aliases.size === 0) return print(member.selection, indent, budget);
  const inner = `${indent}  `;
  let text = '';
  for (const field of member.selection.fields) {
    const alias = member.aliases.get(field.name);
    if (alias !== undefined && budget.left-- <= 0) continue;
    const start = alias === undefined ? field.name : `${alias}: ${field.name}`;
    text += `\n${inner}${printField(field, start, inner, budget)}`;
  }
  return `{${text === '' ? `\n${inner}__typename` : text}\n${indent}}`;
}
