import { type ExecutionResult, execute, type FieldNode, getOperationAST, valueFromASTUntyped } from 'graphql';
import { durableChains } from '../../compiler/api/chains/api-chains.js';
import { runFieldOf } from '../../compiler/api/chains/chain-fields.js';
import { resumeArgument } from '../../compiler/graph/names.js';
import { type CallArgs, refusedBy } from '../call/call.js';
import type { Calls } from '../call/calls.js';
import { graphqlCaller } from '../call/chains/chain-caller.js';
import type { Environment } from '../call/environment.js';
import { errorOfProblem } from '../call/error-of-problem.js';
import { ProblemError } from '../call/problem.js';
import type { Started } from '../execute/execution.js';
import { coerceVariables } from '../execute/graphql-js/releases.js';
import { PassedResults, type Results } from '../execute/subscriptions/results.js';
import { rootFieldsOf } from '../limits/root-fields.js';
import type { Run, Runs } from './runs.js';

/** A subscription to the field of a durable chain follows a run: its states, of which the client selects what it needs. */
export function withGraphQLRuns({ schema }: Environment, calls: Calls, open: () => Promise<Runs>): Calls {
  const chains = new Map(durableChains(schema).map(({ name }) => [runFieldOf(name), name]));

  const find = ({ document, operationName }: CallArgs): FieldNode | undefined => {
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== 'subscription') return undefined;
    return rootFieldsOf(document, operation).find(({ name }) => chains.has(name.value));
  };
  const follow = async (field: FieldNode, args: CallArgs): Promise<Started> => {
    const { document, operationName, variableValues, signal } = args;
    const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
    const given = variableValues ?? {};
    const defaults = definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
    );
    // graphql-js reports the variables.
    if (coerceVariables(calls.schema, definitions, given, 1) === undefined) return calls.subscribe(args);
    const values = { ...Object.fromEntries(defaults), ...given };
    const argument = (wanted: string): string | undefined => {
      const node = field.arguments?.find(({ name }) => name.value === wanted);
      const value = node && valueFromASTUntyped(node.value, values);
      return value === undefined || value === null ? undefined : String(value);
    };
    const caller = graphqlCaller(args);
    const runs = await open();
    const first = await runs.read(argument('id') ?? '', caller, chains.get(field.name.value));
    const end = new AbortController();
    const until = AbortSignal.any([end.signal, ...(signal === undefined ? [] : [signal])]);
    async function* results(): Results {
      try {
        for await (const { id, run } of runs.follow(first, caller, until, argument(resumeArgument))) {
          const rootValue = { [field.name.value]: shown(run) };
          const context = {
            schema: calls.schema,
            document,
            operationName: operationName ?? null,
            variableValues: given,
          };
          const result = await execute({ ...context, rootValue });
          yield { ...result, extensions: { ...result.extensions, eventId: id } };
        }
      } catch (error) {
        // The database of the runs may go away.
        yield refusal(error);
      }
    }
    return new RunResults(results(), runs, end);
  };
  return {
    ...calls,
    subscribe: async (args) => {
      const field = find(args);
      if (field === undefined) return calls.subscribe(args);
      return follow(field, args).catch(refusal);
    },
    // Who may read a run is known when it is read.
    admit: (args, until) => (find(args) === undefined ? calls.admit(args, until) : undefined),
  };
}

/** The answer to a subscription that cannot be served; other errors are thrown. */
function refusal(error: unknown): ExecutionResult {
  if (!(error instanceof ProblemError)) throw error;
  const { problem } = error;
  return refusedBy(errorOfProblem({ ...problem, members: { code: 'NOT_FOUND', ...problem.members } }));
}

/** A run as the type `ChainRun` has it. */
function shown({ steps, undone = [], ...run }: Run): object {
  return { ...run, undone, steps: steps.map(({ operation }) => operation) };
}

/** The states of a run, which end with the server, or when the client leaves. */
class RunResults extends PassedResults {
  constructor(
    source: Results,
    private readonly runs: Runs,
    private readonly end: AbortController,
  ) {
    super(source);
  }

  override get isCut(): boolean {
    return this.runs.isDraining;
  }

  protected override left(): void {
    this.end.abort();
  }
}
