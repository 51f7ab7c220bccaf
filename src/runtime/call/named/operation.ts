import type { DocumentNode, ExecutionResult } from 'graphql';
import { type MaybePromise, proceed } from '../../../base/values/maybe-promise.js';
import { operationDocument } from '../../../compiler/api/operation-document.js';
import { printSelectionForExecution } from '../../../compiler/api/print-selection.js';
import { answerType } from '../../../compiler/api/rest-routes.js';
import { answerSelection, type Selection } from '../../../compiler/api/selection.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { remember } from '../../../compiler/graph/maps.js';
import { problemCodeOf } from '../../../compiler/graph/names.js';
import type { GqlOperation, GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { fieldsToWire, toWire } from '../../../compiler/schema/wire-view.js';
import type { JsonText } from '../../execute/compiled/json-text.js';
import { type Printed, PrintedResult } from '../../execute/compiled/printed-result.js';
import { LruMap } from '../../limits/lru-map.js';
import type { Admission, CallArgs, CallSource } from '../call.js';
import type { Calls } from '../calls.js';
import { type DeclaredProblem, operationProblem, ProblemError } from '../problem.js';
import { narrowSelection } from './narrow.js';

/** An operation that is called by its name, with JSON arguments: over REST, and by agents. */
export type NamedOperation = ReturnType<typeof compileNamedOperation>;

export interface ChainStep extends Pick<CallArgs, 'onReceipt' | 'run'> {
  /** Undefined if the call takes all steps. */
  readonly admitted: Admission | undefined;
  /** Its name, which follows the key of the chain. */
  readonly name: string;
}

type Arguments = Readonly<Record<string, JsonValue>>;

/** A document of the operation that a client has written, with the variables that its selection uses. */
export interface OwnDocument {
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The selection of a call: paths as in `?fields=`, or its own document; the default fields if it is undefined. */
export type Fields = readonly string[] | OwnDocument | undefined;

export type NamedCaller = CallSource &
  Pick<CallArgs, 'client' | 'tracked'> & {
    /** Whether it is the program without a principal, which may run every operation. */
    readonly isTrusted?: boolean;
  };

/** The number of narrowed documents that a route caches. Clients use few; the limit bounds the memory. */
const maxNarrowed = 100;

export function compileNamedOperation(
  schema: GqlSchema,
  operation: GqlOperation,
  execution: Calls,
  tellsNames: boolean,
  protocol: CallArgs['protocol'],
) {
  const documents = compileDocuments(schema, operation, execution, tellsNames);
  const documentFor = (fields: Fields) =>
    fields !== undefined && 'document' in fields ? fields.document : documents(fields);
  const variablesFor = (fields: Fields, args: Arguments) =>
    fields !== undefined && 'document' in fields ? { ...fields.variables, ...args } : args;
  const declared = declaredProblems(schema, operation);
  const spell = toWire(schema, operation.type);

  const resultOf = ({ data, errors }: ExecutionResult): JsonValue => {
    if (errors !== undefined) throw new ProblemError(operationProblem(errors, declared));
    const value = (data?.[operation.name] ?? null) as JsonValue;
    return spell === undefined ? value : spell(value);
  };
  const print = (result: Printed): JsonText =>
    result instanceof PrintedResult ? result.json : JSON.stringify(resultOf(result));
  const argsOf = (given: Arguments, fields: Fields, contextValue: unknown, source: NamedCaller): CallArgs => {
    const { client, tracked } = source;
    const [document, principal] = [documentFor(fields), principalOf(source)];
    const variableValues = variablesFor(fields, given);
    return { document, variableValues, contextValue, client, principal, source, tracked, protocol };
  };

  return {
    documentFor,
    /**
     * Takes the steps of a call that may refuse it, without running the operation.
     *
     * @param given - Coerced arguments; undefined if earlier calls will give some: then only the caller is checked.
     * @throws {ProblemError} If the call is refused.
     */
    admit(source: NamedCaller, given: Arguments | undefined, fields?: Fields): MaybePromise<undefined> {
      const [{ tracked }, principal] = [source, principalOf(source)];
      const variableValues = given && variablesFor(fields, given);
      const args = { document: documentFor(fields), variableValues, principal, source, tracked, protocol };
      const refused = execution.admit(args, given === undefined ? 'caller' : 'all');
      return proceed(refused, (refusal) => {
        if (refusal !== undefined) throw new ProblemError(operationProblem(refusal.errors, declared));
        return undefined;
      });
    },
    /** Whether a caller has access to the operation, whatever its arguments. */
    isOpenTo: (source: NamedCaller, fields?: Fields): boolean =>
      execution.denies?.({ document: documentFor(fields), principal: principalOf(source) }) !== true,
    /**
     * Runs the operation and returns its value itself.
     *
     * @param step - Its place in a chain; undefined if it stands alone.
     * @throws {ProblemError} As `run`.
     */
    async value(
      variableValues: Arguments,
      fields: Fields,
      contextValue: unknown,
      source: NamedCaller & { readonly key?: string | undefined },
      step?: ChainStep,
      precondition?: CallArgs['precondition'],
    ): Promise<JsonValue> {
      const args = { ...argsOf(variableValues, fields, contextValue, source), precondition };
      if (step === undefined) return resultOf(await execution.execute(args));
      const { admitted, name, ...followed } = step;
      const key = source.key ?? source.header('idempotency-key');
      return resultOf(await execution.execute({ ...args, ...followed, admitted, key, step: name }));
    },
    /**
     * Runs the operation and returns its value as JSON text; synchronously if no resolver is asynchronous.
     *
     * @param variableValues - Coerced arguments; omitted ones get their defaults.
     * @param source - Has the caller, and reports when the client disconnects.
     * @throws {ProblemError} If the operation has errors, or `fields` names an unknown field.
     */
    run: (
      variableValues: Arguments,
      fields: readonly string[] | undefined,
      contextValue: unknown,
      source: NamedCaller,
      precondition?: CallArgs['precondition'],
    ): MaybePromise<JsonText> => {
      const given = argsOf(variableValues, fields, contextValue, source);
      const args = precondition === undefined ? given : { ...given, precondition };
      // A plan prints the names of enum values.
      return proceed(spell === undefined ? execution.answer(args) : execution.execute(args), print);
    },
  };
}

function principalOf({ isTrusted, principal }: NamedCaller): CallArgs['principal'] {
  return isTrusted === true ? undefined : principal;
}

/**
 * Compiles the GraphQL documents of a route, which pass every argument as a variable. The one of the default selection
 * is created at once, narrowed ones on first use.
 *
 * @returns A function from the values of `?fields=` to the document; undefined gives the default selection. It throws a
 * `ProblemError` if they name an unknown field.
 */
export function compileDocuments(
  schema: GqlSchema,
  operation: GqlOperation,
  execution: Pick<Calls, 'parse'>,
  tellsNames: boolean,
): (fields: readonly string[] | undefined) => DocumentNode {
  const documentFor = (selection: Selection | undefined): DocumentNode => {
    const fields = printSelectionForExecution(selection);
    const total = operation.page?.isCounted ? ' totalCount' : '';
    const page = `{ edges { node ${fields} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }${total} }`;
    const selected = operation.page === undefined ? fields : page;
    return execution.parse(operationDocument(schema, operation, selected));
  };
  const type = answerType(operation);
  const whole = documentFor(answerSelection(schema, operation));
  const narrowed = new LruMap<string, DocumentNode>(maxNarrowed);
  return (fields) => {
    if (fields === undefined) return whole;
    const make = () => documentFor(narrowSelection(schema, type, fields, tellsNames));
    return remember(narrowed, fields.join(), make);
  };
}

/** The declared errors of an operation, by their codes. */
export function declaredProblems(
  schema: GqlSchema,
  { throws = [] }: GqlOperation,
): ReadonlyMap<unknown, DeclaredProblem> {
  const thrown = (schema.problems ?? []).filter(({ name }) => throws.includes(name));
  return new Map(
    thrown.map(({ name, status, fields }) => [
      problemCodeOf(name),
      { status, spell: (members) => fieldsToWire(schema, fields, members) },
    ]),
  );
}
