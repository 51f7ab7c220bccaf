import {
  type DirectiveNode,
  type GraphQLDirective,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
} from 'graphql';
import type { VariableValues } from './releases.js';

/** Whether `@skip` and `@include` leave a selection in an operation. */
export function isIncluded(directives: readonly DirectiveNode[], variables: VariableValues): boolean {
  if (directives.length === 0) return true;
  const saidBy = (directive: GraphQLDirective) => getDirectiveValues(directive, { directives }, variables)?.if;
  try {
    return saidBy(GraphQLSkipDirective) !== true && saidBy(GraphQLIncludeDirective) !== false;
  } catch {
    // graphql-js reports the value.
    return false;
  }
}
