import { type Span, wholeFile } from '../../../base/source/span.js';
import { type Access, type AccessClause, clauseImplies, clausesOf, printClause } from '../../graph/access.js';
import { appendTo, remember } from '../../graph/maps.js';
import { baseName } from '../../graph/type-ref.js';
import {
  allOperations,
  type GqlObjectType,
  type GqlOperation,
  type GqlSchema,
} from '../../schema/gql-schema.js';

/** How callers that do not meet a clause get to a type: the operation that they call, and the fields that they select. */
export interface Way {
  readonly operation: GqlOperation;
  /** `root`, the operation and the fields: `['root', 'found', 'Found.best']`. */
  readonly steps: readonly string[];
}

/** The ways through the API for callers that do not meet a clause. */
export class Ways {
  /** The object types and interfaces by name. */
  readonly types: ReadonlyMap<string, GqlObjectType>;
  readonly #schema: GqlSchema;
  /** The types of which a value of a type has one, for unions and interfaces. */
  readonly #members = new Map<string, string[]>();
  /** For each clause, the shortest way to each type. */
  readonly #ways = new Map<string, ReadonlyMap<string, Way>>();

  constructor(schema: GqlSchema) {
    const { objects, interfaces = [], unions } = schema;
    this.#schema = schema;
    this.types = new Map([...interfaces, ...objects].map((type) => [type.name, type]));
    for (const { name, members } of unions) this.#members.set(name, [...members]);
    for (const { name, interfaces: own = [] } of objects) {
      for (const one of own) appendTo(this.#members, one, name);
    }
  }

  /** The object types and interfaces that values of a type have. */
  typesOf(name: string): readonly GqlObjectType[] {
    const names = [name, ...(this.#members.get(name) ?? [])];
    return names.flatMap((one) => this.types.get(one) ?? []);
  }

  /** A shortest way to a type on which nothing demands a clause; undefined if there is none. */
  to(type: string, clause: AccessClause): Way | undefined {
    const found = remember(this.#ways, printClause(clause), () => this.#findAll(clause));
    return found.get(type);
  }

  #findAll(clause: AccessClause): ReadonlyMap<string, Way> {
    const ways = new Map<string, Way>();
    const enter = (name: string, way: Way): void => {
      for (const type of this.typesOf(name)) {
        if (!ways.has(type.name) && !demands(type, clause)) ways.set(type.name, way);
      }
    };
    for (const operation of allOperations(this.#schema)) {
      // What an operation that is open gives away is meant.
      if (operation.open !== undefined || demands(operation, clause)) continue;
      enter(baseName(operation.type), { operation, steps: [rootOf(operation), operation.name] });
    }
    // Iterating a map also visits the entries that are added meanwhile.
    for (const [name, { operation, steps }] of ways) {
      for (const field of this.types.get(name)?.fields ?? []) {
        if (demands(field, clause)) continue;
        enter(baseName(field.type), { operation, steps: [...steps, `${name}.${field.name}`] });
      }
    }
    return ways;
  }
}

/** Whether everybody who gets past a place meets a clause. */
export function demands(place: Access, clause: AccessClause): boolean {
  return clausesOf(place).some((held) => clauseImplies(held, clause));
}

/** Where an operation begins: `root`. */
export function rootOf({ edges, kind }: GqlOperation): string {
  return edges[0]?.from.join(' | ') ?? kind;
}

/** The place of an operation of a topology; that of a layer has none. */
export function spanOf({ edges }: Pick<GqlOperation, 'edges'>): Span {
  return edges[0]?.span ?? wholeFile('layers');
}

/** `root → found → RACE fast (vault:read)`. */
export function printPath(steps: readonly string[], lacking: readonly AccessClause[]): string {
  return `${steps.join(' → ')} (${lacking.map(printClause).join(', ')})`;
}
