import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { joinAccess, lackingClauses, printClause } from '../../graph/access.js';
import { baseName } from '../../graph/type-ref.js';
import { allOperations, type GqlAccess, type GqlProblemType } from '../../schema/gql-schema.js';
import type { LeakRule } from './leak-rule.js';
import { printPath, rootOf, spanOf, type Ways } from './ways.js';

/** GG3085: a declared error has a guarded value. Callers get an error whole: they select nothing of it. */
export const problemLeaks: LeakRule = function* (schema, ways) {
  const problems = new Map(schema.problems?.map((problem) => [problem.name, problem]));
  for (const operation of allOperations(schema)) {
    if (operation.open !== undefined) continue;
    for (const name of operation.throws ?? []) {
      const problem = problems.get(name);
      if (problem === undefined) continue;
      const result = operation.page?.node ?? baseName(operation.type);
      for (const { steps, access } of [...objectsIn(problem, ways), ...copiesIn(problem, result, ways)]) {
        const lacking = lackingClauses(access, operation);
        if (lacking.length === 0) continue;
        const path = printPath([rootOf(operation), operation.name, `throws ${name}`, ...steps], lacking);
        const needs = lacking.map(printClause).join(', ');
        yield diagnose(
          'GG3085',
          { problem: name, operation: operation.name, lacking: needs, path },
          spanOf(operation),
        );
      }
    }
  }
};

/** A place in an error, and what reading its value demands elsewhere. */
interface Place {
  readonly steps: readonly string[];
  readonly access: GqlAccess;
}

/** The guarded fields of the objects in an error, however deep. */
function* objectsIn({ fields }: GqlProblemType, ways: Ways): Iterable<Place> {
  const seen = new Set<string>();
  const waiting = fields.map(({ name, type }) => ({ type: baseName(type), steps: [name] }));
  // Iterating an array also visits the items that are added meanwhile.
  for (const { type, steps } of waiting) {
    for (const object of ways.typesOf(type)) {
      if (seen.has(object.name)) continue;
      seen.add(object.name);
      for (const field of object.fields) {
        const own = [...steps, `${object.name}.${field.name}`];
        const access = joinAccess(object, field);
        if (access.auth === 'required') yield { steps: own, access };
        waiting.push({ type: baseName(field.type), steps: own });
      }
    }
  }
}

/** The fields of an error that are named after a guarded field of the result. */
function* copiesIn({ fields }: GqlProblemType, result: string, ways: Ways): Iterable<Place> {
  for (const type of ways.typesOf(result)) {
    for (const field of type.fields) {
      if (field.auth !== 'required' || !fields.some(({ name }) => name === field.name)) continue;
      yield { steps: [`${field.name} as ${type.name}.${field.name}`], access: field };
    }
  }
}
