import type { ExecutionResult, GraphQLError } from 'graphql';
import { isFinalStatus, isHeader } from '../../../base/values/answer-parts.js';
import { errorInPlaceOf } from '../../limits/error-in-place.js';
import { type Monitor, reportFault, type TrackedOperation } from '../../logs/monitor.js';
import type { DeclaredErrors, ExecutedOperation } from './declared-errors.js';
import { BranchErrors, isFromResolver, isGraphQLError, messageOf, publicMessageOf } from './error-marks.js';
import type { createErrorLocator } from './error-origin.js';

export type ErrorMask = ReturnType<typeof createErrorMask>;

/** The answer to a write that breaks a rule of the database, as an error for clients. */
export interface Refusal {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface MaskSettings {
  readonly masking: boolean;
  readonly locate: ReturnType<typeof createErrorLocator>;
  readonly declared?: DeclaredErrors | undefined;
  /** The answer to an error of a statement that a resolver ran; undefined for other errors. */
  readonly refusal?: ((error: unknown) => Refusal | undefined) | undefined;
  readonly monitor: Monitor;
}

/**
 * Makes the mask of a server. A `GraphQLError` of a resolver is meant for the client and passes unchanged, and so does
 * an error that the operation declares. Anything else is a fault: other errors, values that do not fit their type, races
 * whose branches failed, and errors that have no JSON form. A fault is reported with the field it belongs to. The client
 * gets the code INTERNAL_SERVER_ERROR, with the message and that field; with `masking`, a reference to the report in place
 * of both. With `masking`, errors for operators are reported and hidden in the same way, but keep their code.
 */
export function createErrorMask({ masking, locate, declared, refusal, monitor }: MaskSettings) {
  const hide = (
    fault: unknown,
    tracked: TrackedOperation | undefined,
    located?: GraphQLError,
    executed?: ExecutedOperation,
  ): GraphQLError => {
    const topology = located && executed && locate(located, executed.document);
    const reference = reportFault({ monitor, masking }, fault, topology, tracked);
    const told = publicMessageOf(fault);
    const message = masking ? (told ?? 'Unexpected error.') : messageOf(located ?? fault);
    const keepsCode = told !== undefined || fault instanceof BranchErrors;
    const code = (keepsCode && located?.extensions.code) || 'INTERNAL_SERVER_ERROR';
    return errorInPlaceOf(located, message, {
      code,
      ...(masking ? reference : topology && { topology }),
      ...(fault instanceof ImpossibleAnswerError ? { http: { status: 500 } } : {}),
    });
  };
  return {
    /** Masks a value that was thrown outside of an operation, for instance by the context function. */
    thrown(error: unknown, tracked?: TrackedOperation): GraphQLError {
      if (!isGraphQLError(error) || !hasJson(error)) return hide(error, tracked);
      const impossible = impossibleAnswerOf(error as GraphQLError);
      return impossible === undefined ? (error as GraphQLError) : hide(impossible, tracked);
    },
    result(result: ExecutionResult, executed: ExecutedOperation): ExecutionResult {
      if (result.errors === undefined) return result;
      const mask = (error: GraphQLError): GraphQLError => {
        try {
          const known = declared?.(error, executed);
          if (known !== undefined && hasJson(known)) return known;
          const told = refusal?.(error.originalError);
          if (told !== undefined) return errorInPlaceOf(error, told.message, told.extensions);
        } catch (fault) {
          return hide(fault, executed.tracked, error, executed);
        }
        const operators = [error, error.originalError].find((one) => publicMessageOf(one) !== undefined);
        const fault = faultOf(error) ?? (masking ? operators : undefined);
        return fault === undefined ? error : hide(fault, executed.tracked, error, executed);
      };
      return { ...result, errors: result.errors.map(mask) };
    },
  };
}

/** The fault behind an error of a result; undefined if the client gets the error unchanged. */
function faultOf(error: GraphQLError): unknown {
  const { path, originalError } = error;
  if (!hasJson(error)) return originalError ?? error;
  const impossible = impossibleAnswerOf(error);
  if (impossible !== undefined) return impossible;
  // A request error has no path. It may wrap the error of a scalar about a variable.
  if (path === undefined || originalError === undefined) return undefined;
  if (!isGraphQLError(originalError)) return originalError;
  const { originalError: cause, nodes } = originalError as GraphQLError;
  if (cause instanceof BranchErrors) return cause;
  if (isFromResolver(originalError)) return undefined;
  // graphql-js reports a value that does not fit its type without a node, and an argument with the node of its value.
  const isAboutArgument = nodes?.[0] !== undefined && nodes[0].kind !== 'Field';
  return isAboutArgument ? undefined : originalError;
}

/** An error asks for an answer that cannot be. Engines would throw, or send it and leave the client waiting. */
class ImpossibleAnswerError extends Error {
  override readonly name = 'ImpossibleAnswerError';
}

/** The mistake in the answer that an error asks for in `extensions.http`, if there is one. */
function impossibleAnswerOf({ message, extensions }: GraphQLError): ImpossibleAnswerError | undefined {
  const { status, headers } = (extensions?.http ?? {}) as { status?: unknown; headers?: unknown };
  const pairs: readonly (readonly [unknown, unknown])[] =
    headers instanceof Map ? [...headers] : Object.entries(headers ?? {});
  const wrong =
    typeof status === 'number' && !isFinalStatus(status)
      ? `the status ${status}`
      : pairs.some((pair) => !isHeader(...pair))
        ? `the headers ${JSON.stringify(pairs)}`
        : undefined;
  return wrong === undefined
    ? undefined
    : new ImpossibleAnswerError(`The error “${message}” asks for ${wrong}, which no answer can have.`);
}

/** Whether an error can be written as JSON. Its extensions may be cyclic, hold a BigInt or throw when they are read. */
function hasJson(error: unknown): boolean {
  try {
    return JSON.stringify(error) !== undefined;
  } catch {
    return false;
  }
}
