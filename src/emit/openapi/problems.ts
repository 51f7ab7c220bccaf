import type { OpenAPIV3_1 } from 'openapi-types';
import { problemCodeOf } from '../../graph/names.js';
import { nonNull, nullable } from '../../graph/type-ref.js';
import type { GqlOperation, GqlProblemType, GqlSchema } from '../../schema/gql-schema.js';
import { indexSchema } from '../../schema/schema-index.js';
import { componentRef, describe, type JsonSchema, typeSchema } from './type-schema.js';

/**
 * The error responses of an operation: those of every operation, as references by status, and those that the topology
 * declares. With a status in common, the body is one of several.
 */
export function problemResponses(
  schema: GqlSchema,
  { nullStatus, throws = [] }: GqlOperation,
): OpenAPIV3_1.ResponsesObject {
  const responses: OpenAPIV3_1.ResponsesObject = {};
  const declared = (schema.problems ?? []).filter(({ name }) => throws.includes(name));
  const statuses = new Set(declared.map(({ status }) => status));
  if (nullStatus !== undefined) statuses.add(nullStatus);
  for (const status of statuses) {
    const here = declared.filter((problem) => problem.status === status);
    const names = here.map(({ name }) => name);
    const descriptions = here.map(({ name, description }) => description ?? name);
    if (status === nullStatus) descriptions.unshift('There is no result.');
    const general = everyResponse.get(status);
    if (general !== undefined) descriptions.push(general.description);
    if (status === nullStatus || general !== undefined) names.push(problemName(schema));
    const schemas = names.map(componentRef);
    responses[status] = {
      description: descriptions.join('\n\n'),
      content: {
        'application/problem+json': {
          schema: schemas.length === 1 ? (schemas[0] as OpenAPIV3_1.ReferenceObject) : { anyOf: schemas },
        },
      },
    };
  }
  for (const [status, { component }] of everyResponse) {
    if (!statuses.has(status)) responses[status] = { $ref: `#/components/responses/${component}` };
  }
  responses.default = { $ref: '#/components/responses/OtherProblem' };
  return responses;
}

/** The errors that every operation may answer with, by status. */
const everyResponse: ReadonlyMap<number, { readonly component: string; readonly description: string }> =
  new Map([
    [
      400,
      { component: 'BadRequest', description: 'An argument is missing, unknown, or has the wrong type.' },
    ],
    [500, { component: 'InternalError', description: 'The operation failed.' }],
    [
      501,
      {
        component: 'NotImplemented',
        description:
          'The operation has no resolver and no constant; the response names the edge of the topology.',
      },
    ],
  ]);

/** The schema of a declared error: problem details with its code and its fields. */
export function declaredProblemSchema(
  schema: GqlSchema,
  { name, description, status, fields }: GqlProblemType,
): OpenAPIV3_1.SchemaObject {
  const { type, title, detail, instance } = problemSchema().properties ?? {};
  const properties: Record<string, JsonSchema> = {
    ...({ type, title } as Record<string, JsonSchema>),
    status: { type: 'integer', const: status },
    ...({ detail, instance } as Record<string, JsonSchema>),
    code: { type: 'string', const: problemCodeOf(name) },
  };
  for (const field of fields) {
    const property = typeSchema(schema, nonNull(nullable(field.type)));
    describe(property, field.description);
    properties[field.name] = property;
  }
  const always = fields.filter(
    ({ type: given, fallback }) => given.kind === 'nonNull' || (fallback ?? null) !== null,
  );
  const made: OpenAPIV3_1.NonArraySchemaObject = { type: 'object' };
  describe(made, description);
  made.properties = properties;
  made.required = ['title', 'status', 'code', ...always.map((field) => field.name)];
  return made;
}

/** The name of the component that holds `problemSchema`. The types of the topology keep theirs. */
export function problemName(schema: GqlSchema): string {
  const { types } = indexSchema(schema);
  let name = 'Problem';
  const isTaken = (wanted: string) =>
    types.has(wanted) || schema.problems?.some((problem) => problem.name === wanted) === true;
  while (isTaken(name)) name += '_';
  return name;
}

/** Problem details (RFC 9457), the body of every error response. There may be further members. */
export function problemSchema(): OpenAPIV3_1.SchemaObject {
  return {
    type: 'object',
    description: 'An error response: problem details (RFC 9457).',
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: 'The type of the problem; about:blank where the status says everything.',
        default: 'about:blank',
      },
      title: { type: 'string', description: 'A short summary of the problem type.' },
      status: { type: 'integer', description: 'The HTTP status.', minimum: 100, maximum: 599 },
      detail: { type: 'string', description: 'What is wrong with this request, and what to do.' },
      instance: { type: 'string', format: 'uri-reference', description: 'The request that failed.' },
      parameter: { type: 'string', description: 'The path of the invalid argument: `input.tags[1]`.' },
      code: { type: 'string', description: 'A machine-readable code, such as NOT_IMPLEMENTED.' },
    },
    required: ['title', 'status'],
  };
}

/**
 * The components behind `problemResponses`.
 *
 * @param problem the name of the component that holds `problemSchema`
 */
export function problemComponents(problem: string): Record<string, OpenAPIV3_1.ResponseObject> {
  const response = (
    description: string,
    status: number,
    title: string,
    detail: string,
  ): OpenAPIV3_1.ResponseObject => ({
    description,
    content: {
      'application/problem+json': {
        schema: componentRef(problem),
        example: { type: 'about:blank', title, status, detail },
      },
    },
  });
  return {
    BadRequest: response(
      everyResponse.get(400)?.description ?? '',
      400,
      'Bad Request',
      'The argument “id” is missing.',
    ),
    InternalError: response(
      everyResponse.get(500)?.description ?? '',
      500,
      'Internal Server Error',
      'Unexpected error.',
    ),
    NotImplemented: response(
      everyResponse.get(501)?.description ?? '',
      501,
      'Not Implemented',
      'This operation has no resolver.',
    ),
    OtherProblem: response(
      'The server rejected the request before running the operation.',
      405,
      'Method Not Allowed',
      'This route does not support the method.',
    ),
  };
}
