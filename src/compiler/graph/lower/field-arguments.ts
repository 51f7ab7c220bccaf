import type { Property } from '../../syntax/ast.js';
import type { GraphField } from '../graph-ir.js';
import { type DraftFile, refusesName, report, reportPropertyClash, spanOf } from './graph-draft.js';
import { withTags } from './read-doc.js';
import { readProperty } from './read-property.js';

/**
 * Reads the arguments in the parentheses of a field: a type each, perhaps with a default. A literal is an error
 * (GG2018), and so is a repeated argument (GG2006).
 */
export function readFieldArguments(file: DraftFile, field: Property): readonly GraphField[] | undefined {
  if (field.args === undefined) return undefined;
  const firsts = new Map<string, Property>();
  const args: GraphField[] = [];
  for (const property of field.args) {
    const { key: name, doc: description } = property;
    const first = firsts.get(name);
    if (first !== undefined) {
      reportPropertyClash(`Field “${field.key}”`, { file, property: first }, { file, property });
      continue;
    }
    firsts.set(name, property);
    const reading = readProperty(file, property);
    if (reading === undefined) continue;
    if (reading.kind === 'literal') {
      const params = { property: name, expected: 'a type, such as Int or Int = 10' };
      const isReported = property.value.kind === 'Word';
      if (!isReported) report(file, 'GG2018', params, property.value);
      continue;
    }
    if (refusesName(file, property)) continue;
    const span = spanOf(file, property);
    const argument = { name, type: reading.type, fallback: reading.fallback, description, span };
    args.push(withTags(file, property, argument, true));
  }
  return args.length === 0 ? undefined : args;
}

/** Reports arguments in parentheses on something that is not a typed field of a node (GG2025). */
export function reportStrayArguments(file: DraftFile, property: Property): void {
  const first = property.args?.[0];
  if (first === undefined) return;
  const last = property.args?.at(-1) ?? first;
  const span = { file: file.name, start: first.start, end: last.end };
  report(file, 'GG2025', { property: property.key }, span);
}
