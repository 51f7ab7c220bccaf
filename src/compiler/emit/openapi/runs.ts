import type { OpenAPIV3_1 } from 'openapi-types';
import { type ApiChain, durableChains, hasUndo, hasWaits, runStates } from '../../api/chains/api-chains.js';
import { takeName } from '../../graph/names.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { restPrefix } from '../../schema/server-paths.js';
import { objectOf } from './component-schemas.js';
import type { Operation } from './extensions.js';
import type { Parameter } from './parameters.js';
import { problemName, problemResponses } from './problems.js';
import { securityRequirements } from './security.js';
import { componentRef, type JsonSchema, type ObjectSchema } from './type-schema.js';

/** The paths of the runs of durable chains: `/api/runs/{id}`, and the one that cancels a run. */
export function* runPaths(
  schema: GqlSchema,
  taken: Set<string>,
): Iterable<readonly [string, { readonly [method: string]: unknown }]> {
  const chains = durableChains(schema);
  const [first] = chains;
  if (first === undefined) return;
  const { kind, tags = [kind], arguments: args } = first.goal.operation;
  const refs = chains.map(({ name }) => componentRef(`${name}.Run`));
  const run = refs.length === 1 ? refs[0] : { oneOf: refs };
  const security = securityRequirements(schema, {});
  const id: Parameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const operation = (name: string, summary: string, status: number, conflict?: string): Operation => {
    // Without a kind that takes a body or a result that may be missing.
    const plain = { ...first.goal.operation, name, arguments: args, kind: 'query' as const };
    const { nullStatus: _, etag: __, status: ___, throws: ____, ...bare } = plain;
    const responses = problemResponses(schema, bare);
    const problem = { 'application/problem+json': { schema: componentRef(problemName(schema)) } };
    responses[status] = {
      description: 'The run.',
      content: { 'application/json': { schema: run as object } },
    };
    responses[404] = { description: 'The caller has no such run.', content: problem };
    if (conflict !== undefined) responses[409] = { description: conflict, content: problem };
    return {
      operationId: takeName(taken, name),
      tags: [...tags],
      summary,
      ...(security !== undefined && { security }),
      parameters: [id as OpenAPIV3_1.ParameterObject],
      responses,
      'x-run': true,
    };
  };
  const path = `${restPrefix}runs/{id}`;
  const read = operation('readRun', 'Reads a run of a durable chain.', 200);
  const found = read.responses?.[200] as OpenAPIV3_1.ResponseObject;
  found.content = { ...found.content, 'text/event-stream': { schema: { type: 'string' } } };
  yield [path, { get: read }];
  const cancel = operation('cancelRun', 'Cancels a run of a durable chain.', 202, 'The run has ended.');
  yield [`${path}/cancel`, { post: cancel }];
}

const undoneSchema: JsonSchema = {
  type: 'array',
  description: 'The steps that were undone, in the order in which they were.',
  items: { type: 'string' },
};

function waitSchema(time: JsonSchema): JsonSchema {
  const description = 'The event that the step waits for, and when the wait ends. Without an event, the step pauses.';
  return { type: 'object', description, properties: { event: { type: 'string' }, until: time } };
}

/** The schema of a run: its state, the results of its steps, and why it failed. */
export function runSchema(schema: GqlSchema, chain: ApiChain, steps: JsonSchema): ObjectSchema {
  const { name } = chain;
  const waits = hasWaits(chain);
  const time: JsonSchema = { type: 'string', format: 'date-time' };
  const properties: Record<string, JsonSchema> = {
    id: { type: 'string' },
    chain: { type: 'string', const: name },
    state: { type: 'string', enum: [...runStates] },
    steps,
    step: { type: 'string', description: 'The step that runs or waits, or that failed.' },
    ...(waits && { waitsFor: waitSchema(time) }),
    problem: componentRef(problemName(schema)),
    ...(hasUndo(chain) && { undone: undoneSchema }),
    createdAt: time,
    endedAt: time,
  };
  return objectOf(`A run of the chain ${name}.`, properties, ['id', 'chain', 'state', 'steps', 'createdAt']);
}
