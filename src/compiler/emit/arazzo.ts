import { type Chain, type ChainStep, findChains } from '../api/chains/chains.js';
import type { IdLink } from '../api/chains/id-links.js';
import { unconstrainedId } from '../api/chains/linked-arguments.js';
import { answerType, hasContent, routeText } from '../api/rest-routes.js';
import type { JsonValue } from '../graph/json-value.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { namedType, objectFields } from '../schema/schema-index.js';
import { credentialParameter, tokenInput } from './arazzo/credentials.js';
import { eventOf, filterNames } from './arazzo/events.js';
import type {
  ArazzoDescription,
  ArazzoEvent,
  ArazzoStep,
  ArazzoWorkflow,
  InputSchema,
} from './arazzo/format.js';
import { keyInput, keyParameter } from './arazzo/repeat-key.js';
import { type AddInput, requestOf } from './arazzo/requests.js';
import { operationIds } from './openapi/operations.js';

/**
 * Describes the workflows of a schema as an Arazzo 1.0.1 document beside its `openapi.json`: each chain of operations is a
 * workflow, whose steps hand ids on. Undefined if the topology has no queries and mutations.
 *
 * @param schema the schema of a topology
 * @param title the title of the document
 */
export function schemaToArazzo(schema: GqlSchema, title: string): ArazzoDescription | undefined {
  // Operations of layers, such as those of the federation, lead to nothing.
  const isOfTopology = ({ edges }: GqlOperation) => edges.length > 0;
  const own = {
    ...schema,
    queries: schema.queries.filter(isOfTopology),
    mutations: schema.mutations.filter(isOfTopology),
  };
  if (own.queries.length + own.mutations.length === 0) return undefined;
  const names = stepNames(schema);
  const chains = findChains(own, (link) =>
    hasContent(link.producer) ? outputOf(names, link) : unconstrainedId,
  );
  const outputs = outputsOf(schema, chains, names);
  const workflows = chains.map((chain) => workflowOf(schema, chain, names, outputs));
  return {
    arazzo: '1.0.1',
    info: { title, version: schema.info?.version ?? '1.0.0', description: documentDescription },
    sourceDescriptions: [{ name: 'api', url: './openapi.json', type: 'openapi' }],
    workflows,
  };
}

const documentDescription =
  'What leads to what in the API: each workflow calls operations whose results later ones take, up to the one that it is ' +
  'named after. Inputs have examples as defaults.';

/** The ids of operations, and those of their steps. */
interface StepNames {
  readonly operationId: (operation: GqlOperation) => string;
  readonly stepId: (operation: GqlOperation) => string;
  readonly output: (link: IdLink) => string;
}

function stepNames(schema: GqlSchema): StepNames {
  const taken = createNames();
  const ids = new Map<GqlOperation, { readonly operationId: string; readonly stepId: string }>();
  for (const [{ operation }, operationId] of operationIds(schema))
    ids.set(operation, { operationId, stepId: taken.add(operationId) });
  const outputs = createNames();
  const outputNames = new Map<IdLink, string>();
  const idOf = (operation: GqlOperation) => ids.get(operation) ?? { operationId: '', stepId: '' };
  return {
    operationId: (operation) => idOf(operation).operationId,
    stepId: (operation) => idOf(operation).stepId,
    output(link) {
      const name = outputNames.get(link) ?? outputs.add(link.variable);
      outputNames.set(link, name);
      return name;
    },
  };
}

function outputOf(names: StepNames, link: IdLink): string {
  return `$steps.${names.stepId(link.producer)}.outputs.${names.output(link)}`;
}

function workflowOf(
  schema: GqlSchema,
  { goal, steps, isCut }: Chain,
  names: StepNames,
  outputs: Outputs,
): ArazzoWorkflow {
  const taken = createNames();
  const token = tokenInput(schema, steps);
  const key = keyInput(steps);
  const headers: HeaderInputs = {
    token: token === undefined ? undefined : taken.add('token'),
    key: key === undefined ? undefined : taken.add('idempotencyKey'),
  };
  const made: { readonly step: ArazzoStep; readonly inputs: readonly (readonly [string, InputSchema])[] }[] =
    [];
  // The last step with an input has its name, because it is the one that the workflow is about.
  for (const step of steps.toReversed()) {
    const inputs: (readonly [string, InputSchema])[] = [];
    const addInput: AddInput = (name, input) => {
      const given = taken.has(name) ? taken.add(`${names.stepId(step.operation)}_${name}`) : taken.add(name);
      inputs.push([given, input]);
      return `$inputs.${given}`;
    };
    made.unshift({
      step: stepOf(
        schema,
        step.operation === goal ? step : withoutFilters(step),
        names,
        outputs,
        addInput,
        headers,
      ),
      inputs,
    });
  }
  const required = [
    ...(token === undefined || headers.token === undefined ? [] : [[headers.token, token] as const]),
    ...(key === undefined || headers.key === undefined ? [] : [[headers.key, key] as const]),
  ];
  const inputs = [...required, ...made.flatMap((one) => one.inputs)];
  const last = made.at(-1)?.step.outputs?.result;
  const description = [goal.description, isCut ? cutDescription : undefined].filter(Boolean).join('\n\n');
  return {
    workflowId: names.stepId(goal),
    summary: summaryOf(steps),
    ...(description === '' ? {} : { description }),
    ...(inputs.length === 0
      ? {}
      : {
          inputs: {
            type: 'object',
            properties: Object.fromEntries(inputs),
            ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
          },
        }),
    steps: made.map(({ step }) => step),
    ...(last === undefined ? {} : { outputs: { result: `$steps.${names.stepId(goal)}.outputs.result` } }),
  };
}

/** A step that lists objects for their ids lists all of them: with examples as filters, the list would be empty. */
function withoutFilters(step: ChainStep): ChainStep {
  const { operation, call } = step;
  if (operation.kind !== 'query' || nullable(operation.type).kind !== 'list') return step;
  const kept = operation.arguments.filter(
    ({ type, fallback }) => type.kind === 'nonNull' || fallback !== undefined,
  );
  const values = Object.fromEntries(
    kept.flatMap(({ name }) =>
      Object.hasOwn(call.values, name) ? [[name, call.values[name] as JsonValue]] : [],
    ),
  );
  return { ...step, call: { ...call, values } };
}

const cutDescription =
  'More operations lead to these steps. The ids that they give are inputs with examples.';

function summaryOf(steps: readonly ChainStep[]): string {
  const [first, ...others] = steps.map(({ operation }) => operation.name);
  return others.length === 0 ? `Calls ${first}.` : `Calls ${first}, then ${others.join(', then ')}.`;
}

/** The names of the inputs that become headers; undefined for those that no step needs. */
interface HeaderInputs {
  readonly token: string | undefined;
  readonly key: string | undefined;
}

function stepOf(
  schema: GqlSchema,
  step: ChainStep,
  names: StepNames,
  outputs: Outputs,
  addInput: AddInput,
  { token, key }: HeaderInputs,
): ArazzoStep {
  const { operation, call, events } = step;
  const ids = new Set<JsonValue>(call.places.map(({ link }) => outputOf(names, link)));
  const {
    parameters = [],
    requestBody,
    found,
  } = requestOf(schema, step, addInput, (value) => ids.has(value), filterNames(events));
  const all = [
    token === undefined ? undefined : credentialParameter(schema, operation, token),
    key === undefined ? undefined : keyParameter(operation, key, names.stepId(operation)),
    ...parameters,
  ].filter((parameter) => parameter !== undefined);
  const own = outputs.get(operation);
  const received = events.flatMap((event): ArazzoEvent[] => {
    const made = eventOf(schema, operation, event, found, token);
    return made === undefined ? [] : [made];
  });
  return {
    stepId: names.stepId(operation),
    description: operation.description?.trim().split('\n', 1)[0]?.trim() || routeText(operation),
    operationId: names.operationId(operation),
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(requestBody === undefined ? {} : { requestBody }),
    successCriteria: criteriaOf(schema, step, names),
    ...(own === undefined ? {} : { outputs: Object.fromEntries(own) }),
    ...(received.length === 0 ? {} : { 'x-events': received }),
  };
}

/** The status; and for a query by id, that its result has this id. */
function criteriaOf(schema: GqlSchema, { operation, call }: ChainStep, names: StepNames) {
  const criteria = [{ condition: `$statusCode == ${operation.status ?? 200}` }];
  const own = call.places.find(({ path, link }) => path.join('.') === 'id' && isAbout(link, operation));
  if (own !== undefined && isObject(schema, answerType(operation)))
    criteria.push({ condition: `$response.body#/id == ${outputOf(names, own.link)}` });
  return criteria;
}

/** Whether an id is that of the result of a query: its source returns an object of the same type. */
function isAbout({ producer, path }: IdLink, { kind, type }: GqlOperation): boolean {
  return (
    kind === 'query' && path.length === 1 && path[0] === 'id' && baseName(producer.type) === baseName(type)
  );
}

function isObject(schema: GqlSchema, type: TypeRef): boolean {
  const bare = nullable(type);
  return bare.kind === 'named' && namedType(schema, bare.name).kind === 'object';
}

/** The outputs of the step of each operation, by name. */
type Outputs = ReadonlyMap<GqlOperation, ReadonlyMap<string, string>>;

/**
 * The ids that other steps take, and the results of goals. A step has the same outputs in all workflows, because linters
 * look them up by the id of the step alone.
 */
function outputsOf(schema: GqlSchema, chains: readonly Chain[], names: StepNames): Outputs {
  const outputs = new Map<GqlOperation, Map<string, string>>();
  const add = (operation: GqlOperation, name: string, expression: string): void => {
    if (!hasContent(operation)) return;
    outputs.set(operation, (outputs.get(operation) ?? new Map()).set(name, expression));
  };
  for (const { call } of chains.flatMap(({ steps }) => steps)) {
    for (const { link } of call.places)
      add(link.producer, names.output(link), `$response.body#/${pointerTo(schema, link)}`);
  }
  for (const { goal } of chains) add(goal, 'result', '$response.body');
  return outputs;
}

/** The JSON Pointer of a path, without its first slash: in lists that of the first item. REST answers with the items of a page. */
function pointerTo(schema: GqlSchema, { producer: operation, path }: IdLink): string {
  const segments: string[] = [];
  let type: TypeRef | undefined = answerType(operation);
  for (const name of operation.page === undefined ? path : path.slice(1)) {
    for (let bare = type && nullable(type); bare?.kind === 'list'; bare = nullable(bare.of))
      segments.push('0');
    segments.push(name);
    type = (type === undefined ? [] : objectFields(schema, baseName(type))).find(
      (field) => field.name === name,
    )?.type;
  }
  return segments.join('/');
}

/** Names that are given once each. */
interface Names {
  readonly has: (name: string) => boolean;
  /** The name, or one like it that is free. */
  readonly add: (name: string) => string;
}

/**
 * Gives names that all runners read: letters, digits and `_`, beginning with a letter (the names of runtime expressions,
 * Arazzo 1.0.1, section 4.7).
 */
function createNames(): Names {
  const taken = new Set<string>();
  const readable = (name: string) => (/^[A-Za-z]/.test(name) ? name : `x${name}`);
  return {
    has: (name) => taken.has(readable(name)),
    add(name) {
      let made = readable(name);
      while (taken.has(made)) made += '_';
      taken.add(made);
      return made;
    },
  };
}
