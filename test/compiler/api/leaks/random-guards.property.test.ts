import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLeaks } from '../../../../src/compiler/api/leaks/find-leaks.js';
import { baseName, nullable, type TypeRef } from '../../../../src/compiler/graph/type-ref.js';
import {
  allOperations,
  type GqlAccess,
  type GqlObjectType,
  type GqlSchema,
} from '../../../../src/compiler/schema/gql-schema.js';
import { withInternal } from '../../../../src/compiler/schema/schema-index.js';
import { runs } from '../../../arbitraries/runs.js';
import { project } from '../../schema/check.js';

/** Whom a place lets in, as an edge and as tags say it. */
const guards = [
  { setting: '', tag: '' },
  { setting: "auth: 'optional'", tag: '@auth optional' },
  { setting: "auth: 'required'", tag: '@auth required' },
  { setting: "scopes: ['a']", tag: '@scopes a' },
  { setting: "scopes: ['a', 'b']", tag: '@scopes a b' },
  { setting: "anyScope: ['a', 'b']", tag: '@anyScope a b' },
  { setting: "roles: ['r']", tag: '@roles r' },
  { setting: "roles: ['r', 's']", tag: '@roles r s' },
] as const;
const guard = fc.oneof({ weight: 2, arbitrary: fc.constant(guards[0]) }, fc.constantFrom(...guards));
const count = 5;
const some = fc.nat(count - 1);

const topology = fc
  .record({
    nodes: fc.array(
      fc.record({
        isInternal: fc.nat(2).map((drawn) => drawn === 0),
        type: fc.oneof({ weight: 4, arbitrary: fc.constant(guards[0]) }, guard),
        value: guard,
        next: fc.option(fc.record({ to: some, guard, isList: fc.boolean() }), { nil: undefined }),
        query: guard,
        isQueried: fc.boolean(),
        open: fc.nat(7).map((drawn) => drawn === 0),
      }),
      { minLength: count, maxLength: count },
    ),
    races: fc.array(fc.record({ from: some, to: some, isOpen: fc.nat(5).map((drawn) => drawn === 0) }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(({ nodes, races }) => {
    const lines = nodes.map(({ isInternal, type, value, next, query, isQueried, open }, at) => {
      const to = next === undefined || nodes[next.to]?.isInternal === true ? undefined : `N${next.to}`;
      const field = next?.isList === true ? `[${to}!]` : to;
      const node = [
        ...(type.tag === '' ? [] : [`/// ${type.tag}`]),
        `(n${at} {${isInternal ? ' internal: true,' : ''}`,
        '  id: ID!,',
        ...(value.tag === '' ? [] : [`  /// ${value.tag}`]),
        '  value: Int,',
        ...(to === undefined || next === undefined || next.guard.tag === '' ? [] : [`  /// ${next.guard.tag}`]),
        ...(to === undefined || isInternal ? [] : [`  next: ${field},`]),
        '})',
      ];
      const settings = ['id: ID', query.setting, open ? "open: 'known'" : ''].filter((text) => text !== '');
      const edge = `(root)-[:PROCESS { ${settings.join(', ')} }]->(n${at})`;
      return [...node, ...(isQueried ? [edge] : [])].join('\n');
    });
    const edges = races.map(
      ({ from, to, isOpen }) => `(n${from})-[:RACE${isOpen ? " { open: 'known' }" : ''}]->(n${to})`,
    );
    return [...lines, '(root)-[:PROCESS { operation: "nothing", returns: Int }]->(n0)', ...edges].join('\n');
  });

/** A caller; null is one without credentials. */
type Caller = { readonly scopes: readonly string[]; readonly roles: readonly string[] } | null;

const subsets = (names: readonly string[]): string[][] =>
  names.reduce<string[][]>((before, name) => before.flatMap((set) => [set, [...set, name]]), [[]]);
const callers: readonly Caller[] = [
  null,
  ...subsets(['a', 'b']).flatMap((scopes) => subsets(['r', 's']).map((roles) => ({ scopes, roles }))),
];

/** Whether a caller may use a place, word by word. */
function isLetIn(caller: Caller, access: GqlAccess): boolean {
  if (access.auth !== 'required') return true;
  if (caller === null) return false;
  return (
    (access.scopes ?? []).every((scope) => caller.scopes.includes(scope)) &&
    (access.anyScope?.some((scope) => caller.scopes.includes(scope)) ?? true) &&
    (access.roles?.some((role) => caller.roles.includes(role)) ?? true) &&
    (access.further ?? []).every((one) => isLetIn(caller, one))
  );
}

/** Runs calls as a server without resolvers does, and says whether a caller gets what it may not ask for. */
function leaksAtRunTime(schema: GqlSchema): boolean {
  const whole = withInternal(schema);
  const types = new Map(whole.objects.map((type) => [type.name, type]));
  const races = new Map(whole.unions.map((race) => [race.name, race]));
  const internal = new Map(schema.internal?.races.map((race) => [race.target, race]));
  const single = (type: TypeRef) => (nullable(type).kind === 'list' ? undefined : baseName(type));
  const queryOf = (member: string) => whole.queries.find(({ type }) => single(type) === member);

  /** Whether resolving a type by default runs a query that the caller may not name. */
  const runsForeign = (caller: Caller, type: string | undefined, seen: ReadonlySet<string>): boolean => {
    const race = type === undefined ? undefined : (internal.get(type) ?? races.get(type));
    return (race?.members ?? []).some((member) => {
      const query = queryOf(member);
      if (query === undefined || seen.has(`${query.name} ${type}`) || race?.open?.[member] !== undefined) return false;
      if (!isLetIn(caller, query)) return true;
      return (
        query.open === undefined && runsForeign(caller, single(query.type), new Set([...seen, `${query.name} ${type}`]))
      );
    });
  };
  /** Whether a field of the race's target gives the value of a branch that the caller may not read. */
  const servesForeign = (caller: Caller, type: GqlObjectType, name: string): boolean => {
    const race = internal.get(type.name);
    return (race?.members ?? []).some((member) => {
      const branch = types.get(member);
      const field = branch?.fields.find((one) => one.name === name);
      const isOpen = race?.open?.[member] !== undefined;
      return !isOpen && branch !== undefined && !(isLetIn(caller, branch) && isLetIn(caller, field ?? {}));
    });
  };
  const selects = (caller: Caller, name: string, seen: Set<string>): boolean => {
    const union = schema.unions.find((one) => one.name === name);
    return (union?.members ?? [name]).some((member) => {
      const type = types.get(member);
      if (type === undefined || seen.has(member) || !isLetIn(caller, type)) return false;
      seen.add(member);
      return type.fields.some(
        (field) =>
          isLetIn(caller, field) &&
          (servesForeign(caller, type, field.name) ||
            runsForeign(caller, single(field.type), new Set()) ||
            selects(caller, baseName(field.type), seen)),
      );
    });
  };
  return callers.some((caller) =>
    allOperations(schema).some(
      (operation) =>
        operation.open === undefined &&
        isLetIn(caller, operation) &&
        (runsForeign(caller, single(operation.type), new Set([])) ||
          selects(caller, baseName(operation.type), new Set())),
    ),
  );
}

describe('random topologies with guards and races', () => {
  it('are rejected exactly if a caller would get a value that it may not request', () => {
    let [refused, accepted] = [0, 0];
    fc.assert(
      fc.property(topology, (text) => {
        const { schema, diagnostics } = project(text);
        fc.pre(!diagnostics.some(({ severity }) => severity === 'error'));
        const leaks = findLeaks(schema);
        if (leaks.length > 0) refused += 1;
        else accepted += 1;
        expect([text, leaks.length > 0]).toEqual([text, leaksAtRunTime(schema)]);
      }),
      { numRuns: runs(3000), maxSkipsPerRun: 50 },
    );
    // Otherwise the topologies would show nothing.
    expect(Math.min(refused, accepted)).toBeGreaterThan(runs(150));
  });
});
