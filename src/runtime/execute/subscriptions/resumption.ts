import { type DocumentNode, type ExecutionArgs, getOperationAST, Kind, visit } from 'graphql';
import { remember } from '../../../compiler/graph/maps.js';
import { resumeArgument } from '../../../compiler/graph/names.js';
import { rootFieldsOf } from '../../limits/root-fields.js';

export interface Resumption {
  /** The id of the event after which it begins; undefined if it begins with the next one. */
  readonly after: string | undefined;
  /** Whether the results carry the ids of their events: only documents that use `after` know of them. */
  readonly showsIds: boolean;
  /** The variables on which the results depend: not the one that is used for `after` alone. */
  readonly variables: ExecutionArgs['variableValues'];
}

interface AfterUse {
  /** The id itself, or the default of the variable. */
  readonly literal?: string;
  readonly variable?: string;
  /** Whether the variable is used for nothing else, and may be left out. */
  readonly isOnlyUse?: boolean;
}

/**
 * Makes the function that finds where a subscription begins. `Last-Event-ID` is newer than the argument of a document,
 * which an EventSource repeats.
 */
export function createResumptions(
  isResumable: (subscription: string) => boolean,
): (args: ExecutionArgs, lastEventId: string | undefined) => Resumption {
  const uses = new WeakMap<DocumentNode, Map<string, AfterUse | 'none'>>();
  return ({ document, operationName, variableValues: variables }, lastEventId) => {
    const known = remember(uses, document, () => new Map<string, AfterUse | 'none'>());
    const read = () => readUse(document, operationName, isResumable) ?? 'none';
    const use = remember(known, operationName ?? '', read);
    if (use === 'none') return { after: lastEventId, showsIds: false, variables };
    const { literal, variable, isOnlyUse = false } = use;
    const isGiven = variable !== undefined && variables?.[variable] !== undefined;
    const given = isGiven ? variables[variable] : literal;
    // Another value than a string is an error of the variable.
    const isId = typeof given === 'string';
    const isDropped = isOnlyUse && (isId || given === null || given === undefined);
    const { [variable ?? '']: _after, ...others } = variables ?? {};
    return {
      after: lastEventId ?? (isId ? given : undefined),
      showsIds: true,
      variables: isDropped ? others : variables,
    };
  };
}

function readUse(
  document: DocumentNode,
  operationName: string | null | undefined,
  isResumable: (subscription: string) => boolean,
): AfterUse | undefined {
  const field = rootFieldOf(document, operationName);
  const value = field?.arguments?.find(({ name }) => name.value === resumeArgument)?.value;
  if (field === undefined || value === undefined || !isResumable(field.name.value)) return undefined;
  if (value.kind === Kind.STRING) return { literal: value.value };
  if (value.kind !== Kind.VARIABLE) return {};
  const variable = value.name.value;
  const definitions = getOperationAST(document, operationName)?.variableDefinitions;
  const definition = definitions?.find((one) => one.variable.name.value === variable);
  const isPlain = definition?.type.kind !== Kind.NON_NULL_TYPE && definition?.defaultValue === undefined;
  let count = 0;
  visit(document, {
    Variable: ({ name }) => {
      if (name.value === variable) count += 1;
    },
  });
  // Its definition is the other occurrence.
  const fallback = definition?.defaultValue;
  return {
    variable,
    isOnlyUse: isPlain && count === 2,
    ...(fallback?.kind === Kind.STRING ? { literal: fallback.value } : {}),
  };
}

/** The only field of a subscription, in a valid document. */
export function rootFieldOf(document: DocumentNode, operationName: string | null | undefined) {
  const operation = getOperationAST(document, operationName);
  return operation ? rootFieldsOf(document, operation)[0] : undefined;
}
