import type { OpenAPIV3_1 } from 'openapi-types';
import { followReference } from '../../base/source/json-pointer.js';
import { withTimeout } from '../../base/values/with-timeout.js';
import type { ArazzoEvent, ArazzoParameter, ArazzoStep, ArazzoWorkflow } from '../../compiler/emit/arazzo/format.js';
import { checkSchema } from './check-schema.js';
import { evaluate, type Facts, failureOf, MissingValue, requestOf, type StepRequest } from './expressions.js';
import { parseJson, type ReceivedEvent, readAnswer, readEvent } from './read-answer.js';
import type { StepCaller, StepCallers } from './step-callers.js';

/** The description of an API, and where it is served. */
export interface WorkflowApi {
  readonly openapi: Pick<OpenAPIV3_1.Document, 'paths' | 'components'>;
  /** `http://127.0.0.1:4000`, without a final slash. */
  readonly origin: string;
}

export interface RunOptions {
  /** Values in place of the defaults of inputs, as texts: those of inputs that are not strings are JSON. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Finds the callers of requests; without it, their tokens are inputs. */
  readonly callers?: StepCallers | undefined;
  /** Gets each step that has passed, with its response among the facts. */
  readonly onPassed?: (step: ArazzoStep, facts: Facts) => void;
  /** How long an answer may take, and an event after it, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

export interface WorkflowResult {
  readonly workflow: string;
  readonly passed: boolean;
  readonly milliseconds: number;
  readonly steps: readonly StepResult[];
}

export interface StepResult {
  readonly step: string;
  /** `POST /api/signUp`; the path as it is in the OpenAPI document. */
  readonly request: string;
  /** The id of the caller; absent if tokens are inputs. */
  readonly caller?: string;
  /** `skipped` after a step that failed. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  /** The status of the response; absent if there is none. */
  readonly status?: number;
  readonly events: readonly string[];
  /** The differences from the document; empty unless the step failed. */
  readonly problems: readonly string[];
}

/** Runs a workflow to its end, or to the first step that fails. Never rejects. */
export async function runWorkflow(
  api: WorkflowApi,
  workflow: ArazzoWorkflow,
  options: RunOptions,
  inputs = inputsOf(workflow, options),
): Promise<WorkflowResult> {
  const start = options.clock();
  const script = workflow.steps.map((step) => ({ step, inputs }));
  const steps = await runSteps(api, script, new Map(), options);
  return {
    workflow: workflow.workflowId,
    passed: steps.every(({ outcome }) => outcome === 'passed'),
    milliseconds: options.clock() - start,
    steps,
  };
}

/** A step with the inputs of its workflow. Steps of several workflows can share outputs. */
export interface ScriptStep {
  readonly step: ArazzoStep;
  readonly inputs: Facts['inputs'];
}

/** The outputs of steps, by the ids of the steps. */
export type StepOutputs = Map<string, Readonly<Record<string, unknown>>>;

/** Runs steps to their end, or to the first one that fails. Adds their outputs. Never rejects. */
export async function runSteps(
  api: WorkflowApi,
  script: readonly ScriptStep[],
  outputs: StepOutputs,
  options: RunOptions,
): Promise<readonly StepResult[]> {
  const steps: StepResult[] = [];
  for (const { step, inputs } of script) {
    const hasFailed = steps.some(({ outcome }) => outcome !== 'passed');
    const request = describeRoute(routeOf(api, step));
    const skipped = { outcome: 'skipped', milliseconds: 0, events: [], problems: [] } as const;
    if (hasFailed) steps.push({ step: step.stepId, request, ...skipped });
    else steps.push(await runStep(api, step, { inputs, outputs }, outputs, options));
  }
  return steps;
}

/** The inputs of a workflow: the given ones, else their defaults. */
export function inputsOf(workflow: ArazzoWorkflow, options: Pick<RunOptions, 'inputs' | 'callers'>) {
  // The callers have tokens of their own, in place of the input.
  const isGiven = options.callers !== undefined && hasCredentials(workflow);
  const given = isGiven ? { token: '', ...options.inputs } : options.inputs;
  const keys = keyInputs(workflow);
  const values = Object.entries(workflow.inputs?.properties ?? {}).map(([name, { type, default: value }]) => {
    const text = Object.hasOwn(given, name) ? given[name] : undefined;
    if (text !== undefined) return [name, type === 'string' ? text : parseJson(text)];
    // With the keys of an earlier run, this one would get its answers.
    return [name, keys.includes(name) ? crypto.randomUUID() : value];
  });
  return Object.fromEntries(values);
}

/** Whether the input `token` has the credentials of requests: unlike an argument of this name, they have no default. */
export function hasCredentials({ inputs }: ArazzoWorkflow): boolean {
  return inputs?.required?.includes('token') === true;
}

/** The inputs with which idempotency keys begin. Each run has a new one. */
export function keyInputs({ inputs, steps }: ArazzoWorkflow): readonly string[] {
  const parameters: readonly ArazzoParameter[] = steps.flatMap((step) => step.parameters ?? []);
  const keys = parameters.filter(({ name }) => name === 'Idempotency-Key').map(({ value }) => String(value));
  return Object.keys(inputs?.properties ?? {}).filter((name) =>
    keys.some((key) => key.startsWith(`{$inputs.${name}}`)),
  );
}

async function runStep(
  api: WorkflowApi,
  step: ArazzoStep,
  facts: Facts,
  outputs: StepOutputs,
  options: RunOptions,
): Promise<StepResult> {
  const start = options.clock();
  const route = routeOf(api, step);
  const caller = options.callers?.(step);
  const problems: string[] = [];
  const events: string[] = [];
  let status: number | undefined;
  let answered = facts;
  const done = new AbortController();
  const signal = AbortSignal.any([options.signal, done.signal]);
  try {
    if (route === undefined) throw new MissingValue(`openapi.json has no operation ${step.operationId}`);
    const request = sentBy(caller, requestOf(route, step, facts));
    const expected = step['x-events'] ?? [];
    const streams = await Promise.all(expected.map((event) => openStream(api, event, facts, { ...options, signal })));
    const answer = await send(api.origin, request, options);
    status = answer.status;
    problems.push(...problemsOf(api, route.operation, answer));
    answered = { ...facts, response: { status, body: answer.body, eventId: answer.eventId } };
    for (const { condition } of step.successCriteria) {
      const failure = failureOf(condition, answered);
      if (failure !== undefined) problems.push(failure);
    }
    if (problems.length === 0) {
      outputs.set(step.stepId, evaluateOutputs(step, answered));
      // Null and an empty list are not published.
      const isPublished = answer.body !== null && !(Array.isArray(answer.body) && answer.body.length === 0);
      for (const [at, event] of isPublished ? expected.entries() : []) {
        const late = tooLate(`no event of ${event.subscription}`, options);
        const found = await withTimeout(options.timeout, signal, () => streams[at]?.next, late);
        problems.push(...eventProblems(api, event, found, answered));
        events.push(event.subscription);
      }
    }
  } catch (error) {
    problems.push(describeError(error, options));
  } finally {
    done.abort();
  }
  if (problems.length === 0) options.onPassed?.(step, answered);
  return {
    step: step.stepId,
    request: describeRoute(route),
    ...(caller && { caller: caller.id }),
    outcome: problems.length === 0 ? 'passed' : 'failed',
    milliseconds: options.clock() - start,
    ...(status !== undefined && { status }),
    events,
    problems,
  };
}

/** Outputs that are not there are missed by the steps that take them. */
function evaluateOutputs({ outputs = {} }: ArazzoStep, facts: Facts): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, expression] of Object.entries(outputs)) {
    try {
      const value = evaluate(expression, facts);
      if (value !== null) found[name] = value;
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
    }
  }
  return found;
}

/** The route of a step; undefined if the document has no operation of this id. */
export function routeOf({ openapi }: WorkflowApi, { operationId }: ArazzoStep) {
  for (const [path, item] of Object.entries(openapi.paths ?? {})) {
    for (const [method, operation] of Object.entries(item ?? {}) as [string, OpenAPIV3_1.OperationObject][])
      if (operation.operationId === operationId) return { method: method.toUpperCase(), path, operation };
  }
  return undefined;
}

function describeRoute(route: ReturnType<typeof routeOf>): string {
  return route === undefined ? '' : `${route.method} ${route.path}`;
}

async function send(origin: string, request: StepRequest, options: RunOptions) {
  const { method, target, headers, body } = request;
  const ask = async (signal: AbortSignal) => {
    const response = await fetch(origin + target, {
      method,
      headers: { accept: 'application/json, application/problem+json', ...options.headers, ...headers },
      body: body ?? null,
      // An answer from elsewhere is not that of the API.
      redirect: 'manual',
      signal,
    });
    const text = await readAnswer(response);
    const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? '';
    return {
      status: response.status,
      type,
      body: text === '' ? undefined : parseJson(text),
      eventId: response.headers.get('event-id') ?? undefined,
    };
  };
  return withTimeout(options.timeout, options.signal, ask, tooLate('no answer', options));
}

/** The same request with the credentials of a caller, in place of those of the document. */
function sentBy(caller: StepCaller | undefined, request: StepRequest): StepRequest {
  if (caller === undefined) return request;
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${caller.token}` } };
}

function tooLate(what: string, { timeout }: RunOptions): () => Error {
  return () => new Error(`${what} within ${timeout} ms`);
}

function problemsOf(
  { openapi }: WorkflowApi,
  operation: OpenAPIV3_1.OperationObject,
  { status, type, body }: Awaited<ReturnType<typeof send>>,
): string[] {
  const responses = operation.responses ?? {};
  const found = responses[status] ?? responses.default;
  if (found === undefined) return [`the status ${status} is not documented`];
  const response = ('$ref' in found ? followReference(openapi, found.$ref) : found) as OpenAPIV3_1.ResponseObject;
  const problem = type === 'application/problem+json' ? [describeProblem(body)] : [];
  if (response.content === undefined) return problem;
  const media = response.content[type];
  if (media === undefined) return [...problem, `the content type is ${type || 'missing'}`];
  return [...problem, ...checkSchema(openapi, media.schema ?? {}, body)];
}

/** The message of a problem document (RFC 9457). */
function describeProblem(body: unknown): string {
  const { title, detail } = (body ?? {}) as { readonly title?: unknown; readonly detail?: unknown };
  return `the server says: ${String(detail ?? title ?? 'nothing')}`;
}

/** Opens a stream. The server has subscribed once it has sent the headers. */
async function openStream({ origin }: WorkflowApi, event: ArazzoEvent, facts: Facts, options: RunOptions) {
  const { headers, timeout, signal } = options;
  const plain = requestOf({ method: 'GET', path: event.path }, event, facts);
  const request = sentBy(options.callers?.(event), plain);
  const sent = { accept: 'text/event-stream', ...headers, ...request.headers };
  const open = () => fetch(origin + request.target, { headers: sent, redirect: 'manual', signal });
  const late = tooLate(`no stream of ${event.subscription}`, options);
  const response = await withTimeout(timeout, signal, open, late);
  if (response.status !== 200) throw new Error(`GET ${event.path} answers ${response.status}`);
  const next = readEvent(response);
  // The stream is closed if the request fails.
  next.catch(() => undefined);
  return { next };
}

function eventProblems(
  { openapi }: WorkflowApi,
  { subscription, schema, matches = {} }: ArazzoEvent,
  event: ReceivedEvent | undefined,
  facts: Facts,
): string[] {
  if (event === undefined) return [`the stream of ${subscription} ended without an event`];
  const data = parseJson(event.data);
  if (event.event !== 'message') return [`the event of ${subscription} is an ${event.event}: ${describeProblem(data)}`];
  const differing = Object.entries(matches).flatMap(([field, expression]) => {
    const [found, wanted] = [followReference(data, `#/${field}`), evaluate(expression, facts)];
    return found === wanted ? [] : [`/${field} is ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`];
  });
  return [...checkSchema(openapi, schema, data), ...differing].map(
    (problem) => `in the event of ${subscription}: ${problem}`,
  );
}

function describeError(error: unknown, { signal }: RunOptions): string {
  if (signal.aborted) return 'stopped';
  const { message, cause } = error as Error & {
    readonly cause?: { readonly code?: string; readonly message?: string };
  };
  const reason = cause?.code ?? cause?.message;
  return reason === undefined ? message : `cannot reach the server: ${reason}`;
}
