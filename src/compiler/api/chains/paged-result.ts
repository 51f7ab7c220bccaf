import type { GqlOperation } from '../../schema/gql-schema.js';

/** The members of the result of a step that has pages. Only the items are required. */
interface PageMembers<Value> {
  readonly items: Value;
  /** The cursor of the next page. */
  readonly after?: Value | undefined;
  readonly totalCount?: Value | undefined;
}

/** A page as the result of a step: with the values of its members, or with their types. */
export function pagedResult<Value>(
  { page }: Pick<GqlOperation, 'page'>,
  { items, after, totalCount }: PageMembers<Value>,
): { readonly [member: string]: Value } {
  return {
    items,
    ...(after !== undefined && { after }),
    ...(page?.isCounted && totalCount !== undefined && { totalCount }),
  };
}
