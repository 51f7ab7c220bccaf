import { defined } from '../../base/values/defined.js';
import type { JsonValue } from './json-value.js';

/** What the tags of a doc comment say of a field or an argument. Each part is absent without its tag. */
export interface ValueNotes {
  /** The reason of `@deprecated`. */
  readonly deprecated?: string;
  /** The values of `@example`, in order. */
  readonly examples?: readonly JsonValue[];
  readonly constraints?: Constraints;
}

/**
 * The limits of a value, in the keywords of JSON Schema 2020-12 (Validation, sections 6 and 7). On a list,
 * `minItems` and `maxItems` hold for the list, the others for each of its elements.
 */
export interface Constraints {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  /** In characters (Unicode code points), as in JSON Schema. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression (ECMA-262, with the `u` flag), not anchored. */
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Whether a doc comment says anything of the value in tags. */
export function hasNotes({ deprecated, examples, constraints }: ValueNotes): boolean {
  return deprecated !== undefined || examples !== undefined || constraints !== undefined;
}

/** The notes alone, without the other properties of a field or an argument. */
export function notesOf({ deprecated, examples, constraints }: ValueNotes): ValueNotes {
  return defined({ deprecated, examples, constraints });
}
