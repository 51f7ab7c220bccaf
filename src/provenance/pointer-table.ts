/** What a pointer into one document stands for, as it is found: coordinates of the schema, each once. */
export class PointerTable {
  readonly #known: { has(coordinate: string): boolean };
  readonly #coordinates = new Map<string, string[]>();

  /** @param known the coordinates that come from a topology; what stands for another is left out */
  constructor(known: { has(coordinate: string): boolean }) {
    this.#known = known;
  }

  /** The coordinates by pointer, in the order of their finding. */
  get entries(): ReadonlyMap<string, readonly string[]> {
    return this.#coordinates;
  }

  /** Adds what a pointer stands for. A path with two methods stands for two operations. */
  add(pointer: string, coordinate: string): void {
    if (!this.#known.has(coordinate)) return;
    const same = this.#coordinates.get(pointer);
    if (same === undefined) this.#coordinates.set(pointer, [coordinate]);
    else if (!same.includes(coordinate)) same.push(coordinate);
  }
}
