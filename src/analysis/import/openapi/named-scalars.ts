import { type Draft, nodeIdOf } from '../draft/draft.js';

/** The scalars of a collection; only their names are known. */
export class NamedScalars {
  readonly #draft: Draft;
  readonly #types = new Map<string, string>();

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** The type in the topology of a scalar, by the name that documents have for it. */
  typeOf(name: string, place: string): string {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const typeName = this.#draft.takeTypeName(name, place, false);
    this.#types.set(name, typeName);
    const labels = ['Scalar'];
    this.#draft.nodes.push({ id: nodeIdOf(typeName), typeName, labels, settings: [], fields: [], place });
    this.#draft.lose(place, `type ${name}`, 'A collection does not define it, so it becomes a scalar.');
    return typeName;
  }
}
