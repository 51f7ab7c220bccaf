/** The members of a JSON object, made while they are read, so that a writer need not hold all of them. Read once. */
export class Members {
  constructor(readonly entries: Iterable<readonly [string, unknown]>) {}

  toObject(): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [key, value] of this.entries) made[key] = value instanceof Members ? value.toObject() : value;
    return made;
  }
}
