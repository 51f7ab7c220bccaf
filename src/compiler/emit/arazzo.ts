import { defined } from '../../base/values/defined.js';
import { type Chain, type ChainStep, findChains } from '../api/chains/chains.js';
import { type IdLink, linkedOperations } from '../api/chains/id-links.js';
import { unconstrainedId } from '../api/chains/linked-arguments.js';
import { resultPointer } from '../api/chains/result-pointer.js';
import { answerType, type DocumentedPath, documentPaths, hasContent } from '../api/rest-routes.js';
import type { JsonValue } from '../graph/json-value.js';
import { remember } from '../graph/maps.js';
import { takeName } from '../graph/names.js';
import { baseName, nullable, type TypeRef } from '../graph/type-ref.js';
import type { GqlOperation, GqlSchema } from '../schema/gql-schema.js';
import { routeText } from '../schema/route-path.js';
import { namedType } from '../schema/schema-index.js';
import type {
  ArazzoDescription,
  ArazzoParameter,
  ArazzoStep,
  ArazzoWorkflow,
  InputSchema,
} from './arazzo/format.js';
import { type AddInput, eventOf, requestOf } from './arazzo/requests.js';
import { operationIds } from './openapi/operations.js';

/**
 * Describes the workflows of a schema as an Arazzo 1.0.1 document beside its `openapi.json`: each chain of operations is a
 * workflow, whose steps hand ids on. Undefined if the topology has no queries and mutations.
 *
 * @param schema the schema of a topology
 * @param title the title of the document
 *
 * @example
 * ```ts
 * import { compile, schemaToWorkflows } from 'gg-svc';
 *
 * const result = compile("(root)-[:PROCESS { id: ID! }]->(user { id: ID!, name: String! })");
 * if (result.ok) console.log(schemaToWorkflows(result.schema, 'Users')?.workflows);
 * ```
 */
export function schemaToWorkflows(schema: GqlSchema, title: string): ArazzoDescription | undefined {
  const own = linkedOperations(schema);
  if (own.queries.length + own.mutations.length === 0) return undefined;
  const writer = new WorkflowWriter(schema);
  const chains = findChains(own, (link) =>
    hasContent(link.producer) ? writer.outputOf(link) : unconstrainedId,
  );
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

/** Writes chains as workflows. */
class WorkflowWriter {
  readonly #operationIds = new Map<GqlOperation, string>();
  readonly #stepIds = new Map<GqlOperation, string>();
  /** The names of the outputs that are ids. */
  readonly #idNames = new Map<IdLink, string>();
  readonly #takenNames = new Set<string>();
  readonly #namesInPaths = new Map<GqlOperation, DocumentedPath['nameOf']>();
  /**
   * The outputs of the step of each operation: the ids that other steps take, and the results of goals. A step has the
   * same outputs in all workflows, because linters look them up by the id of the step alone.
   */
  readonly #outputs = new Map<GqlOperation, Map<string, string>>();

  constructor(readonly schema: GqlSchema) {
    const taken = new Set<string>();
    const documented = documentPaths();
    for (const [route, operationId] of operationIds(schema)) {
      const { operation } = route;
      this.#namesInPaths.set(operation, documented(route).nameOf);
      this.#operationIds.set(operation, operationId);
      this.#stepIds.set(operation, takeName(taken, readable(operationId)));
    }
  }

  /** The expression of an id that the step of its producer gives. */
  outputOf(link: IdLink): string {
    return `$steps.${this.#stepId(link.producer)}.outputs.${this.#idName(link)}`;
  }

  workflowsOf(chains: readonly Chain[]): readonly ArazzoWorkflow[] {
    for (const { call } of chains.flatMap(({ steps }) => steps)) {
      for (const { link } of call.places)
        this.#addOutput(
          link.producer,
          this.#idName(link),
          `$response.body#/${resultPointer(this.schema, link)}`,
        );
    }
    for (const { goal } of chains) this.#addOutput(goal, 'result', '$response.body');
    return chains.map((chain) => this.#workflowOf(chain));
  }

  #stepId(operation: GqlOperation): string {
    return this.#stepIds.get(operation) ?? '';
  }

  #idName(link: IdLink): string {
    return remember(this.#idNames, link, () => takeName(this.#takenNames, readable(link.variable)));
  }

  #addOutput(operation: GqlOperation, name: string, expression: string): void {
    if (hasContent(operation))
      remember(this.#outputs, operation, () => new Map<string, string>()).set(name, expression);
  }

  #workflowOf({ goal, steps, isCut }: Chain): ArazzoWorkflow {
    const taken = new Set<string>();
    const operations = steps.flatMap(({ operation, events }) => [operation, ...events]);
    const headers = headerInputs(this.schema)
      .filter(({ isRequired }) => operations.some(isRequired))
      .map((header) => ({ ...header, name: takeName(taken, header.name) }));
    const inputs: (readonly [string, InputSchema])[] = [];
    // The last step with an input has its name, because it is the one that the workflow is about.
    const made = steps.toReversed().map((step) => {
      const own: (readonly [string, InputSchema])[] = [];
      const addInput: AddInput = (name, input) => {
        const isTaken = taken.has(readable(name));
        const given = takeName(taken, readable(isTaken ? `${this.#stepId(step.operation)}_${name}` : name));
        own.push([given, input]);
        return `$inputs.${given}`;
      };
      const written = this.#stepOf(step.operation === goal ? step : withoutFilters(step), addInput, headers);
      inputs.unshift(...own);
      return written;
    });
    inputs.unshift(
      ...headers.map(({ name, description }) => [name, { type: 'string', description }] as const),
    );
    const workflowId = this.#stepId(goal);
    const description = [goal.description, isCut ? cutDescription : undefined].filter(Boolean).join('\n\n');
    const required = headers.length === 0 ? undefined : headers.map(({ name }) => name);
    const properties = Object.fromEntries(inputs);
    const hasResult = made[0]?.outputs?.result !== undefined;
    return defined({
      workflowId,
      summary: summaryOf(steps),
      description: description || undefined,
      inputs: inputs.length === 0 ? undefined : defined({ type: 'object' as const, properties, required }),
      steps: made.toReversed(),
      outputs: hasResult ? { result: `$steps.${workflowId}.outputs.result` } : undefined,
    });
  }

  #stepOf(step: ChainStep, addInput: AddInput, inputs: readonly HeaderInput[]): ArazzoStep {
    const { operation, call, events } = step;
    const stepId = this.#stepId(operation);
    const ids = new Set<JsonValue>(call.places.map(({ link }) => this.outputOf(link)));
    // The fields of the request by which the events are filtered.
    const filters = new Set(events.flatMap((event) => event.arguments.map(({ name }) => name)));
    const request = requestOf(this.schema, step, addInput, (value) => ids.has(value), filters);
    const headersOf = (one: GqlOperation) =>
      inputs.flatMap((input) => (input.isRequired(one) ? [input.parameter(input.name, stepId)] : []));
    const nameInPath = this.#namesInPaths.get(operation) as DocumentedPath['nameOf'];
    const sent = request.parameters.map((one) =>
      one.in === 'path' ? { ...one, name: nameInPath(one.name) } : one,
    );
    const parameters = [...headersOf(operation), ...sent];
    const received = events.flatMap(
      (event) => eventOf(this.schema, operation, event, request.found, headersOf(event)) ?? [],
    );
    const outputs = this.#outputs.get(operation);
    return defined({
      stepId,
      description: operation.description?.trim().split('\n', 1)[0]?.trim() || routeText(operation),
      operationId: this.#operationIds.get(operation) ?? '',
      parameters: parameters.length === 0 ? undefined : parameters,
      requestBody: request.requestBody,
      successCriteria: this.#criteriaOf(step),
      outputs: outputs && Object.fromEntries(outputs),
      'x-events': received.length === 0 ? undefined : received,
    });
  }

  /** The status; and for a query by id, that its result has this id. */
  #criteriaOf({ operation, call }: ChainStep) {
    const criteria = [{ condition: `$statusCode == ${operation.status ?? 200}` }];
    const own = call.places.find(({ path, link }) => path.join('.') === 'id' && isAbout(link, operation));
    if (own !== undefined && isObject(this.schema, answerType(operation)))
      criteria.push({ condition: `$response.body#/id == ${this.outputOf(own.link)}` });
    return criteria;
  }
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
  const kept = operation.arguments.filter(
    ({ type, fallback }) => type.kind === 'nonNull' || fallback !== undefined,
  );
  const names = new Set(kept.map(({ name }) => name));
  const values = Object.entries(call.values).filter(([name]) => names.has(name));
  return { ...step, call: { ...call, values: Object.fromEntries(values) } };
}

const cutDescription =
  'More operations lead to these steps. The ids that they give are inputs with examples.';

function summaryOf(steps: readonly ChainStep[]): string {
  const [first, ...others] = steps.map(({ operation }) => operation.name);
  return others.length === 0 ? `Calls ${first}.` : `Calls ${first}, then ${others.join(', then ')}.`;
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

/**
 * A name that all runners read: letters, digits and `_`, beginning with a letter (the names of runtime expressions,
 * Arazzo 1.0.1, section 4.7).
 */
function readable(name: string): string {
  return /^[A-Za-z]/.test(name) ? name : `x${name}`;
}
