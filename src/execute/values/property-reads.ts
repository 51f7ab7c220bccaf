import { readProperty } from './read-property.js';

/**
 * The values that a compiled plan has read, in order: what the root resolver returned, then each property. Where
 * the plan gives up, graphql-js executes the same selection from the start and takes these values instead of
 * reading again, so that a getter, a Proxy or a property that makes a promise is read once.
 *
 * Both sides read in the same order: both complete a value depth first, and the plan stops at the first value
 * that is not plain.
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

  /** Reads a property for graphql-js: what the plan has read, or the property itself after that. */
  replay(parent: unknown, name: string): unknown {
    return this.#replayed < this.values.length ? this.replayNext() : readProperty(parent, name);
  }

  replayNext(): unknown {
    const value = this.values[this.#replayed++];
    if (value instanceof Thrown) throw value.error;
    return value;
  }
}

/** An error in the place of a value. */
export class Thrown {
  constructor(readonly error: unknown) {}
}
