import type { GraphQLError } from 'graphql';
import { type MaybePromise, proceed } from '../../base/values/maybe-promise.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { withInternal } from '../../compiler/schema/schema-index.js';
import { guardDenial } from '../auth/denial.js';
import type { Guard } from '../auth/guard.js';
import type { OwnerOf } from '../auth/owner.js';
import type { Principal } from '../auth/principal.js';
import { errorOfDenial, refusedOperation } from '../auth/refused-operation.js';
import type { Execution } from '../execute/execution.js';
import { ownersOf } from '../execute/resolvers/owner-of.js';
import { askGuard, type GuardLookup } from '../hooks/operation-guards.js';
import { refusalOf } from '../hooks/refusal.js';
import type { HookOperation, Hooks } from '../hooks/server-hooks.js';
import type { Call, Judge } from './call.js';
import { rootCallsOf } from './root-calls.js';

export interface JudgeSettings {
  readonly guard: Guard | undefined;
  readonly owners: OwnerOf;
  readonly guards: GuardLookup;
  readonly hook: Hooks['operation'];
}

/** Makes the judge of a server: owners may name themselves only, and guards and hooks may refuse, also for races. */
export function createJudge(
  model: GqlSchema,
  { schema, mask }: Pick<Execution, 'schema' | 'mask'>,
  { guard, owners, guards, hook }: JudgeSettings,
): Judge {
  const owned = guard === undefined ? new Map<string, readonly string[]>() : ownedArguments(model);
  if (owned.size === 0 && guards === undefined && hook === undefined) return undefined;

  const isForeign = (principal: Principal | null, operations: readonly HookOperation[]): boolean => {
    const owner = owners(principal);
    return (
      owner !== undefined &&
      operations.some(({ kind, name, arguments: args }) =>
        owned.get(`${kind} ${name}`)?.some((argument) => !owner.owns(args[argument])),
      )
    );
  };
  const refuse = (thrown: unknown, call: Call): GraphQLError => {
    const { message, extensions: given } = mask.thrown(thrown, call.args.tracked);
    const { extensions, status, headers } = refusalOf(given);
    return refusedOperation(message, extensions, status, headers);
  };
  const ask = (operations: readonly HookOperation[], at: number): MaybePromise<GraphQLError | undefined> => {
    const operation = operations[at];
    if (operation === undefined) return undefined;
    const { kind, name, principal } = operation;
    const given = guards?.(kind, name);
    return proceed(given === undefined || askGuard(given, operation), (isAllowed) =>
      isAllowed
        ? proceed(hook?.(operation), () => ask(operations, at + 1))
        : errorOfDenial(guard?.refused(principal) ?? guardDenial(principal, [])),
    );
  };
  return (call) => {
    const { principal } = call.args;
    if (principal === undefined) return undefined;

    const operations = operationsOf(call, schema, principal);
    if (guard !== undefined && isForeign(principal, operations)) return errorOfDenial(guard.foreign);
    try {
      const asked = ask(operations, 0);
      return asked instanceof Promise ? asked.catch((thrown: unknown) => refuse(thrown, call)) : asked;
    } catch (thrown) {
      return refuse(thrown, call);
    }
  };
}

/** The arguments that must name the caller: for changes and events, it is too late when the result names the owner. */
function ownedArguments(model: GqlSchema): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const operations: readonly GqlOperation[] = allOperations(withInternal(model));
  for (const operation of operations) {
    const isNamed = (of: string): boolean => operation.arguments.some(({ name }) => name === of);
    const names = ownersOf(operation).filter((of) => operation.kind !== 'query' || isNamed(of));
    if (names.length > 0) found.set(`${operation.kind} ${operation.name}`, names);
  }
  return found;
}

/** The operations of a call as hooks see them: those of its root fields, and the queries that races run in their place. */
function operationsOf(call: Call, schema: Execution['schema'], principal: Principal | null) {
  const { reach } = call;
  const { protocol } = call.args;
  if (reach === undefined) return [];
  const { kind, raced } = reach;
  const isNamed = protocol !== 'rest' && protocol !== 'mcp';
  const operationName = isNamed ? reach.operationName : undefined;
  const shown = { operationName, principal, protocol: protocol ?? ('graphql' as const) };
  const roots = rootCallsOf(call, schema).filter(({ name }) => !name.startsWith('__'));
  const all = [
    ...roots.map(({ name, args }) => ({ ...shown, kind, name, arguments: args })),
    // A race passes the arguments of its field on; those of a field of an object are not known yet.
    ...raced.flatMap(({ name, of }) => {
      const racing = roots.filter((root) => of === `Query.${root.name}`);
      return (racing.length === 0 ? [{ args: {} }] : racing).map(({ args }) => ({
        ...shown,
        kind,
        name,
        arguments: args,
      }));
    }),
  ];
  // A field that is selected twice with the same arguments is one operation.
  return all.length === 1 ? all : [...new Map(all.map((one) => [textOf(one), one])).values()];
}

function textOf({ name, arguments: args }: HookOperation): string {
  return JSON.stringify([name, args], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
