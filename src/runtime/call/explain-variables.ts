import {
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { operationCoordinate, rootTypeOf } from '../../compiler/api/operation-coordinate.js';
import { graphqlArguments } from '../../compiler/api/resume-argument.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { withEnumNames } from '../../compiler/schema/wire-view.js';
import { literalValue } from '../execute/graphql-js/releases.js';
import { errorInPlaceOf } from '../limits/error-in-place.js';
import { rootFieldsOf } from '../limits/root-fields.js';
import type { CallArgs } from './call.js';
import { readAll, readMembers } from './coerce.js';
import { type Mistake, maxMistakes, ProblemError } from './problem.js';

/** Finds the values that break the constraints of an operation. A prefix precedes the paths of its arguments. */
export type MistakesIn = (
  operation: GqlOperation,
  args: Readonly<Record<string, unknown>>,
  prefix?: string,
) => readonly Mistake[];

interface ReadMistakes {
  readonly schema: GraphQLSchema;
  readonly tellsNames: boolean;
  readonly mistakesIn: MistakesIn;
}

/**
 * Makes the function that completes the errors of a call whose variables graphql-js refuses: the first one gets the
 * mistakes in the arguments of its operations as `errors`, as REST lists them. The pointers of several operations begin
 * with their names in the result.
 */
export function createExplanation(model: GqlSchema, { schema: executable, tellsNames, mistakesIn }: ReadMistakes) {
  const operations = new Map(allOperations(model).map((one) => [operationCoordinate(one), one]));
  const schema = withEnumNames(model);
  return (errors: readonly GraphQLError[], args: CallArgs): readonly GraphQLError[] => {
    const [first, ...others] = errors;
    const { document, operationName, variableValues } = args;
    const operation = getOperationAST(document, operationName);
    if (first?.nodes?.[0]?.kind !== Kind.VARIABLE_DEFINITION || !operation) return errors;
    const definitions = operation.variableDefinitions ?? [];
    const defaults = definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    );
    const given = { ...Object.fromEntries(defaults), ...variableValues };
    const fields = rootFieldsOf(document, operation);
    const keys = new Set(fields.map(({ alias, name }) => (alias ?? name).value));
    const found: { readonly parameter: unknown; readonly errors: readonly Mistake[] }[] = [];
    for (const { name, alias, arguments: nodes = [] } of fields) {
      const key = (alias ?? name).value;
      const called = operations.get(`${rootTypeOf(operation.operation)}.${name.value}`);
      if (called === undefined || !keys.delete(key)) continue;
      const prefix = fields.length === 1 ? undefined : key;
      const declared = executable.getRootType(operation.operation)?.getFields()[name.value]?.args ?? [];
      const fixed: Record<string, unknown> = {};
      const open: Record<string, JsonValue> = {};
      for (const { name: argument, value } of nodes) {
        const type = declared.find((one) => one.name === argument.value)?.type;
        // A literal without variables is valid, as the document is.
        if (type && !hasVariable(value)) fixed[argument.value] = literalValue(value, type);
        else open[argument.value] = jsonOf(value, given) as JsonValue;
      }
      const read = graphqlArguments(called).filter((one) => !Object.hasOwn(fixed, one.name));
      const context = {
        ...{ schema, executable, tellsNames, takesItems: true },
        mistakesIn: (all: Readonly<Record<string, unknown>>) =>
          mistakesIn(called, { ...fixed, ...all }, prefix && `${prefix}.`),
      };
      try {
        readAll(
          context,
          (one) => readMembers(one, read, open, prefix),
          (all) => all,
        );
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        const { parameter, errors: mistakes } = error.problem.members ?? {};
        found.push({ parameter, errors: mistakes as readonly Mistake[] });
      }
    }
    const [{ parameter } = {}] = found;
    if (parameter === undefined) return errors;
    const mistakes = found.flatMap((one) => one.errors).slice(0, maxMistakes);
    const extensions = { ...first.extensions, code: 'BAD_USER_INPUT', parameter, errors: mistakes };
    return [errorInPlaceOf(first, first.message, extensions, first.originalError), ...others];
  };
}

/** The JSON of a value with its variables. Omitted variables are omitted fields, and null in lists. */
function jsonOf(node: ValueNode, given: Readonly<Record<string, unknown>>): unknown {
  if (node.kind === Kind.VARIABLE) return given[node.name.value];
  if (node.kind === Kind.LIST) return node.values.map((one) => jsonOf(one, given) ?? null);
  if (node.kind !== Kind.OBJECT) return valueFromASTUntyped(node);
  return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, jsonOf(value, given)]));
}

function hasVariable(node: ValueNode): boolean {
  if (node.kind === Kind.LIST) return node.values.some(hasVariable);
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => hasVariable(value));
  return node.kind === Kind.VARIABLE;
}
