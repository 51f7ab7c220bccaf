/** The pages of a list, as `page` and `@page` say. */
export interface PageSize {
  /** The number of items in a page by default. */
  readonly size: number;
  /** Whether pages have `totalCount`, the number of items of the list; absent if not. */
  readonly isCounted?: true;
}

/** Reads `20`, or `20 totalCount`; undefined for other texts. */
export function readPageSize(text: string): PageSize | undefined {
  const [, digits, counted] = /^(\d{1,9})( +totalCount)?$/.exec(text) ?? [];
  const size = Number(digits);
  return size > 0 ? { size, ...(counted !== undefined && { isCounted: true }) } : undefined;
}
