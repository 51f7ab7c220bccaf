import type { OpenAPIV3_1 } from 'openapi-types';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { indexSchema } from '../../schema/schema-index.js';
import { componentRef } from './type-schema.js';

/** The error responses of every operation, as references by status. */
export function problemResponses(): OpenAPIV3_1.ResponsesObject {
  return {
    '400': { $ref: '#/components/responses/BadRequest' },
    '500': { $ref: '#/components/responses/InternalError' },
    '501': { $ref: '#/components/responses/NotImplemented' },
    default: { $ref: '#/components/responses/OtherProblem' },
  };
}

/** An error response of one operation. */
export function problemResponse(schema: GqlSchema, description: string): OpenAPIV3_1.ResponseObject {
  return {
    description,
    content: { 'application/problem+json': { schema: componentRef(problemName(schema)) } },
  };
}

/** The name of the component that holds `problemSchema`. The types of the topology keep theirs. */
export function problemName(schema: GqlSchema): string {
  const { types } = indexSchema(schema);
  let name = 'Problem';
  while (types.has(name)) name += '_';
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
      'An argument is missing, unknown, or has the wrong type.',
      400,
      'Bad Request',
      'The argument “id” is missing.',
    ),
    InternalError: response('The operation failed.', 500, 'Internal Server Error', 'Unexpected error.'),
    NotImplemented: response(
      'The operation has no resolver and no constant; the response names the edge of the topology.',
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
