import { type DocumentNode, type GraphQLError, getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { Principal } from '../auth/principal.js';
import { refusedOperation } from '../auth/refused-operation.js';
import { calledFields } from '../limits/called-fields.js';
import type { OperationKind } from '../schema/gql-schema.js';
import { type MaybePromise, proceed } from '../values/maybe-promise.js';
import { refusalOf } from './refusal.js';
import type { HookOperation, Hooks } from './server-hooks.js';

/** An operation of a valid document that a client has sent. */
export interface AdmittedOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly principal: Principal | null;
  /** Undefined for GraphQL. */
  readonly protocol?: Exclude<HookOperation['protocol'], 'graphql'> | undefined;
}

/** Calls the hook `onOperation` for an operation, and returns the error that refuses it. Never throws. */
export type Admission = (
  operation: AdmittedOperation,
  mask: (error: unknown) => GraphQLError,
) => MaybePromise<GraphQLError | undefined>;

/** Makes the admission of a server with the hook `onOperation`. */
export function createAdmission(call: NonNullable<Hooks['operation']>): Admission {
  const known = new WeakMap<OperationDefinitionNode, readonly string[]>();
  const namesOf = (document: DocumentNode, operation: OperationDefinitionNode): readonly string[] => {
    let names = known.get(operation);
    if (names === undefined) {
      // Introspection is no operation of the topology.
      const own = calledFields(document, operation).filter((name) => !name.startsWith('__'));
      names = [...new Set(own)];
      known.set(operation, names);
    }
    return names;
  };
  const callFrom = (names: readonly string[], of: Omit<HookOperation, 'name'>): MaybePromise<undefined> => {
    const [name, ...others] = names;
    if (name === undefined) return undefined;
    return proceed(call({ ...of, name }), () => callFrom(others, of));
  };
  return ({ document, operationName, principal, protocol }, mask) => {
    const operation = getOperationAST(document, operationName);
    // graphql-js does not run the document either.
    if (!operation) return undefined;
    const refuse = (error: unknown): GraphQLError => errorOf(mask(error));
    try {
      const called = callFrom(namesOf(document, operation), {
        kind: operation.operation as OperationKind,
        operationName: protocol === 'rest' || protocol === 'mcp' ? undefined : operation.name?.value,
        principal,
        protocol: protocol ?? 'graphql',
      });
      return called instanceof Promise ? called.catch(refuse) : called;
    } catch (error) {
      return refuse(error);
    }
  };
}

/** The error of a refusal. */
function errorOf({ message, extensions: given }: GraphQLError): GraphQLError {
  const { extensions, status, headers } = refusalOf(given);
  return refusedOperation(message, extensions, status, headers);
}
