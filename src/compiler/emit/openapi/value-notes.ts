import { defined } from '../../../base/values/defined.js';
import { withAccess } from '../../api/access.js';
import { withReason } from '../../api/describe-notes.js';
import type { ValueNotes } from '../../graph/value-notes.js';
import type { GqlAccess } from '../../schema/gql-schema.js';
import { type Annotations, type JsonSchema, setDescription } from './type-schema.js';

/**
 * Adds the notes of a field or an argument to the schema of its value: constraints in their own keywords, `deprecated`
 * and `examples`; its access, for which there is no keyword, in the description. JSON Schema allows them beside a reference (2020-12, section 8.2.3.1).
 */
export function annotate(made: JsonSchema & Annotations, notes: ValueNotes & GqlAccess): void {
  const { constraints, deprecated, examples } = notes;
  if (constraints !== undefined) {
    const { minItems, maxItems, ...ofElements } = constraints;
    Object.assign(made, defined({ minItems, maxItems }));
    Object.assign(innermost(made), ofElements);
  }
  if (deprecated !== undefined) {
    setDescription(made, withReason(made.description, deprecated));
    Object.assign(made, { deprecated: true });
  }
  setDescription(made, withAccess(made.description, notes));
  if (examples !== undefined) made.examples = [...examples];
}

function innermost(made: JsonSchema): JsonSchema {
  return 'items' in made && made.items !== undefined ? innermost(made.items as JsonSchema) : made;
}
