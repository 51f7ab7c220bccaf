import { defined } from '../../base/values/defined.js';
import { type Chain, type ChainStep, findChains } from '../api/chains/chains.js';
import { type IdLink, linkedOperations, resultPointer } from '../api/chains/id-links.js';
import { unconstrainedId } from '../api/chains/linked-arguments.js';
import { withoutFiles } from '../api/form-parts.js';
import { answerType, documentPaths, hasContent } from '../api/rest-routes.js';
import type { JsonValue } from '../graph/json-value.js';
import { remember } from '../graph/maps.js';
import { takeName } from '../graph/names.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { routeText } from '../schema/route-path.js';
import { namedType } from '../schema/schema-index.js';
import { wireView } from '../schema/wire-view.js';
import type { ArazzoDescription, ArazzoParameter, ArazzoStep, ArazzoWorkflow, InputSchema } from './arazzo/format.js';
import { type AddInput, eventOf, requestOf } from './arazzo/requests.js';
import { operationIds } from './openapi/operations.js';

/**
 * Describes the workflows of a schema as an Arazzo 1.0.1 document beside its `openapi.json`: each chain of operations is a
 * workflow, whose steps hand ids on. Undefined if the topology has no queries and mutations.
 *
 * @example
 * ```ts
 * import { compile, schemaToWorkflows } from 'gg-svc';
 *
 * const result = compile("(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String! })");
 * if (result.ok) console.log(schemaToWorkflows(result.schema, 'Users')?.workflows);
 * ```
 */
export function schemaToWorkflows(whole: GqlSchema, title: string): ArazzoDescription | undefined {
  const schema = wireView(whole);
  const own = withoutFiles(linkedOperations(schema));
  if (own.queries.length + own.mutations.length === 0) return undefined;
  const writer = createWriter(schema);
  const chains = findChains(own, (link) => (hasContent(link.producer) ? writer.outputOf(link) : unconstrainedId));
  return {
    arazzo: '1.0.1',
    info: { title, version: schema.info?.version ?? '1.0.0', description: documentDescription },
    sourceDescriptions: [{ name: 'api', url: './openapi.json', type: 'openapi' }],
    workflows: writer.workflowsOf(chains),
  };
}

const documentDescription =
  'What leads to what in the API: each workflow calls operations whose results later ones take, up to the one that it is ' +
  'named after. Inputs have examples as defaults.';

function createWriter(schema: GqlSchema) {
  const documented = documentPaths();
  const takenIds = new Set<string>();
  /** Each operation as `openapi.json` describes it, and the id of its step. */
  const operations = new Map(
    [...operationIds(schema)].map(([route, operationId]) => {
      const stepId = takeName(takenIds, readable(operationId));
      return [route.operation, { operationId, stepId, nameInPath: documented(route).nameOf }] as const;
    }),
  );
  const described = (operation: GqlOperation) =>
    operations.get(operation) as NonNullable<ReturnType<typeof operations.get>>;
  const takenNames = new Set<string>();
  const idNames = new Map<IdLink, string>();
  const idName = (link: IdLink): string => remember(idNames, link, () => takeName(takenNames, readable(link.variable)));
  /** The expression of an id that the step of its producer gives. */
  const outputOf = (link: IdLink): string => `$steps.${described(link.producer).stepId}.outputs.${idName(link)}`;
  /**
   * The outputs of the step of each operation: the ids that other steps take, and the results of goals. A step has the
   * same outputs in all workflows, because linters look them up by the id of the step alone.
   */
  const outputs = new Map<GqlOperation, Map<string, string>>();
  const addOutput = (operation: GqlOperation, name: string, expression: string): void => {
    if (hasContent(operation)) remember(outputs, operation, () => new Map()).set(name, expression);
  };

  const workflowOf = ({ goal, steps, isCut }: Chain): ArazzoWorkflow => {
    const taken = new Set<string>();
    const called = steps.flatMap(({ operation, events }) => [operation, ...events]);
    const headers = headerInputs(schema)
      .filter(({ isRequired }) => called.some(isRequired))
      .map((header) => ({ ...header, name: takeName(taken, header.name) }));
    const inputs: (readonly [string, InputSchema])[] = [];
    // The last step with an input has its name, because it is the one that the workflow is about.
    const made = steps.toReversed().map((step) => {
      const own: (readonly [string, InputSchema])[] = [];
      const addInput: AddInput = (name, input) => {
        const { stepId } = described(step.operation);
        const given = takeName(taken, readable(taken.has(readable(name)) ? `${stepId}_${name}` : name));
        own.push([given, input]);
        return `$inputs.${given}`;
      };
      const written = stepOf(step.operation === goal ? step : withoutFilters(step), addInput, headers);
      inputs.unshift(...own);
      return written;
    });
    inputs.unshift(...headers.map(({ name, description }) => [name, { type: 'string', description }] as const));
    const workflowId = described(goal).stepId;
    const required = headers.length === 0 ? undefined : headers.map(({ name }) => name);
    const properties = Object.fromEntries(inputs);
    const hasResult = made[0]?.outputs?.result !== undefined;
    return defined({
      workflowId,
      summary: summaryOf(steps),
      description: [goal.description, isCut && cutDescription].filter(Boolean).join('\n\n') || undefined,
      inputs: inputs.length === 0 ? undefined : defined({ type: 'object' as const, properties, required }),
      steps: made.toReversed(),
      outputs: hasResult ? { result: `$steps.${workflowId}.outputs.result` } : undefined,
    });
  };

  const stepOf = (step: ChainStep, addInput: AddInput, inputs: readonly HeaderInput[]): ArazzoStep => {
    const { operation, call, events } = step;
    const { stepId, operationId, nameInPath } = described(operation);
    const ids = new Set<JsonValue>(call.places.map(({ link }) => outputOf(link)));
    // The fields of the request by which the events are filtered.
    const filters = new Set(events.flatMap((event) => event.arguments.map(({ name }) => name)));
    const request = requestOf(schema, step, addInput, (value) => ids.has(value), filters);
    const headersOf = (one: GqlOperation) =>
      inputs.flatMap((input) => (input.isRequired(one) ? [input.parameter(input.name, stepId)] : []));
    const sent = request.parameters.map((one) => (one.in === 'path' ? { ...one, name: nameInPath(one.name) } : one));
    const parameters = [...headersOf(operation), ...sent];
    const received = events.flatMap(
      (event) => eventOf(schema, operation, event, request.found, headersOf(event)) ?? [],
    );
    const given = outputs.get(operation);
    // The status; and for a query by id, that its result has this id.
    const successCriteria = [{ condition: `$statusCode == ${operation.status ?? 200}` }];
    const own = call.places.find(({ path, link }) => path.join('.') === 'id' && isAbout(link, operation));
    if (own !== undefined && isObject(schema, answerType(operation)))
      successCriteria.push({ condition: `$response.body#/id == ${outputOf(own.link)}` });
    return defined({
      stepId,
      description: operation.description?.trim().split('\n', 1)[0]?.trim() || routeText(operation),
      operationId,
      parameters: parameters.length === 0 ? undefined : parameters,
      requestBody: request.requestBody,
      successCriteria,
      outputs: given && Object.fromEntries(given),
      'x-events': received.length === 0 ? undefined : received,
    });
  };

  return {
    outputOf,
    workflowsOf(chains: readonly Chain[]): readonly ArazzoWorkflow[] {
      for (const { link } of chains.flatMap(({ steps }) => steps.flatMap(({ call }) => call.places)))
        addOutput(link.producer, idName(link), `$response.body#/${resultPointer(schema, link)}`);
      for (const { goal } of chains) addOutput(goal, 'result', '$response.body');
      return chains.map(workflowOf);
    },
  };
}

/** A header that some requests of a workflow require, and the input that its value comes from. */
interface HeaderInput {
  readonly name: string;
  readonly description: string;
  readonly isRequired: (operation: GqlOperation) => boolean;
  readonly parameter: (input: string, stepId: string) => ArazzoParameter;
}

/** The headers of requests: the credentials, in the first of the schemes, and the idempotency key. */
function headerInputs({ security: [scheme] = [] }: GqlSchema): readonly HeaderInput[] {
  const key: HeaderInput = {
    name: 'idempotencyKey',
    description: 'A new key for each run: requests that require an idempotency key begin theirs with it.',
    isRequired: ({ idempotent }) => idempotent !== undefined,
    // No other step has the same key.
    parameter: (input, stepId) => header('Idempotency-Key', `{$inputs.${input}}-${stepId}`),
  };
  if (scheme === undefined) return [key];
  const isBearer = scheme.type === 'bearer';
  const credentials: HeaderInput = {
    name: 'token',
    description: `The ${isBearer ? 'bearer token' : 'API key'} of the requests that require authentication.`,
    isRequired: ({ auth }) => auth === 'required',
    parameter: (input) =>
      scheme.type === 'bearer'
        ? header('Authorization', `Bearer {$inputs.${input}}`)
        : header(scheme.header, `$inputs.${input}`),
  };
  return [credentials, key];
}

function header(name: string, value: string): ArazzoParameter {
  return { name, in: 'header', value };
}

/** A step that lists objects for their ids lists all of them: with examples as filters, the list would be empty. */
function withoutFilters(step: ChainStep): ChainStep {
  const { operation, call } = step;
  if (operation.kind !== 'query' || nullable(operation.type).kind !== 'list') return step;
  const kept = operation.arguments.filter(({ type, fallback }) => type.kind === 'nonNull' || fallback !== undefined);
  const names = new Set(kept.map(({ name }) => name));
  const values = Object.entries(call.values).filter(([name]) => names.has(name));
  return { ...step, call: { ...call, values: Object.fromEntries(values) } };
}

const cutDescription = 'More operations lead to these steps. The ids that they give are inputs with examples.';

function summaryOf(steps: readonly ChainStep[]): string {
  const [first, ...others] = steps.map(({ operation }) => operation.name);
  return others.length === 0 ? `Calls ${first}.` : `Calls ${first}, then ${others.join(', then ')}.`;
}

/** Whether an id is that of the result of a query: its source returns an object of the same type. */
function isAbout({ producer, path }: IdLink, { kind, type }: GqlOperation): boolean {
  return kind === 'query' && path.length === 1 && path[0] === 'id' && baseName(producer.type) === baseName(type);
}

function isObject(schema: GqlSchema, type: TypeRef): boolean {
  const bare = nullable(type);
  return bare.kind === 'named' && namedType(schema, bare.name).kind === 'object';
}

/**
 * A name that all runners read: letters, digits and `_`, beginning with a letter (the names of runtime expressions,
 * Arazzo 1.0.1, section 4.7).
 */
function readable(name: string): string {
  return /^[A-Za-z]/.test(name) ? name : `x${name}`;
}
