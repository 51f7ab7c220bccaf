import { comparePrecedence, matchSegment, segmentsOf, shapeOf, textsOf } from '../../../compiler/schema/route-path.js';
import type { Resource } from '../exchange.js';
import type { Resources } from '../steps.js';

/** The continuation of a segment: the values of paths that end here, and the segments that may be next. */
interface Place<Value> {
  value: Value | undefined;
  readonly literals: Map<string, Place<Value>>;
  /** Segments with texts and arguments, in their precedence. */
  readonly mixed: MixedSegment<Value>[];
  /** Stands for any segment that is not empty. */
  argument: Place<Value> | undefined;
}

interface MixedSegment<Value> {
  readonly shape: string;
  readonly texts: readonly string[];
  readonly place: Place<Value>;
}

/**
 * Values by paths with arguments: `/api/users/{id}`. A request takes a look-up for each of its segments, whatever the
 * number of paths; where a literal leads to no path, the segments with arguments in its place are tried, as
 * `comparePrecedence` orders them. Each place is tried at most once.
 */
export class PathTree<Value> {
  readonly #root: Place<Value> = newPlace();

  set(path: string, value: Value): void {
    let place = this.#root;
    for (const segment of segmentsOf(path)) place = nextPlace(place, segment);
    place.value = value;
  }

  /**
   * The value of the path of a request. Percent-encoded characters are not literals (RFC 3986, section 2.4).
   *
   * @param accepts - Whether a value is the wanted one. Default: the first is.
   */
  get(path: string, accepts?: (value: Value) => boolean): Value | undefined {
    return path.startsWith('/') ? find(this.#root, path, 1, accepts) : undefined;
  }
}

function newPlace<Value>(): Place<Value> {
  return { value: undefined, literals: new Map(), mixed: [], argument: undefined };
}

function nextPlace<Value>(place: Place<Value>, segment: string): Place<Value> {
  const shape = shapeOf(segment);
  if (shape === '{}') {
    place.argument ??= newPlace();
    return place.argument;
  }
  const known = shape === segment ? place.literals.get(segment) : place.mixed.find((one) => one.shape === shape)?.place;
  if (known !== undefined) return known;
  const next = newPlace<Value>();
  if (shape === segment) place.literals.set(segment, next);
  else {
    place.mixed.push({ shape, texts: textsOf(segment), place: next });
    place.mixed.sort((one, other) => comparePrecedence(`/${one.shape}`, `/${other.shape}`));
  }
  return next;
}

function find<Value>(
  place: Place<Value>,
  path: string,
  start: number,
  accepts: ((value: Value) => boolean) | undefined,
): Value | undefined {
  if (start > path.length) {
    const { value } = place;
    return value === undefined || accepts === undefined || accepts(value) ? value : undefined;
  }
  const slash = path.indexOf('/', start);
  const end = slash === -1 ? path.length : slash;
  if (place.literals.size > 0) {
    const next = place.literals.get(path.slice(start, end));
    const found = next && find(next, path, end + 1, accepts);
    if (found !== undefined) return found;
  }
  if (place.mixed.length > 0) {
    const segment = path.slice(start, end);
    for (const { texts, place: next } of place.mixed) {
      const found = matchSegment(texts, segment) && find(next, path, end + 1, accepts);
      if (found !== undefined) return found;
    }
  }
  return place.argument === undefined || end === start ? undefined : find(place.argument, path, end + 1, accepts);
}

/** Resources by their literal path, then by paths with arguments. */
export class RouteTable implements Resources {
  readonly #literal = new Map<string, Resource>();
  readonly #open = new PathTree<Resource>();

  constructor(resources: Iterable<readonly [path: string, Resource]>) {
    for (const [path, resource] of resources) {
      resource.path = path;
      if (path.includes('{')) this.#open.set(path, resource);
      else this.#literal.set(path, resource);
    }
  }

  get(path: string, method?: string): Resource | undefined {
    const first = this.#literal.get(path) ?? this.#open.get(path);
    if (method === undefined || first?.isShared !== true || first.routes.get(method) !== undefined) return first;
    return this.#withMethod(path, method, first);
  }

  paths(): Iterable<string> {
    return this.#literal.keys();
  }

  /** The first resource with a method; if there is none, the first of all, with the methods of each. */
  #withMethod(path: string, method: string, first: Resource): Resource {
    const allowed = new Set<string>();
    const allow = (resource: Resource): boolean => {
      for (const name of resource.allow.split(', ')) allowed.add(name);
      return resource.routes.get(method) !== undefined;
    };
    allow(first);
    const found = this.#open.get(path, allow);
    // OPTIONS is the last of each list.
    allowed.delete('OPTIONS');
    return found ?? { ...first, allow: [...allowed, 'OPTIONS'].join(', ') };
  }
}
