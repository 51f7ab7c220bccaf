/** What the pointers into one document stand for, in the order of their finding. */
export class PointerTable {
  readonly #known: { has(coordinate: string): boolean };
  readonly #entries: PointerEntry[] = [];

  /** @param known the coordinates that come from a topology; what stands for another is left out */
  constructor(known: { has(coordinate: string): boolean }) {
    this.#known = known;
  }

  get entries(): readonly PointerEntry[] {
    return this.#entries;
  }

  /** Adds a pointer, each of which is found once. A path with two methods stands for two operations. */
  add(pointer: string, ...coordinates: readonly string[]): void {
    const meant = coordinates.filter((coordinate) => this.#known.has(coordinate));
    if (meant.length > 0) this.#entries.push({ pointer, coordinates: meant });
  }
}

/** One pointer, and the coordinates that it stands for: one at least. */
export interface PointerEntry {
  readonly pointer: string;
  readonly coordinates: readonly string[];
}
