import type { OpenAPIV3_1 } from 'openapi-types';
import { componentRef } from './type-schema.js';

/** The error answers of every operation, as references by status. */
export function problemResponses(): OpenAPIV3_1.ResponsesObject {
  return {
    '400': { $ref: '#/components/responses/BadRequest' },
    '500': { $ref: '#/components/responses/InternalError' },
    '501': { $ref: '#/components/responses/NotImplemented' },
    default: { $ref: '#/components/responses/OtherProblem' },
  };
}

/** Problem details (RFC 9457), the body of every error answer. Members beyond these may be there. */
export function problemSchema(): OpenAPIV3_1.SchemaObject {
  return {
    type: 'object',
    description: 'What went wrong, as problem details (RFC 9457).',
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: 'The kind of problem; about:blank when its status says all.',
        default: 'about:blank',
      },
      title: { type: 'string', description: 'The kind of problem in words.' },
      status: { type: 'integer', description: 'The HTTP status.', minimum: 100, maximum: 599 },
      detail: { type: 'string', description: 'What is wrong with this request.' },
      instance: { type: 'string', format: 'uri-reference', description: 'The request that had the problem.' },
      parameter: {
        type: 'string',
        description: 'The argument that is wrong, and the place in it: `input.tags[1]`.',
      },
      code: { type: 'string', description: 'A short name of the problem, such as NOT_IMPLEMENTED.' },
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
      'An argument is missing, unknown, or not of its type.',
      400,
      'Bad Request',
      'The argument “id” is missing.',
    ),
    InternalError: response('The operation failed.', 500, 'Internal Server Error', 'Unexpected error.'),
    NotImplemented: response(
      'Nothing gives the value that the operation needs; the answer names the edge of the topology.',
      501,
      'Not Implemented',
      'Nothing resolves this operation yet.',
    ),
    OtherProblem: response(
      'The request was refused before it reached the operation.',
      405,
      'Method Not Allowed',
      'This route does not answer that method.',
    ),
  };
}
