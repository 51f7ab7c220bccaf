/** A place in a result: graphql-js makes such paths. */
export interface Place {
  readonly prev: Place | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
}

/**
 * The values that a compiled plan has read: what resolvers returned, and properties. If the plan gives up, graphql-js
 * executes the same selection from the start with these values, so that no resolver runs twice, and a getter, a Proxy or
 * a property that creates a promise is read only once.
 *
 * Both sides complete values depth first, so values that are read in one turn are kept in order. Those below a promise,
 * and below later items of its list, are read in turns of their own.
 */
export class PropertyReads {
  // Begun with its first member, because a list that grows from nothing takes ten times the memory.
  readonly #turns: Turn[] = [newTurn(undefined)];
  /** Only made where there are several turns: most operations have one. */
  #known: Map<Place | undefined, Turn> | undefined;
  #byKey: ReadonlyMap<string, Turn> | undefined;

  /** The values of the first turn. An error that was thrown is a {@link Thrown} among them. */
  get first(): unknown[] {
    return (this.#turns[0] as Turn).values;
  }

  /** Begins a later turn, of the values below a place. */
  begin(place: Place): unknown[] {
    const turn = newTurn(place);
    this.#turns.push(turn);
    return turn.values;
  }

  /** Reads a value for graphql-js: first those that the plan has read, then the others. */
  replay(place: Place, read: () => unknown): unknown {
    const turn = this.#turnOf(place.prev);
    if (turn.isUnread || turn.replayed === turn.values.length) return read();
    const value = turn.values[turn.replayed++];
    if (value instanceof Thrown) throw value.error;
    if (value !== unread) return value;
    // The resolver's own reads do not count as read before.
    turn.isUnread = true;
    try {
      return read();
    } finally {
      turn.isUnread = false;
    }
  }

  #turnOf(place: Place | undefined): Turn {
    if (this.#turns.length === 1) return this.#turns[0] as Turn;
    this.#byKey ??= new Map(this.#turns.map((turn) => [keyOf(turn.place), turn]));
    this.#known ??= new Map();
    let turn = this.#known.get(place);
    if (turn === undefined) {
      turn = this.#byKey.get(keyOf(place)) ?? this.#turnOf(place?.prev);
      this.#known.set(place, turn);
    }
    return turn;
  }
}

interface Turn {
  readonly place: Place | undefined;
  readonly values: unknown[];
  /** How many of its values graphql-js has got. */
  replayed: number;
  /** Whether graphql-js reads a value that is {@link unread}. */
  isUnread: boolean;
}

function newTurn(place: Place | undefined): Turn {
  return { place, values: [], replayed: 0, isUnread: false };
}

function keyOf(place: Place | undefined): string {
  return place === undefined ? '' : `${keyOf(place.prev)}.${place.key}`;
}

/** In place of a value that graphql-js reads again. What is below it is in a turn of its own, which is empty. */
export const unread = Symbol('unread');

/** An error in place of a value. */
export class Thrown {
  constructor(readonly error: unknown) {}
}
