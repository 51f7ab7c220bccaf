import type { CallCount } from '../call/call.js';
import { errorOfProblem } from '../call/error-of-problem.js';
import { ProblemError } from '../call/problem.js';
import type { CountedClient, Rates } from './rate-limits.js';

export function countCalls(rates: Rates): CallCount {
  return ({ reach }, source) => {
    if (reach === undefined || source.prepaid === Number.POSITIVE_INFINITY) return undefined;
    const isFurther = source.prepaid === 0;
    if (!isFurther) source.prepaid -= 1;
    const { called, raced } = reach;
    const operations = raced.length === 0 ? called : [...called, ...raced.map(({ name }) => name)];
    // Exchanges and messages are counted clients.
    const counted = rates.countCalls(source as unknown as CountedClient, operations, isFurther ? 1 : 0);
    return counted?.catch((error: unknown) => {
      if (error instanceof ProblemError) return errorOfProblem(error.problem);
      throw error;
    });
  };
}
