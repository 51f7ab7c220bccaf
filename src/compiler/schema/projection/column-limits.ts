import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { shortened } from '../../../base/diagnostics/shown-value.js';
import { compileLimits, violation } from '../../../base/json-schema/limits.js';
import { baseName, nullable, sameType } from '../../graph/type-ref.js';
import type { Constraints } from '../../graph/value-notes.js';
import type { GqlArgument, GqlInputType, GqlObjectType, GqlOperation } from '../gql-schema.js';
import { columnGivenBy, isStored, storedTypes } from '../schema-index.js';

/** What callers give to operations. */
interface Given {
  readonly operations: readonly GqlOperation[];
  readonly inputs: readonly GqlInputType[];
}

/**
 * The arguments of mutations into stored nodes, and the fields of the inputs that are for one such node alone, with the
 * constraints and the examples of the columns that they give, unless they have their own: the store refuses other values.
 */
export function withColumnLimits(
  { operations, inputs }: Given,
  objects: readonly GqlObjectType[],
  diagnostics: Diagnostic[],
): Given {
  if (!objects.some(isStored)) return { operations, inputs };
  const withLimits = (given: readonly GqlArgument[], { fields }: GqlObjectType): readonly GqlArgument[] =>
    given.map((argument) => {
      const field = fields.find(({ name }) => name === columnGivenBy(argument));
      if (field?.constraints === undefined || argument.constraints !== undefined) return argument;
      if (!sameType(nullable(field.type), nullable(argument.type))) return argument;
      const { constraints, examples } = field;
      checkValues(argument, constraints, diagnostics);
      return { ...argument, constraints, ...(examples && !argument.examples && { examples }) };
    });
  const typeOf = storedTypes(objects);
  const targetOf = (operation: GqlOperation) => (operation.kind === 'mutation' ? typeOf(operation) : undefined);
  // Undefined for an input with several uses.
  const targets = new Map<string, GqlObjectType | undefined>();
  const use = ({ type }: GqlArgument, target: GqlObjectType | undefined): void => {
    const name = baseName(type);
    targets.set(name, targets.has(name) && targets.get(name) !== target ? undefined : target);
  };
  for (const operation of operations) for (const argument of operation.arguments) use(argument, targetOf(operation));
  for (const field of inputs.flatMap(({ fields }) => fields)) use(field, undefined);
  return {
    operations: operations.map((operation) => {
      const target = targetOf(operation);
      return target === undefined ? operation : { ...operation, arguments: withLimits(operation.arguments, target) };
    }),
    inputs: inputs.map((input) => {
      const target = targets.get(input.name);
      return target === undefined ? input : { ...input, fields: withLimits(input.fields, target) };
    }),
  };
}

/** Reports the examples and the default of an argument that break the constraints of its column (GG2039). */
function checkValues(
  { examples = [], fallback, span }: GqlArgument,
  constraints: Constraints,
  diagnostics: Diagnostic[],
): void {
  const checks = compileLimits(constraints);
  const values = examples.map((value) => ({ what: 'example', value }));
  if (fallback !== undefined) values.push({ what: 'default', value: fallback });
  for (const { what, value } of values) {
    const reason = violation(checks, value);
    if (reason === undefined || span === undefined) continue;
    diagnostics.push(diagnose('GG2039', { what, value: shortened(JSON.stringify(value)), reason }, span));
  }
}
