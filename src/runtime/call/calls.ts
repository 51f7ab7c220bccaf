import { type ExecutionResult, GraphQLError } from 'graphql';
import { formatCheck } from '../../base/json-schema/formats.js';
import { isTracing } from '../../base/tracing/svc-tracing.js';
import { type MaybePromise, proceed } from '../../base/values/maybe-promise.js';
import { type ArgumentCheck, createArgumentChecks, type Violation } from '../../compiler/api/argument-checks.js';
import { operationCoordinate, rootTypeOf } from '../../compiler/api/operation-coordinate.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { PrintedResult } from '../execute/compiled/printed-result.js';
import { argumentError, mistakesOf } from '../execute/errors/argument-error.js';
import type { Execution, Refused, Started } from '../execute/execution.js';
import { pageMistakes } from '../execute/resolvers/pages.js';
import { traceOperation } from '../execute/resolvers/spans.js';
import {
  type Admission,
  type ArgumentsCheck,
  Call,
  type CallArgs,
  type CallMode,
  type CallResult,
  type CallSite,
} from './call.js';
import { createExplanation, type MistakesIn } from './explain-variables.js';
import { createJudge, type JudgeSettings } from './judge.js';
import { createReach } from './reach.js';
import { rootCallsOf } from './root-calls.js';
import { takeSteps } from './steps.js';

/** The operations of a server, for every way in. Each method takes the steps of `steps.ts`; errors are masked. */
export type Calls = ReturnType<typeof createCalls>;

interface CallSettings
  extends JudgeSettings,
    Pick<CallSite, 'execution' | 'count' | 'repeats' | 'runRepeats' | 'monitor'> {
  readonly model: GqlSchema;
  readonly pageSize: number;
}

export function createCalls({ model, guards, hook, pageSize, ...given }: CallSettings) {
  const { execution, guard, owners } = given;
  const reachOf = createReach(model, execution.schema);
  const keyed = new Set(model.mutations.flatMap((one) => (one.idempotent === undefined ? [] : [one.name])));
  const checks = compileChecks(model);
  const violationsIn = (operation: GqlOperation, args: Readonly<Record<string, unknown>>) => [
    ...(checks.get(operationCoordinate(operation))?.(args) ?? []),
    ...(operation.page === undefined ? [] : pageMistakes(operation, args, pageSize)),
  ];
  const mistakesIn: MistakesIn = (operation, args, prefix = '') =>
    mistakesOf(violationsIn(operation, args).map(({ path, reason }) => ({ path: `${prefix}${path}`, reason })));
  const { schema, tellsNames } = execution;
  const site: CallSite = {
    ...given,
    reachOf,
    judge: createJudge(model, execution, { guard, owners, guards, hook }),
    argumentsCheck: createArgumentsCheck(model, checks, violationsIn, execution),
    explain: createExplanation(model, { schema, tellsNames, mistakesIn }),
    needsKey: (mutation) => keyed.has(mutation),
  };
  const take = (args: CallArgs, mode: CallMode) => {
    const call = new Call(args, mode);
    return isTracing() ? traceOperation(args, async () => takeSteps(call, site)) : takeSteps(call, site);
  };
  const { run: _run, start: _start, ...shared } = execution;
  return {
    ...shared,
    /** The values that break constraints, for a call that is refused for another reason before it takes any step. */
    mistakesIn,
    execute: async (args: CallArgs) => unprinted((await take(args, 'execute')) as CallResult),
    /** As `execute`, but a compiled plan may print the result, synchronously if nothing waits. */
    answer: (args: CallArgs) => take(args, 'print') as MaybePromise<CallResult>,
    subscribe: async (args: CallArgs) => (await take(args, 'subscribe')) as Started,
    /** Takes the steps that may refuse a call, so that it can be refused before others of the same request run. */
    admit(args: CallArgs, until: Admission = 'all'): MaybePromise<Refused | undefined> {
      const call = new Call({ ...args, admitted: undefined }, 'execute');
      return proceed(takeSteps(call, site, until), (outcome) => {
        const refused = outcome as ExecutionResult | undefined;
        return refused && { ...refused, errors: refused.errors ?? [] };
      });
    },
    /** Whether the caller of a call has no access; says nothing of its arguments. Undefined on a server without callers. */
    denies:
      guard &&
      ((call: Pick<CallArgs, 'document' | 'operationName' | 'principal'>): boolean => {
        const { document, operationName, principal } = call;
        const { demand } = reachOf(document, operationName) ?? {};
        return demand && principal !== undefined ? guard.denial(demand, principal) !== undefined : false;
      }),
  };
}

/** The kept outcome of a call that a plan has printed, for a way in that takes no text. */
function unprinted(outcome: CallResult): ExecutionResult {
  if (!(outcome instanceof PrintedResult)) return outcome;
  return { data: { [JSON.parse(outcome.key) as string]: JSON.parse(outcome.value) as unknown } };
}

function compileChecks(model: GqlSchema): ReadonlyMap<string, ArgumentCheck> {
  const checksOf = createArgumentChecks(model, formatCheck);
  return new Map(
    allOperations(model).flatMap((operation) => {
      const check = checksOf(operation.arguments);
      return check === undefined ? [] : [[operationCoordinate(operation), check] as const];
    }),
  );
}

/** A call whose arguments break constraints, or name no page, does not run: each operation gives one error for all. */
function createArgumentsCheck(
  model: GqlSchema,
  checks: ReadonlyMap<string, ArgumentCheck>,
  violationsIn: (operation: GqlOperation, args: Readonly<Record<string, unknown>>) => readonly Violation[],
  { schema }: Pick<Execution, 'schema'>,
): ArgumentsCheck {
  const checked = allOperations(model)
    .map((one) => [operationCoordinate(one), one] as const)
    .filter(([coordinate, { page }]) => page !== undefined || checks.has(coordinate));
  if (checked.length === 0) return undefined;
  const operations = new Map(checked);
  return (call) => {
    const { kind, called = [] } = call.reach ?? {};
    if (kind === undefined) return [];
    const type = rootTypeOf(kind);
    if (!called.some((name) => operations.has(`${type}.${name}`))) return [];
    return rootCallsOf(call, schema).flatMap(({ name, key, node, args }) => {
      const operation = operations.get(`${type}.${name}`);
      const found = operation === undefined ? [] : violationsIn(operation, args);
      if (found.length === 0) return [];
      const { message, extensions } = argumentError(found);
      return [new GraphQLError(message, { nodes: [node], path: [key], extensions })];
    });
  };
}
