import type { Diagnostic } from '../../../base/diagnostics/diagnostic.js';
import { type Span, wholeFile } from '../../../base/source/span.js';
import {
  type Access,
  type AccessClause,
  clauseImplies,
  clausesOf,
  lackingClauses,
  printClause,
} from '../../graph/access.js';
import { remember } from '../../graph/maps.js';
import { baseName } from '../../graph/type-ref.js';
import {
  allOperations,
  type GqlField,
  type GqlObjectType,
  type GqlOperation,
  type GqlSchema,
} from '../../schema/gql-schema.js';
import { indexSchema, memberNames } from '../../schema/schema-index.js';
import { operationCoordinate } from '../operation-coordinate.js';

/**
 * One shape of leak: a guarded value that reaches callers who do not meet its access, although everything that they
 * name and select was checked. Its findings are errors.
 *
 * To add a shape: one file in this folder, one line in `find-leaks.ts`, a diagnostic, and a section in docs/leaks.md.
 */
export type LeakRule = (schema: GqlSchema, ways: Ways) => Iterable<Diagnostic>;

/** A place that callers name: an operation that is not open, or a field of an object type. */
export type Place = {
  readonly coordinate: string;
  /** The name of the type of its values; of pages, that of their items. */
  readonly result: string;
} & (
  | { readonly member: GqlOperation; readonly owner?: undefined }
  | { readonly member: GqlField; readonly owner: GqlObjectType }
);

/** How callers that do not meet a clause get to a type: the operation that they call, and the fields that they select. */
export interface Way {
  readonly operation: GqlOperation;
  /** `root`, the operation and the fields: `['root', 'found', 'Found.best']`. */
  readonly steps: readonly string[];
}

/** A way to a place for callers that do not meet all that its values demand. */
export interface Leak extends Way {
  readonly lacking: readonly AccessClause[];
  readonly span: Span;
}

/** The ways through the API for callers that do not meet a clause. */
export class Ways {
  /** For each clause, the shortest way to each type. */
  readonly #ways = new Map<string, ReadonlyMap<string, Way>>();

  constructor(private readonly schema: GqlSchema) {}

  /** The operations that are not open, then the fields. What an open operation gives away is meant. */
  *places(): Iterable<Place> {
    const resultOf = ({ page, type }: GqlOperation | GqlField) => page?.node ?? baseName(type);
    for (const member of allOperations(this.schema)) {
      if (member.open !== undefined) continue;
      yield { coordinate: operationCoordinate(member), result: resultOf(member), member };
    }
    for (const owner of this.schema.objects) {
      for (const member of owner.fields)
        yield { coordinate: `${owner.name}.${member.name}`, result: resultOf(member), member, owner };
    }
  }

  /** The leaks of values at a place that demand an access, beyond what the place and the held access demand. */
  *leaks({ coordinate, member, owner }: Place, wanted: Access, ...held: readonly Access[]): Iterable<Leak> {
    if (owner === undefined) {
      const lacking = lackingClauses(wanted, member, ...held);
      if (lacking.length > 0) yield { ...startOf(member), lacking, span: spanOf(member) };
      return;
    }
    for (const clause of lackingClauses(wanted, owner, member, ...held)) {
      const way = this.to(owner.name, clause);
      if (way === undefined) continue;
      const span = member.span ?? spanOf(way.operation);
      yield { operation: way.operation, steps: [...way.steps, coordinate], lacking: [clause], span };
    }
  }

  /** The object types and interfaces that values of a type have. */
  typesOf(name: string): readonly GqlObjectType[] {
    const found = indexSchema(this.schema).types.get(name);
    const names = found === undefined ? [] : [name, ...memberNames(found)];
    return names.flatMap((one) => this.typeOf(one) ?? []);
  }

  typeOf(name: string): GqlObjectType | undefined {
    const found = indexSchema(this.schema).types.get(name);
    return found?.kind === 'object' || found?.kind === 'interface' ? found.type : undefined;
  }

  /** A shortest way to a type on which nothing demands a clause; undefined if there is none. */
  to(type: string, clause: AccessClause): Way | undefined {
    const found = remember(this.#ways, printClause(clause), () => this.#findAll(clause));
    return found.get(type);
  }

  #findAll(clause: AccessClause): ReadonlyMap<string, Way> {
    const ways = new Map<string, Way>();
    const enter = (name: string, way: Way): void => {
      for (const type of this.typesOf(name))
        if (!ways.has(type.name) && !demands(type, clause)) ways.set(type.name, way);
    };
    for (const operation of allOperations(this.schema)) {
      if (operation.open !== undefined || demands(operation, clause)) continue;
      enter(baseName(operation.type), startOf(operation));
    }
    // Iterating a map also visits the entries that are added meanwhile.
    for (const [name, { operation, steps }] of ways) {
      for (const field of this.typeOf(name)?.fields ?? []) {
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

/** The way to an operation: from `root`. */
export function startOf(operation: GqlOperation): Way {
  const { edges, kind, name } = operation;
  return { operation, steps: [edges[0]?.from.join(' | ') ?? kind, name] };
}

/** The place of an operation of a topology; that of a layer has none. */
export function spanOf({ edges }: Pick<GqlOperation, 'edges'>): Span {
  return edges[0]?.span ?? wholeFile('layers');
}

/** The words of a finding: what callers lack, and its path with further steps: `root → found → RACE fast (vault:read)`. */
export function wordsOf(
  { steps, lacking: clauses }: Pick<Leak, 'steps' | 'lacking'>,
  ...more: readonly string[]
): { readonly lacking: string; readonly path: string } {
  const lacking = clauses.map(printClause).join(', ');
  return { lacking, path: `${[...steps, ...more].join(' → ')} (${lacking})` };
}
