/** The empty list, shared: a large topology would hold thousands of empty arrays otherwise. */
export const none: readonly never[] = [];
