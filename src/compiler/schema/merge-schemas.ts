import { type Diagnostic, diagnose, type Outcome } from '../../base/diagnostics/diagnostic.js';
import type { Span } from '../../base/source/span.js';
import { type GqlSchema, securityOf } from './gql-schema.js';
import { routeText } from './route-path.js';

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
  const diagnostics: Diagnostic[] = [];
  checkRoutes(base, layer, diagnostics);
  // A layer may declare a scalar with the name of a standard one, which then has its implementation.
  const declared = new Set(layer.scalars?.map(({ name }) => name));
  const scalars = base.scalars.filter(({ name, standard }) => standard !== true || !declared.has(name));
  const own: GqlSchema = { ...base, scalars };
  const taken = { type: new Map(), query: new Map(), mutation: new Map(), subscription: new Map() };
  for (const [list, what] of lists) for (const thing of own[list] ?? []) taken[what].set(thing.name, thing);
  const joined = lists.flatMap(([list, what]) => {
    const added = layer[list]?.filter((thing) => isFree(thing, what, taken[what], diagnostics));
    return added === undefined ? [] : [[list, [...(own[list] ?? []), ...added]]];
  });
  const schema: GqlSchema = {
    ...own,
    ...Object.fromEntries(joined),
    ...(base.security === undefined && layer.security !== undefined && { security: layer.security }),
    ...(layer.io !== undefined && { io: [...(base.io ?? []), ...layer.io] }),
  };
  return { value: schema.security === undefined ? { ...schema, ...securityOf(schema) } : schema, diagnostics };
}

/** The lists of a schema with what they hold: of one kind, each name must be unique. */
const lists = [
  ['objects', 'type'],
  ['inputs', 'type'],
  ['enums', 'type'],
  ['scalars', 'type'],
  ['unions', 'type'],
  ['queries', 'query'],
  ['mutations', 'mutation'],
  ['subscriptions', 'subscription'],
  ['interfaces', 'type'],
  ['problems', 'type'],
] as const;

interface NamedThing {
  readonly name: string;
  /** The object type that an input mirrors. */
  readonly of?: string | undefined;
  readonly node?: { readonly span: Span } | undefined;
  readonly edges?: readonly { readonly span: Span }[];
}

function checkRoutes(base: GqlSchema, layer: SchemaFragment, diagnostics: Diagnostic[]): void {
  const added = [...(layer.queries ?? []), ...(layer.mutations ?? [])];
  const taken = new Map(added.map((operation) => [routeText(operation), operation.name]));
  for (const operation of [...base.queries, ...base.mutations]) {
    if (operation.route === undefined) continue;
    const route = routeText(operation);
    const name = taken.get(route);
    const [origin] = operation.edges;
    if (name === undefined || origin === undefined) continue;
    diagnostics.push(diagnose('GG3039', { route, taken: `the default route of ${name}` }, origin.span));
  }
}

function isFree(
  { name, of }: NamedThing,
  what: string,
  things: ReadonlyMap<string, NamedThing>,
  diagnostics: Diagnostic[],
): boolean {
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
  diagnostics.push(diagnose('GG3018', { name: `${what} ${name}` }, origin.span));
  return false;
}
