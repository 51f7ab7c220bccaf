// A file of its own: what loads it need not load graphql-js.

/**
 * The value of the winning branch and its union member. The value is not modified: it may be shared, frozen, or
 * belong to another member as well.
 */
export class RaceWinner {
  constructor(
    readonly typeName: string,
    readonly value: unknown,
  ) {}
}
