import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { joinAccess } from '../../graph/access.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlAccess, GqlProblemType } from '../../schema/gql-schema.js';
import { type LeakRule, type Ways, wordsOf } from './ways.js';

/** GG3085: a declared error has a guarded value. Callers get an error whole: they select nothing of it. */
export const problemLeaks: LeakRule = function* (schema, ways) {
  const problems = new Map(schema.problems?.map((problem) => [problem.name, problem]));
  for (const place of ways.places()) {
    const { owner, member, result } = place;
    for (const name of owner === undefined ? (member.throws ?? []) : []) {
      const problem = problems.get(name);
      if (problem === undefined) continue;
      for (const { steps, access } of [...objectsIn(problem, ways), ...copiesIn(problem, result, ways)]) {
        for (const leak of ways.leaks(place, access)) {
          const words = wordsOf(leak, `throws ${name}`, ...steps);
          yield diagnose('GG3085', { problem: name, operation: member.name, ...words }, leak.span);
        }
      }
    }
  }
};

/** A value in an error, and what reading it demands elsewhere. */
interface Guarded {
  readonly steps: readonly string[];
  readonly access: GqlAccess;
}

/** The guarded fields of the objects in an error, however deep. */
function* objectsIn({ fields }: GqlProblemType, ways: Ways): Iterable<Guarded> {
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
function* copiesIn({ fields }: GqlProblemType, result: string, ways: Ways): Iterable<Guarded> {
  for (const type of ways.typesOf(result)) {
    for (const field of type.fields) {
      if (field.auth !== 'required' || !fields.some(({ name }) => name === field.name)) continue;
      yield { steps: [`${field.name} as ${type.name}.${field.name}`], access: field };
    }
  }
}
