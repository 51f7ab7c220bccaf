import {
  type ASTNode,
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  type IntValueNode,
  Kind,
  type OperationDefinitionNode,
  print,
  type StringValueNode,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { chainFieldOf, emptyInput } from '../../../compiler/api/chains/chain-fields.js';
import type { NamedStep } from '../../../compiler/api/chains/named-steps.js';
import { operationDocument } from '../../../compiler/api/operation-document.js';
import type { JsonValue } from '../../../compiler/graph/json-value.js';
import { appendTo } from '../../../compiler/graph/maps.js';
import { baseName } from '../../../compiler/graph/type-ref.js';
import { isComposite } from '../../../compiler/schema/schema-index.js';
import { withEnumNames } from '../../../compiler/schema/wire-view.js';
import { refusedOperation } from '../../auth/refused-operation.js';
import { isIncluded } from '../../execute/graphql-js/is-included.js';
import { coerceVariables } from '../../execute/graphql-js/releases.js';
import { isJsonObject } from '../../limits/parse-json.js';
import { rootFieldsOf } from '../../limits/root-fields.js';
import { type CallArgs, refusedBy } from '../call.js';
import type { Calls } from '../calls.js';
import type { Environment } from '../environment.js';
import { errorOfProblem } from '../error-of-problem.js';
import { graphqlCaller } from './chain-caller.js';
import { type NamedChain, namedChains } from './named-chains.js';
import { type ChainOutcome, createChainRunner, type StepDocument } from './run-chain.js';

type Values = Readonly<Record<string, unknown>>;

/** An operation that selects the field of a chain. */
interface ChainOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly given: Values;
  /** Begins the names of the ids that steps take, in the results of earlier steps; no name of the document does. */
  readonly takenKey: string;
}

/** An operation with the field of a chain runs the chain: each step is a call, with what its client selects of it. */
export function withGraphQLChains(environment: Environment, calls: Calls): Calls {
  const schema = withEnumNames(environment.schema);
  const way = { protocol: undefined, tellsNames: environment.limits.introspection, takesItems: true };
  const { run: runChain } = createChainRunner({ ...environment, schema }, way);
  const named = [...namedChains(schema, way)];
  const chains = new Map(named.map(([name, chain]) => [chainFieldOf(name), chain]));

  const find = ({ document, operationName, variableValues }: CallArgs): ChainOperation | undefined => {
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== 'mutation') return undefined;
    const isChain = rootFieldsOf(document, operation).some(({ name }) => chains.has(name.value));
    return isChain ? { document, operation, given: variableValues ?? {}, takenKey: unusedKey(document) } : undefined;
  };
  const run = async (found: ChainOperation, args: CallArgs): Promise<ExecutionResult> => {
    const { document, operation, given } = found;
    const variables = coerceVariables(calls.schema, operation.variableDefinitions ?? [], given, 1);
    // graphql-js reports the variables.
    if (variables === undefined) return calls.execute(args);
    const isRun = (directives: readonly DirectiveNode[]) => isIncluded(directives, variables);
    const roots = rootFieldsOf(document, operation, isRun);
    const [root] = roots;
    if (root === undefined) return { data: {} };
    if (roots.some((one) => keyOf(one) !== keyOf(root)))
      return refuse('A chain must be the only field of its operation.');
    const { runnable } = chains.get(root.name.value) as NamedChain;
    const selections = roots.flatMap((one) => one.selectionSet?.selections ?? []);
    const selectionSet = { kind: Kind.SELECTION_SET, selections } as const;
    const asked = new Map<string, FieldNode[]>();
    const steps = new Map<string, string>();
    for (const field of rootFieldsOf(document, { ...operation, selectionSet }, isRun)) {
      const { value: name } = field.name;
      const [before = field] = asked.get(name) ?? [];
      if (keyOf(before) !== keyOf(field) && runnable.steps.has(name))
        return refuse(`Select ${name} once, with all its fields.`);
      appendTo(asked, name, field);
      steps.set(keyOf(field), name);
    }
    const all = [...runnable.steps.values()];
    const documents = all.map((step) => [step.name, documentOf(found, step, all, asked.get(step.name) ?? [])] as const);
    const caller = graphqlCaller(args);
    const outcome = await runChain(runnable, inputsOf(root, found), caller, Object.fromEntries(documents));
    const type = calls.schema.getMutationType()?.getFields()[root.name.value]?.type;
    return resultOf(outcome, keyOf(root), steps, { type: String(type), takenKey: found.takenKey });
  };
  const orChain =
    <Outcome>(call: (args: CallArgs) => Outcome) =>
    (args: CallArgs): Outcome | Promise<ExecutionResult> => {
      const found = find(args);
      return found === undefined ? call(args) : run(found, args);
    };

  /** The document of a step: what the client selects of it, and the ids that other steps take. */
  const documentOf = (
    { document, operation, given, takenKey }: ChainOperation,
    { name, operation: called }: NamedStep,
    all: readonly NamedStep[],
    fields: readonly FieldNode[],
  ): StepDocument => {
    const taken = all.flatMap((step) => step.takes).filter(({ from }) => from.name === name);
    const ids = taken.map(({ result: [first, ...rest] }, at) => {
      const inner = rest.map((one) => ` { ${one}`).join('') + ' }'.repeat(rest.length);
      return `${takenKey}${at}: ${first}${inner}`;
    });
    const hasFields = isComposite(schema, baseName(called.type));
    const written = hasFields ? `{ __typename ${ids.join(' ')} }` : '';
    const { definitions } = calls.parse(operationDocument(schema, called, written));
    const [own] = definitions as readonly [OperationDefinitionNode];
    const [field] = own.selectionSet.selections as readonly [FieldNode];
    const { rename, fragments, used } = createRenaming(document);
    const further = fields.flatMap((one) => one.selectionSet?.selections ?? []).map(rename);
    // The type is selected if nothing else is.
    const selections = [...(field.selectionSet?.selections.slice(1) ?? []), ...further];
    const whole =
      field.selectionSet === undefined || selections.length === 0
        ? field
        : { ...field, selectionSet: { ...field.selectionSet, selections } };
    const isUsed = ({ variable }: VariableDefinitionNode) => used.has(variable.name.value);
    const variables = Object.entries(given).filter(([variable]) => used.has(variable));
    const variableDefinitions = [
      ...(own.variableDefinitions ?? []),
      ...(operation.variableDefinitions?.filter(isUsed).map(rename) ?? []),
    ];
    const made = { ...own, variableDefinitions, selectionSet: { ...own.selectionSet, selections: [whole] } };
    return {
      document: { kind: Kind.DOCUMENT, definitions: [made, ...fragments.values()] },
      variables: Object.fromEntries(variables.map(([variable, value]) => [renamed(variable), value])),
      pathOf(result) {
        const at = taken.findIndex((one) => one.result === result);
        return [`${takenKey}${at}`, ...result.slice(1)];
      },
    };
  };
  return {
    ...calls,
    execute: async (args) => orChain(calls.execute)(args),
    answer: orChain(calls.answer),
    subscribe: async (args) => orChain(calls.subscribe)(args),
    // Each step is admitted before the first one runs.
    admit: (args, until) => (find(args) === undefined ? calls.admit(args, until) : undefined),
  };
}

function unusedKey(document: DocumentNode): string {
  const text = print(document);
  let key = '_chain';
  while (text.includes(key)) key += '_';
  return key;
}

function keyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

function refuse(detail: string): ExecutionResult {
  return refusedBy(refusedOperation(detail, { code: 'BAD_USER_INPUT' }, 400, {}));
}

/** Renames variables, because the arguments of a step are variables, too. Collects the fragments and the variables. */
function createRenaming(document: DocumentNode) {
  const fragments = new Map<string, ASTNode>();
  const used = new Set<string>();
  const visitor: ASTVisitor = {
    Variable(node) {
      const { value } = node.name;
      used.add(value);
      return { ...node, name: { ...node.name, value: renamed(value) } };
    },
    FragmentSpread({ name: { value } }) {
      if (fragments.has(value)) return;
      fragments.set(value, document);
      for (const one of document.definitions)
        if (one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === value) fragments.set(value, rename(one));
    },
  };
  const rename = <Node extends ASTNode>(node: Node): Node => visit(node, visitor) as Node;
  return { rename, fragments: fragments as ReadonlyMap<string, FragmentDefinitionNode>, used };
}

/** No argument has a name that begins with two underscores (GraphQL, September 2025, section 3.6.1). */
function renamed(variable: string): string {
  return `__${variable}`;
}

/** The inputs of a chain as JSON. A step without a value, or with null, is not named. */
function inputsOf(root: FieldNode, { operation, given }: ChainOperation): Values {
  const variables: Record<string, unknown> = { ...given };
  const read = (value: ValueNode) => valueFromASTUntyped(visit(value, { IntValue: exactly }), variables);
  for (const { variable, defaultValue } of operation.variableDefinitions ?? [])
    if (defaultValue && variables[variable.name.value] === undefined)
      variables[variable.name.value] = read(defaultValue);
  const inputs = root.arguments?.flatMap(({ name, value }) => {
    const given = read(value) as Values | null | undefined;
    if (given === null || given === undefined) return [];
    const { [emptyInput]: _, ...members } = given;
    return [[name.value, members] as const];
  });
  return Object.fromEntries(inputs ?? []);
}

/** An id may be a number without a JavaScript number that is equal to it. */
function exactly(node: IntValueNode): StringValueNode | undefined {
  return Number.isSafeInteger(Number(node.value)) ? undefined : { kind: Kind.STRING, value: node.value };
}

/** @param steps - The steps that the client selects, by their keys in the result. */
function resultOf(
  { done, failure }: ChainOutcome,
  key: string,
  steps: ReadonlyMap<string, string>,
  { type, takenKey }: { readonly type: string } & Pick<ChainOperation, 'takenKey'>,
): ExecutionResult {
  const results = [...steps].map(([own, step]) => {
    if (step === '__typename') return [own, type];
    return [own, Object.hasOwn(done, step) ? withoutTaken(done[step] as JsonValue, takenKey) : null];
  });
  const data = { [key]: Object.fromEntries(results) as unknown };
  if (failure === undefined) return { data };
  const { problem, step, isStarted } = failure;
  const { message, extensions } = errorOfProblem(problem);
  const { http, ...members } = extensions as Values & { readonly http: object };
  const shown = {
    ...(problem.status === 400 && { code: 'BAD_USER_INPUT' }),
    ...members,
    ...(step !== undefined && { failed: step }),
    steps: Object.keys(done),
  };
  if (!isStarted) return refusedBy(new GraphQLError(message, { extensions: { ...shown, http } }));
  const [own] = [...steps].find(([, one]) => one === step) ?? [];
  const path = own === undefined ? [key] : [key, own];
  return { data, errors: [new GraphQLError(message, { path, extensions: shown })] };
}

function withoutTaken(value: JsonValue, takenKey: string): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutTaken(item, takenKey));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith(takenKey)));
}
