import { JsonPlace } from '../../../base/source/json-place.js';
import { parsePointer } from '../../../base/source/json-pointer.js';
import type { Draft } from '../draft/draft.js';

/** The references of a document. Those to other documents are not followed. */
export class References {
  /** The pointers of the parts that references have led to. */
  readonly #reached = new Set<string>();

  constructor(
    private readonly root: JsonPlace,
    private readonly draft: Draft,
  ) {}

  /** The value at a place, after following references; undefined, and reported, if they cannot be resolved. */
  resolve(from: JsonPlace): JsonPlace | undefined {
    let place = from;
    for (let hops = 0; hops < maxHops; hops++) {
      const reference = place.text('$ref');
      if (reference === undefined) return place;
      const target = this.#find(reference);
      if (target === undefined) {
        const isLocal = reference.startsWith('#');
        const reason = isLocal
          ? 'The document does not contain it.'
          : 'It is in another document, which is not read. To import both, bundle the documents first: npx @redocly/cli bundle.';
        return this.draft.loseOnce(from, `reference ${reference}`, reason);
      }
      this.#reached.add(target.pointer);
      place = target;
    }
    return this.draft.loseOnce(from, `reference ${from.text('$ref')}`, 'It refers back to itself.');
  }

  reportUnused(): void {
    for (const [section, components] of this.root.at('components')?.entries() ?? []) {
      if (section === 'securitySchemes') continue;
      for (const [name, { pointer, place }] of components.entries())
        if (!this.#reached.has(pointer)) this.draft.lose(place, `${section} ${name}`, 'No imported part refers to it.');
    }
  }

  /** The name of the component at a place: `Pet` of `/components/schemas/Pet`; undefined for other places. */
  nameOf({ pointer }: JsonPlace): string | undefined {
    const inside = pointer.slice(this.root.pointer.length);
    const [, step] = /^\/(?:components\/schemas|definitions)(\/[^/]+)$/.exec(inside) ?? [];
    return step && parsePointer(step)[0];
  }

  #find(reference: string): JsonPlace | undefined {
    if (!reference.startsWith('#')) return undefined;
    let place: JsonPlace | undefined = this.root;
    for (const step of parsePointer(decode(reference.slice(1)))) place = place?.at(step);
    return place === undefined ? undefined : new JsonPlace(place.value, place.pointer);
  }
}

const maxHops = 32;

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
