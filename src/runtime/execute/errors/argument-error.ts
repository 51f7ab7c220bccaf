import { GraphQLError } from 'graphql';
import { fragmentOf } from '../../../base/source/json-pointer.js';
import type { Violation } from '../../../compiler/api/argument-checks.js';

/** One error for all violations, with the message of the first. */
export function argumentError(found: readonly Violation[]): GraphQLError {
  const errors = mistakesOf(found);
  return new GraphQLError(errors[0]?.detail ?? '', { extensions: { code, parameter: found[0]?.path, errors } });
}

/** Violations as members of `errors`. */
export function mistakesOf(found: readonly Violation[]) {
  return found.map(({ path, reason }) => ({ pointer: fragmentOf(path), detail: `“${path}” ${reason}.`, code }));
}

const code = 'BAD_USER_INPUT' as const;
