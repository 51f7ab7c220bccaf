import { formatCheck } from '../../base/json-schema/formats.js';
import { type Constraints, compileLimits, type ValueChecks, violation } from '../../base/json-schema/limits.js';
import { remember } from '../../compiler/graph/maps.js';

const compiled = new WeakMap<Constraints, ValueChecks>();

/** Why a value breaks the constraints of a column; undefined if it does not. */
export function brokenLimit(constraints: Constraints | undefined, value: unknown): string | undefined {
  if (constraints === undefined) return undefined;
  return violation(
    remember(compiled, constraints, () => compileLimits(constraints, formatCheck)),
    value,
  );
}
