import type { PropertyReads } from '../../values/property-reads.js';

/**
 * The root value of queries and mutations. graphql-js passes it to resolvers as `info.rootValue`; the resolvers of root
 * fields do not get it as their parent.
 */
export class OperationRoot {
  /** @param lifetime - Has the signal, and may create it on first access. */
  constructor(private readonly lifetime: { readonly signal?: AbortSignal | undefined } | undefined) {}

  /** Aborted when the operation is cancelled. */
  get signal(): AbortSignal | undefined {
    return this.lifetime?.signal;
  }
}

/** The root value of an operation that graphql-js continues after a compiled plan. */
export class ResumedRoot extends OperationRoot {
  constructor(
    root: OperationRoot,
    readonly reads: PropertyReads,
  ) {
    super(root);
  }
}
