import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import type { Outcome } from '../../base/diagnostics/outcome.js';
import type { Span } from '../../base/source/span.js';
import type { GqlOperation, GqlSchema } from './gql-schema.js';
import { routeOf } from './route-path.js';
import { securityOf } from './security.js';

/** A schema fragment that joins the projection of a topology: any of the lists of a schema. */
export type SchemaFragment = Partial<Omit<GqlSchema, 'kind' | 'sources'>>;

/**
 * Joins a layer to a schema: the lists of the layer follow those of the base. A type or operation of
 * the base that has a name of the layer is an error at its node or edge (GG3018); the base's one stays. A route of the
 * base that the layer has, too, is an error (GG3039).
 *
 * @throws {TypeError} When two layers use the same name.
 */
export function mergeSchemas(base: GqlSchema, layer: SchemaFragment): Outcome<GqlSchema> {
  const merge = new Merge();
  // A layer may declare a scalar with the name of a standard one, which then has its implementation.
  const declared = new Set(layer.scalars?.map(({ name }) => name));
  const scalars = base.scalars.filter(({ name, standard }) => standard !== true || !declared.has(name));
  const { interfaces = [], problems = [] } = base;
  const types = merge.namesOf('type', [
    base.objects,
    interfaces,
    problems,
    base.inputs,
    base.enums,
    scalars,
    base.unions,
  ]);
  const queries = merge.namesOf('query', [base.queries]);
  const mutations = merge.namesOf('mutation', [base.mutations]);
  const subscriptions = merge.namesOf('subscription', [base.subscriptions]);
  merge.checkRoutes(
    [...base.queries, ...base.mutations],
    [...(layer.queries ?? []), ...(layer.mutations ?? [])],
  );
  const schema: GqlSchema = {
    ...base,
    objects: merge.join(base.objects, layer.objects, types),
    inputs: merge.join(base.inputs, layer.inputs, types),
    enums: merge.join(base.enums, layer.enums, types),
    scalars: merge.join(scalars, layer.scalars, types),
    unions: merge.join(base.unions, layer.unions, types),
    queries: merge.join(base.queries, layer.queries, queries),
    mutations: merge.join(base.mutations, layer.mutations, mutations),
    subscriptions: merge.join(base.subscriptions, layer.subscriptions, subscriptions),
    ...(layer.interfaces === undefined
      ? {}
      : { interfaces: merge.join(interfaces, layer.interfaces, types) }),
    ...(layer.problems === undefined ? {} : { problems: merge.join(problems, layer.problems, types) }),
    ...(base.security === undefined && layer.security !== undefined ? { security: layer.security } : {}),
    ...(layer.io === undefined ? {} : { io: [...(base.io ?? []), ...layer.io] }),
  };
  return {
    value: schema.security === undefined ? { ...schema, ...securityOf(schema) } : schema,
    diagnostics: merge.diagnostics,
  };
}

interface NamedThing {
  readonly name: string;
  /** The object type that an input mirrors. */
  readonly of?: string | undefined;
  readonly node?: { readonly span: Span } | undefined;
  readonly edges?: readonly { readonly span: Span }[];
}

/** A namespace, in which each name must be unique. */
interface NameSpace {
  readonly what: string;
  readonly things: ReadonlyMap<string, NamedThing>;
}

class Merge {
  readonly diagnostics: Diagnostic[] = [];

  namesOf(what: string, lists: readonly (readonly NamedThing[])[]): NameSpace {
    return { what, things: new Map(lists.flat().map((thing) => [thing.name, thing])) };
  }

  join<T extends NamedThing>(
    base: readonly T[],
    layer: readonly T[] | undefined,
    names: NameSpace,
  ): readonly T[] {
    return layer === undefined ? base : base.concat(layer.filter((thing) => this.#isFree(thing, names)));
  }

  checkRoutes(base: readonly GqlOperation[], layer: readonly GqlOperation[]): void {
    const own = base.filter(({ route }) => route !== undefined);
    if (own.length === 0) return;
    const taken = new Map(layer.map((operation) => [routeText(operation), operation.name]));
    for (const operation of own) {
      const route = routeText(operation);
      const name = taken.get(route);
      const [origin] = operation.edges;
      if (name === undefined || origin === undefined) continue;
      this.diagnostics.push(
        diagnose('GG3039', { route, taken: `the default route of ${name}` }, origin.span),
      );
    }
  }

  #isFree({ name, of }: NamedThing, { what, things }: NameSpace): boolean {
    const taken = things.get(name);
    if (taken === undefined) return true;
    // If the object types clash, so do their inputs; this was reported already.
    if (of !== undefined && of === taken.of) return false;
    const origin = taken.node ?? taken.edges?.[0] ?? (taken.of && things.get(taken.of)?.node);
    if (!origin) {
      const hint = 'Rename it in one of them, or remove a layer';
      throw new TypeError(
        `Two layers have a ${what} called ${name}. ${hint} (federation: false removes the federation layer).`,
      );
    }
    this.diagnostics.push(diagnose('GG3018', { name: `${what} ${name}` }, origin.span));
    return false;
  }
}

function routeText(operation: GqlOperation): string {
  const { method, path } = routeOf(operation);
  return `${method} ${path}`;
}
