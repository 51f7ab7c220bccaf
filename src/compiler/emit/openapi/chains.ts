import type { OpenAPIV3_1 } from 'openapi-types';
import { hasFurtherWords, withAccess } from '../../api/access.js';
import { type ApiChain, apiChains, exampleInputs, takenOf } from '../../api/chains/api-chains.js';
import { pagedResult } from '../../api/chains/paged-result.js';
import { answerType } from '../../api/rest-routes.js';
import { accessOf, joinAccess } from '../../graph/access.js';
import { takeName } from '../../graph/names.js';
import type { GqlAccess, GqlArgument, GqlOperation, GqlSchema } from '../../schema/gql-schema.js';
import { argumentsSchema, objectOf } from './component-schemas.js';
import type { Operation } from './extensions.js';
import { idempotencyKey, idempotencyKeyRefs } from './parameters.js';
import { problemResponses } from './problems.js';
import { runPaths, runSchema } from './runs.js';
import { securityRequirements } from './security.js';
import type { StreamStyle } from './streams.js';
import {
  type ComponentSchemas,
  componentRef,
  type JsonSchema,
  limitPages,
  type ObjectSchema,
  setDescription,
  typeSchema,
} from './type-schema.js';

/** The paths of chains: `POST /api/chains/{name}`. */
export function* chainPaths(
  schema: GqlSchema,
  ids: ReadonlyMap<{ readonly operation: GqlOperation }, string>,
  { takesKeys }: Pick<StreamStyle, 'takesKeys'>,
): Iterable<readonly [string, { readonly [method: string]: unknown }]> {
  const chains = apiChains(schema);
  if (chains.length === 0) return;
  const taken = new Set(ids.values());
  const goals = new Map([...ids].map(([{ operation }, id]) => [operation, id]));
  for (const chain of chains) {
    const { name, path, goal, steps } = chain;
    const { durable } = goal.operation;
    const operations = steps.map(({ operation }) => operation);
    const access = operations.reduce<GqlAccess>(joinAccess, {});
    const throws = [...new Set(operations.flatMap((one) => one.throws ?? []))];
    const { kind, deprecated, tags = [kind] } = goal.operation;
    const keyed = operations.find(({ idempotent }) => idempotent) ?? operations.find((one) => one.kind === 'mutation');
    const refs = keyed === undefined ? [] : [...idempotencyKeyRefs(keyed, takesKeys)];
    // A run takes a key even if its steps do not.
    const isOptional = durable && keyed?.idempotent === undefined;
    const parameters = isOptional ? [idempotencyKey(false) as OpenAPIV3_1.ParameterObject] : refs;
    const { nullStatus: _, etag: __, status: ___, ...plain } = goal.operation;
    const responses = problemResponses(schema, { ...plain, ...access, throws });
    const content = (form: string, example?: object) => ({
      'application/json': { schema: componentRef(`${name}.${form}`), ...(example && { example }) },
    });
    if (durable) responses[202] = accepted(content('Run'));
    else responses[200] = { description: 'The results of the steps.', content: content('Chain') };
    const made: Operation = {
      operationId: takeName(taken, `${name}Chain`),
      tags: [...tags],
      summary: `Runs ${operations.map((one) => one.name).join(', ')}.`,
    };
    const text = durable ? durableDescription : description;
    setDescription(made, hasFurtherWords(access) ? withAccess(text, access) : text);
    if (hasFurtherWords(access)) made['x-access'] = accessOf(access);
    if (deprecated !== undefined) made.deprecated = true;
    const security = securityRequirements(schema, access);
    if (security !== undefined) made.security = security;
    if (parameters.length > 0) made.parameters = parameters;
    made.requestBody = {
      description: 'The arguments of the steps to run, by the names of the steps.',
      content: content('ChainInputs', exampleInputs(schema, chain)),
    };
    made.responses = responses;
    made['x-chain'] = goals.get(goal.operation) as string;
    yield [path, { post: made }];
  }
  yield* runPaths(schema, taken);
}

const accepted = (content: OpenAPIV3_1.ResponseObject['content']): OpenAPIV3_1.ResponseObject => ({
  description: 'The run has begun.',
  headers: { Location: { description: 'The path of the run.', schema: { type: 'string' } } },
  ...(content && { content }),
});

const description =
  'Runs the steps that the inputs name, and the last one. An id that the inputs leave out comes from an earlier step. ' +
  'A problem has the members `failed`, the step that failed, and `steps`, the results of those before it.';

const durableDescription =
  'Begins a run of the steps that the inputs name, and the last one. An id that the inputs leave out comes from an ' +
  'earlier step. The run goes on if the server ends; the path in `Location` tells its state.';

/** The component schemas of chains. No type has a name with a dot. */
export function* chainSchemas(schema: GqlSchema, pageSize?: number | false): ComponentSchemas {
  for (const chain of apiChains(schema)) {
    yield [`${chain.name}.ChainInputs`, inputsSchema(schema, chain, pageSize)];
    const results = resultsSchema(schema, chain);
    if (chain.goal.operation.durable) {
      yield [`${chain.name}.Run`, runSchema(schema, chain, results.properties?.steps as JsonSchema)];
    } else yield [`${chain.name}.Chain`, results];
  }
}

function inputsSchema(schema: GqlSchema, { name, steps }: ApiChain, pageSize?: number | false): ObjectSchema {
  const properties = steps.map(({ name: step, operation, takes }) => {
    const made = withoutTaken(
      schema,
      operation.arguments,
      takes.map(({ path }) => path),
    );
    setDescription(made, operation.description);
    return [step, limitPages(made, operation, pageSize)] as const;
  });
  const made = objectOf(`The inputs of the chain ${name}.`, Object.fromEntries(properties), []);
  return Object.assign(made, { additionalProperties: false });
}

/** The schema of arguments of which none that takes an id is required. Inputs with such fields stand in their place. */
function withoutTaken(
  schema: GqlSchema,
  declarations: readonly GqlArgument[],
  paths: readonly (readonly string[])[],
): ObjectSchema {
  const made = argumentsSchema(schema, declarations);
  const optional = new Set<string>();
  for (const declaration of declarations) {
    const taken = takenOf(schema, declaration, paths);
    if (taken === undefined) continue;
    const { name } = declaration;
    if (taken === 'id') optional.add(name);
    else {
      const object = withoutTaken(schema, taken.input.fields, taken.paths);
      setDescription(object, declaration.description ?? taken.input.description);
      Object.assign(made.properties as object, { [name]: object });
      if (object.required === undefined) optional.add(name);
    }
  }
  const { required = [], ...rest } = made;
  const left = required.filter((name) => !optional.has(name));
  return left.length === 0 ? rest : { ...rest, required: left };
}

function resultsSchema(schema: GqlSchema, { name, steps }: ApiChain): ObjectSchema {
  const items = steps.map(({ name: step, operation }) =>
    objectOf(undefined, { operation: { type: 'string', const: step }, result: resultSchema(schema, operation) }, [
      'operation',
      'result',
    ]),
  );
  const list: JsonSchema = {
    type: 'array',
    items: items.length === 1 ? (items[0] as JsonSchema) : { oneOf: items },
  };
  setDescription(list, 'The steps that ran, in their order.');
  return objectOf(`The results of the chain ${name}.`, { steps: list }, ['steps']);
}

/** The result of a step. A connection is a list of its items, and the cursor of the next page. */
export function resultSchema(schema: GqlSchema, operation: GqlOperation): JsonSchema {
  const result = typeSchema(schema, answerType(operation));
  if (operation.page === undefined) return result;
  return {
    type: operation.type.kind === 'nonNull' ? 'object' : ['object', 'null'],
    properties: pagedResult<JsonSchema>(operation, {
      items: result,
      after: { type: 'string' },
      totalCount: { type: 'integer' },
    }),
    required: ['items'],
  } as JsonSchema;
}
