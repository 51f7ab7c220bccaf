import { type ExecutionResult, GraphQLError } from 'graphql';
import { PrintedResult } from '../execute/compiled/printed-result.js';
import type { CallResult } from './call.js';

/** The answer of a repeat: the text of a printed result, or a result whose errors are plain. */
type Kept =
  | { readonly key: string; readonly value: string; readonly receipt?: string }
  | { readonly result: ExecutionResult; readonly receipt?: string };

export function writeOutcome(outcome: CallResult, receipt: string | undefined): string {
  const isPrinted = outcome instanceof PrintedResult;
  const kept: Kept = isPrinted ? { key: outcome.key, value: outcome.value } : { result: outcome };
  return JSON.stringify({ ...kept, receipt });
}

/** Reads an outcome; its errors are errors again, with the places and the headers that they had. */
export function readOutcome(text: string) {
  const kept = JSON.parse(text) as Kept;
  const { receipt } = kept;
  if ('key' in kept) return { outcome: new PrintedResult(kept.key, kept.value), receipt };
  const { errors, ...rest } = kept.result;
  return { outcome: errors === undefined ? rest : { ...rest, errors: errors.map(revive) }, receipt };
}

function revive({ message, path, locations, extensions }: GraphQLError): GraphQLError {
  const error = new GraphQLError(message, { path: path ?? null, extensions });
  // They are computed from nodes, which are not kept.
  return Object.defineProperty(error, 'locations', { value: locations, enumerable: true });
}
