import { type Diagnostic, diagnose } from '../../../base/diagnostics/diagnostic.js';
import { joinAccess, lackingClauses } from '../../graph/access.js';
import type { GqlSchema, GqlUnionType } from '../../schema/gql-schema.js';
import { type ReachedStep, reachOf } from '../reach/reach.js';
import { type Leak, type LeakRule, spanOf, type Ways, wordsOf } from './ways.js';

/** GG3080: a race or a fallback runs a query, or a race serves a value, that its caller may not ask for. */
export const raceLeaks: LeakRule = (schema, ways) => [...ofQueries(schema, ways), ...ofServedValues(schema, ways)];

/** The queries that run for an operation or a field. */
function* ofQueries(schema: GqlSchema, ways: Ways): Iterable<Diagnostic> {
  const reach = reachOf(schema);
  for (const place of ways.places()) {
    for (const { access, steps, open } of reach(place.coordinate)) {
      if (open !== undefined) continue;
      const words = steps.map((step) =>
        step.vent ? `VENT ${step.vent.edge.to}` : `RACE ${sourceOf(schema, step.member)}`,
      );
      const last = steps.at(-1) as ReachedStep;
      const span = last.vent ? last.vent.edge.span : raceSpan(schema, last.race, last.member);
      const edge = steps.some(({ vent }) => vent !== undefined) ? 'its own' : 'the RACE';
      for (const leak of ways.leaks(place, access)) yield finding({ ...leak, span }, edge, ...words);
    }
  }
}

/** The values of branches that are served as the type of an internal race, whose fields may demand less. */
function* ofServedValues(schema: GqlSchema, ways: Ways): Iterable<Diagnostic> {
  const internal = new Map(schema.internal?.objects.map((type) => [type.name, type]));
  for (const race of schema.internal?.races ?? []) {
    const target = ways.typeOf(race.target);
    for (const member of race.members) {
      const branch = internal.get(member) ?? ways.typeOf(member);
      if (target === undefined || branch === undefined || race.open?.[member] !== undefined) continue;
      const span = raceSpan(schema, race, member);
      for (const served of target.fields) {
        const own = branch.fields.find(({ name }) => name === served.name);
        for (const clause of lackingClauses(joinAccess(branch, own ?? {}), target, served)) {
          const way = ways.to(target.name, clause);
          if (way === undefined) continue;
          const steps = [`RACE ${sourceOf(schema, member)}`, `${member}.${served.name}`];
          yield finding({ ...way, lacking: [clause], span }, 'the RACE', ...steps);
        }
      }
    }
  }
}

/** @param edge - The edge that may be opened, for the hint. */
function finding(leak: Leak, edge: string, ...steps: readonly string[]): Diagnostic {
  const { operation, span } = leak;
  return diagnose('GG3080', { operation: operation.name, edge, ...wordsOf(leak, ...steps) }, span, {
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
