import { argumentOfSegment, segmentsOf } from '../../schema/route-path.js';
import type { Resource } from '../exchange.js';
import type { Resources } from '../steps.js';

/** Resources by their literal path, then by paths with arguments, the more specific one first. */
export class RouteTable implements Resources {
  readonly #literal = new Map<string, Resource>();
  readonly #open: { readonly path: string; readonly pattern: RegExp; readonly resource: Resource }[] = [];

  constructor(resources: Iterable<readonly [path: string, Resource]>) {
    for (const [path, resource] of resources) {
      resource.path = path;
      if (path.includes('{')) this.#open.push({ path, pattern: patternOf(path), resource });
      else this.#literal.set(path, resource);
    }
    // Paths of which neither is more specific match no request in common, or are errors of the topology.
    this.#open.sort((one, other) => openness(one.path) - openness(other.path));
  }

  get(path: string): Resource | undefined {
    const literal = this.#literal.get(path);
    if (literal !== undefined) return literal;
    for (const { pattern, resource } of this.#open) if (pattern.test(path)) return resource;
    return undefined;
  }

  /** The literal paths. */
  paths(): Iterable<string> {
    return this.#literal.keys();
  }
}

function openness(path: string): number {
  return segmentsOf(path).filter((segment) => argumentOfSegment(segment) !== undefined).length;
}

/** Matches the requests of a path: an argument is any segment that is not empty. */
export function patternOf(path: string): RegExp {
  const source = segmentsOf(path).map((segment) =>
    argumentOfSegment(segment) === undefined ? segment.replace(/[.~]/g, '\\$&') : '[^/]+',
  );
  return new RegExp(`^/${source.join('/')}$`);
}
