import { readProperty } from './read-property.js';

/**
 * The values that a compiled plan has read, in order: what the root resolver returned, then each property. If the plan
 * gives up, graphql-js executes the same selection from the start with these values, so that a getter, a Proxy or a
 * property that creates a promise is read only once.
 *
 * Both sides read in the same order: both complete a value depth first, and the plan stops at the first value that is
 * not plain.
 */
export class PropertyReads {
  /** A getter that threw left a {@link Thrown}. A plan may replace a list by a copy of it. */
  readonly values: unknown[] = [];
  #replayed = 0;

  /** Reads a property for the plan. Returns its index in `values`. */
  read(parent: unknown, name: string): number {
    try {
      return this.values.push(readProperty(parent, name)) - 1;
    } catch (error) {
      return this.values.push(new Thrown(error)) - 1;
    }
  }

  /** Reads a property for graphql-js: first the values that the plan has read, then the properties themselves. */
  replay(parent: unknown, name: string): unknown {
    return this.#replayed < this.values.length ? this.replayNext() : readProperty(parent, name);
  }

  replayNext(): unknown {
    const value = this.values[this.#replayed++];
    if (value instanceof Thrown) throw value.error;
    return value;
  }
}

/** An error in place of a value. */
export class Thrown {
  constructor(readonly error: unknown) {}
}
