import { defined } from '../../base/values/defined.js';
import type { ArazzoStep, ArazzoWorkflow } from '../../compiler/emit/arazzo/format.js';
import type { JsonValue } from '../../compiler/graph/json-value.js';
import type { GqlArgument, GqlSchema } from '../../compiler/schema/gql-schema.js';
import { type Facts, requestOf } from './expressions.js';
import { freshInputs } from './fresh-inputs.js';
import {
  hasCredentials,
  inputsOf,
  keyInputs,
  type RunOptions,
  routeOf,
  type StepOutputs,
  type WorkflowApi,
} from './run-workflow.js';

export interface LoadOptions extends Pick<RunOptions, 'inputs' | 'headers' | 'timeout'> {
  /** In seconds. */
  readonly duration: number;
  /** The workflows that begin in a second. */
  readonly rate: number;
}

/** How many workflows may be in flight for each that begins in a second. */
const inFlight = 10;

/**
 * Writes workflows as a test script of Artillery: each is a scenario, whose requests capture the ids that later ones send.
 * Its events are not received. Tokens come from the environment variable `TOKEN`. Texts that a store keeps unique contain the
 * id of the virtual user; other unique values are the examples.
 */
export function loadScript(
  api: WorkflowApi,
  schema: GqlSchema,
  workflows: readonly ArazzoWorkflow[],
  { duration, rate, timeout, headers, inputs }: LoadOptions,
) {
  return {
    config: {
      target: api.origin,
      phases: [{ duration, arrivalRate: rate, maxVusers: rate * inFlight }],
      http: { timeout: Math.ceil(timeout / 1000) },
    },
    scenarios: workflows.map((workflow) => {
      const outputs: StepOutputs = new Map();
      const given = hasCredentials(workflow) ? { token: '{{ $env.TOKEN }}', ...inputs } : inputs;
      const defaults = { ...inputsOf(workflow, { inputs: given }), ...freshKeys(workflow) };
      const facts = { inputs: freshInputs(schema, workflow, defaults, inputs, newText), outputs };
      return {
        name: workflow.workflowId,
        flow: workflow.steps.map((step) => requestIn(api, step, facts, outputs, headers)),
      };
    }),
  };
}

function requestIn(
  api: WorkflowApi,
  step: ArazzoStep,
  facts: Facts,
  outputs: StepOutputs,
  headers: RunOptions['headers'],
) {
  const { stepId } = step;
  const route = routeOf(api, step);
  if (route === undefined) throw new Error(`invariant: openapi.json has no operation ${step.operationId}`);
  const request = requestOf(route, step, facts);
  const ids = Object.entries(step.outputs ?? {}).filter(([, from]) => from.includes('#'));
  outputs.set(stepId, Object.fromEntries(ids.map(([name]) => [name, `{{${stepId}_${name}}}`])));
  const [path = '', query] = request.target.split('?', 2);
  const capture = ids.map(([name, from]) => ({ json: jsonPath(from), as: `${stepId}_${name}` }));
  return {
    [route.method.toLowerCase()]: defined({
      url: path.replace(/%7B%7B(\w+)%7D%7D/g, '{{$1}}'),
      // Ids that are put in here are encoded.
      qs: query === undefined ? undefined : valuesByName(new URLSearchParams(query)),
      name: `${route.method} ${route.path}`,
      headers: { ...headers, ...request.headers },
      json: request.body === undefined ? undefined : (JSON.parse(request.body) as unknown),
      capture: capture.length === 0 ? undefined : capture,
    }),
  };
}

/** The value of each parameter of a query string: several are a list. */
function valuesByName(query: URLSearchParams): Readonly<Record<string, string | readonly string[]>> {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}

/** `$[0].id` for `$response.body#/0/id`. */
function jsonPath(expression: string): string {
  const [, ...segments] = expression.slice(expression.indexOf('#')).split('/');
  return `$${segments.map((one) => (/^\d+$/.test(one) ? `[${one}]` : `.${one}`)).join('')}`;
}

function newText({ constraints = {} }: GqlArgument, value: JsonValue): JsonValue | undefined {
  const { pattern, format = 'email', maxLength = Number.POSITIVE_INFINITY } = constraints;
  const isFree =
    pattern === undefined && format === 'email' && typeof value === 'string' && maxLength > value.length + 36;
  return isFree ? value.replace(/(?=@)|$/, '{{ $uuid }}') : undefined;
}

/** Each request has a key of its own: with an equal one, it would get the answer of an earlier request. */
function freshKeys(workflow: ArazzoWorkflow): Readonly<Record<string, string>> {
  return Object.fromEntries(keyInputs(workflow).map((name) => [name, '{{ $randomString(20) }}']));
}
