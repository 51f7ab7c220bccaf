import type { Constraints } from '../../base/json-schema/limits.js';
import { defined } from '../../base/values/defined.js';
import type { JsonValue } from './json-value.js';

export type { Constraints };

/** The tags of a doc comment of a field or an argument. Each part is absent without its tag. */
export interface ValueNotes {
  /** The reason of `@deprecated`. */
  readonly deprecated?: string;
  /** The values of `@example`, in order. */
  readonly examples?: readonly JsonValue[];
  readonly constraints?: Constraints;
  /** Whether callers may leave the value out, but not give null for it: `@notNull`. */
  readonly notNull?: true;
}

/**
 * The comment of JSON Schemas for a `multipleOf` that validators would compute with rounding errors. {@link
 * readMultiple} reads it.
 */
export function multipleComment(step: number): string {
  return `multipleOf ${step}`;
}

export function readMultiple(comment: string | undefined): number | undefined {
  const [, step] = /^multipleOf (\S+)$/.exec(comment ?? '') ?? [];
  return step === undefined ? undefined : Number(step);
}

/** Whether a doc comment says anything of the value in tags. */
export function hasNotes({ deprecated, examples, constraints, notNull }: ValueNotes): boolean {
  return [deprecated, examples, constraints, notNull].some((note) => note !== undefined);
}

/** The notes alone, without the other properties of a field or an argument. */
export function notesOf({ deprecated, examples, constraints, notNull }: ValueNotes): ValueNotes {
  return defined({ deprecated, examples, constraints, notNull });
}
