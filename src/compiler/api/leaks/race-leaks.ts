import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { type AccessClause, joinAccess, lackingClauses, printClause } from '../../graph/access.js';
import { allOperations, type GqlSchema, type GqlUnionType } from '../../schema/gql-schema.js';
import { operationCoordinate } from '../operation-coordinate.js';
import { type ReachedBranch, reachOf } from '../reach/reach.js';
import type { LeakRule } from './leak-rule.js';
import { printPath, rootOf, spanOf, type Way, type Ways } from './ways.js';

/** GG3080: a race runs a query, or serves a value, that its caller may not ask for. */
export const raceLeaks: LeakRule = (schema, ways) => [
  ...ofOperations(schema),
  ...ofFields(schema, ways),
  ...ofServedValues(schema, ways),
];

/** The queries that run for an operation. */
function* ofOperations(schema: GqlSchema): Iterable<Diagnostic> {
  const reach = reachOf(schema);
  for (const operation of allOperations(schema)) {
    if (operation.open !== undefined) continue;
    for (const { access, races, open } of reach(operationCoordinate(operation))) {
      const lacking = open === undefined ? lackingClauses(access, operation) : [];
      if (lacking.length === 0) continue;
      const way = { operation, steps: [rootOf(operation), operation.name] };
      yield leak(schema, way, races, lacking);
    }
  }
}

/** The queries that run for a field of an object. */
function* ofFields(schema: GqlSchema, ways: Ways): Iterable<Diagnostic> {
  const reach = reachOf(schema);
  for (const type of schema.objects) {
    for (const field of type.fields) {
      const coordinate = `${type.name}.${field.name}`;
      for (const { access, races, open } of reach(coordinate)) {
        const clauses = open === undefined ? lackingClauses(access, type, field) : [];
        for (const clause of clauses) {
          const way = ways.to(type.name, clause);
          if (way === undefined) continue;
          yield leak(schema, { ...way, steps: [...way.steps, coordinate] }, races, [clause]);
        }
      }
    }
  }
}

/** The values of branches that are served as the type of an internal race, whose fields may demand less. */
function* ofServedValues(schema: GqlSchema, ways: Ways): Iterable<Diagnostic> {
  const internal = new Map(schema.internal?.objects.map((type) => [type.name, type]));
  for (const race of schema.internal?.races ?? []) {
    const target = ways.types.get(race.target);
    for (const member of race.members) {
      const branch = internal.get(member) ?? ways.types.get(member);
      if (target === undefined || branch === undefined || race.open?.[member] !== undefined) continue;
      for (const served of target.fields) {
        const own = branch.fields.find(({ name }) => name === served.name);
        const wanted = joinAccess(branch, own ?? {});
        for (const clause of lackingClauses(wanted, target, served)) {
          const way = ways.to(target.name, clause);
          if (way === undefined) continue;
          const steps = [...way.steps, `RACE ${sourceOf(schema, member)}`, `${member}.${served.name}`];
          yield finding(way, steps, [clause], raceSpan(schema, race, member));
        }
      }
    }
  }
}

function leak(
  schema: GqlSchema,
  way: Way,
  races: readonly ReachedBranch[],
  lacking: readonly AccessClause[],
): Diagnostic {
  const steps = races.map(({ member }) => `RACE ${sourceOf(schema, member)}`);
  const { race, member } = races.at(-1) as ReachedBranch;
  return finding(way, [...way.steps, ...steps], lacking, raceSpan(schema, race, member));
}

function finding(
  { operation }: Way,
  steps: readonly string[],
  lacking: readonly AccessClause[],
  span: Diagnostic['span'],
): Diagnostic {
  const path = printPath(steps, lacking);
  const params = { operation: operation.name, lacking: lacking.map(printClause).join(', '), path };
  return diagnose('GG3080', params, span, {
    labels: [{ span: spanOf(operation), message: `${operation.name} does not demand it` }],
  });
}

/** The node that a member of a race is made of, as the topology names it. */
function sourceOf({ objects, internal }: GqlSchema, member: string): string {
  const type = [...objects, ...(internal?.objects ?? [])].find(({ name }) => name === member);
  return type?.node?.id ?? member;
}

function raceSpan(schema: GqlSchema, race: GqlUnionType, member: string): Diagnostic['span'] {
  const source = sourceOf(schema, member);
  const edge = race.edges.find(({ from }) => from.includes(source));
  return edge?.span ?? spanOf(race);
}
