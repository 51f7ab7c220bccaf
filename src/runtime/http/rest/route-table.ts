import { argumentOfSegment, segmentsOf } from '../../../compiler/schema/route-path.js';
import type { Resource } from '../exchange.js';
import type { Resources } from '../steps.js';

/** The continuation of a segment: the values of paths that end here, and the segments that may be next. */
interface Place<Value> {
  value: Value | undefined;
  readonly literals: Map<string, Place<Value>>;
  /** Stands for any segment that is not empty. */
  argument: Place<Value> | undefined;
}

/**
 * Values by paths with arguments: `/api/users/{id}`. A request takes a look-up for each of its segments, whatever the
 * number of paths; where a literal leads to no path, the argument in its place is tried. So a more specific path wins:
 * two paths that match one request, each more specific in some place, are an error of the topology.
 */
export class PathTree<Value> {
  readonly #root: Place<Value> = newPlace();

  set(path: string, value: Value): void {
    let place = this.#root;
    for (const segment of segmentsOf(path)) {
      if (argumentOfSegment(segment) !== undefined) {
        place.argument ??= newPlace();
        place = place.argument;
        continue;
      }
      const next: Place<Value> = place.literals.get(segment) ?? newPlace();
      place.literals.set(segment, next);
      place = next;
    }
    place.value = value;
  }

  /** The value of the path of a request. Percent-encoded characters are not literals (RFC 3986, section 2.4). */
  get(path: string): Value | undefined {
    return path.startsWith('/') ? find(this.#root, path, 1) : undefined;
  }
}

function newPlace<Value>(): Place<Value> {
  return { value: undefined, literals: new Map(), argument: undefined };
}

function find<Value>(place: Place<Value>, path: string, start: number): Value | undefined {
  if (start > path.length) return place.value;
  const slash = path.indexOf('/', start);
  const end = slash === -1 ? path.length : slash;
  if (place.literals.size > 0) {
    const next = place.literals.get(path.slice(start, end));
    const found = next && find(next, path, end + 1);
    if (found !== undefined) return found;
  }
  return place.argument === undefined || end === start ? undefined : find(place.argument, path, end + 1);
}

/** Resources by their literal path, then by paths with arguments. */
export class RouteTable implements Resources {
  readonly #literal = new Map<string, Resource>();
  readonly #open = new PathTree<Resource>();

  constructor(resources: Iterable<readonly [path: string, Resource]>) {
    for (const [path, resource] of resources) {
      resource.path = path;
      (path.includes('{') ? this.#open : this.#literal).set(path, resource);
    }
  }

  get(path: string): Resource | undefined {
    return this.#literal.get(path) ?? this.#open.get(path);
  }

  paths(): Iterable<string> {
    return this.#literal.keys();
  }
}
