import type { GraphQLFieldResolver } from 'graphql';
import { OperationRoot } from '../resolvers/abort-signal.js';

type FieldResolver = GraphQLFieldResolver<unknown, unknown>;

/**
 * The root value of an operation whose one root field was resolved already. graphql-js goes on from there,
 * so that the resolver is not called twice: a mutation happens once.
 */
export class ResumedRoot extends OperationRoot {
  /**
   * @param root - The root value that the operation began with.
   * @param settle - Gives what the resolver gave, or throws what it threw.
   */
  constructor(
    root: OperationRoot,
    readonly settle: () => unknown,
  ) {
    super(root);
  }
}

/** A resolver of a root field that takes what was resolved already from the root value. */
export function resumable(resolver: FieldResolver): FieldResolver {
  return (root, args, context, info) =>
    root instanceof ResumedRoot ? root.settle() : resolver(root, args, context, info);
}
