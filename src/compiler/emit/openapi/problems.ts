import type { OpenAPIV3_1 } from 'openapi-types';
import { canBeForbidden } from '../../api/access.js';
import { joinAccess } from '../../graph/access.js';
import { problemCodeOf } from '../../graph/names.js';
import { nonNull, nullable } from '../../graph/type-ref.js';
import {
  allOperations,
  type GqlAccess,
  type GqlOperation,
  type GqlProblemType,
  type GqlSchema,
} from '../../schema/gql-schema.js';
import { indexSchema } from '../../schema/schema-index.js';
import { objectOf } from './component-schemas.js';
import { componentRef, type JsonSchema, type SchemaObject, setDescription, typeSchema } from './type-schema.js';

/**
 * The error responses of an operation: those of every operation and those of its access, as references by status, and
 * those that the topology declares. With a status in common, the body is one of several.
 */
export function problemResponses(schema: GqlSchema, operation: GqlOperation): OpenAPIV3_1.ResponsesObject {
  const { kind, nullStatus, throws = none } = operation;
  const other = responseRef(otherProblem);
  // V8 makes a dictionary of a literal with a large index, but a list of 600 places where the index is added later.
  const responses: OpenAPIV3_1.ResponsesObject = { 500: other, default: other };
  const general = generalResponses(operation);
  const all = operation.etag === undefined ? general : [...general, ...preconditions(operation)];
  for (const response of all) {
    // The events of a stream come from mutations, so it needs no resolver.
    if (response.status !== 501 || kind !== 'subscription') responses[response.status] = responseRef(response);
  }
  const declared = throws === none ? none : (schema.problems ?? []).filter(({ name }) => throws.includes(name));
  const statuses = declared.map(({ status }) => status);
  for (const status of new Set(nullStatus === undefined ? statuses : [...statuses, nullStatus])) {
    const here = declared.filter((problem) => problem.status === status);
    const names = here.map(({ name }) => name);
    const descriptions = here.map(({ name, description }) => description ?? name);
    if (status === nullStatus) descriptions.unshift('There is no result.');
    const usual = responses[status] && all.find((response) => response.status === status);
    if (usual !== undefined) descriptions.push(usual.description);
    if (status === nullStatus || usual !== undefined) names.push(problemName(schema));
    const schemas = names.map(componentRef);
    const body = schemas.length === 1 ? (schemas[0] as OpenAPIV3_1.ReferenceObject) : { anyOf: schemas };
    responses[status] = {
      ...responseOf(descriptions.join('\n\n'), usual?.headers, { schema: body }),
      ...(status === nullStatus && noResult),
    };
  }
  return responses;
}

const none: readonly never[] = [];

function responseRef({ component }: GeneralResponse): OpenAPIV3_1.ReferenceObject {
  return { $ref: `#/components/responses/${component}` };
}

/** The extension of the response to a call without a result. */
const noResult = { 'x-no-result': true } as const;

/** An error that operations answer with, in the component of this name. */
interface GeneralResponse {
  readonly status: number;
  readonly component: string;
  readonly description: string;
  readonly title: string;
  readonly detail: string;
  readonly headers?: Record<string, OpenAPIV3_1.HeaderObject>;
}

/** The errors that an operation answers with, whatever it does. */
function generalResponses(access: GqlAccess): readonly GeneralResponse[] {
  if (access.auth === undefined) return openResponses;
  return canBeForbidden(access) ? everyResponse : everyResponse.filter(({ status }) => status !== 403);
}

/** The responses to a write whose precondition is not met, or missing. */
function preconditions({ kind, etag }: GqlOperation): readonly GeneralResponse[] {
  if (etag === undefined || kind === 'query') return none;
  return etag === 'required' ? [preconditionFailed, preconditionRequired] : [preconditionFailed];
}

const preconditionFailed: GeneralResponse = {
  status: 412,
  component: 'PreconditionFailed',
  description: 'The GET of this path has another ETag than `If-Match`; the operation has not run.',
  title: 'Precondition Failed',
  detail: 'The condition in If-Match does not hold.',
};

const preconditionRequired: GeneralResponse = {
  status: 428,
  component: 'PreconditionRequired',
  description: 'The header `If-Match` is missing.',
  title: 'Precondition Required',
  detail: 'The header If-Match is required.',
};

const challenge = {
  'WWW-Authenticate': {
    description: 'The ways to authenticate (RFC 9110, section 11.6.1).',
    schema: { type: 'string' },
  },
} as const;

const everyResponse: readonly GeneralResponse[] = [
  {
    status: 400,
    component: 'BadRequest',
    description: 'An argument is missing, unknown, or has the wrong type.',
    title: 'Bad Request',
    detail: 'The argument “id” is missing.',
  },
  {
    status: 401,
    component: 'Unauthorized',
    description: 'The caller must authenticate, or its credentials are invalid.',
    title: 'Unauthorized',
    detail: 'Authentication is required.',
    headers: challenge,
  },
  {
    status: 403,
    component: 'Forbidden',
    description: 'The caller does not have the scopes or roles, or is not the owner.',
    title: 'Forbidden',
    detail: 'The scope is required.',
    headers: challenge,
  },
  {
    status: 500,
    component: 'InternalError',
    description: 'The operation failed.',
    title: 'Internal Server Error',
    detail: 'Unexpected error.',
  },
  {
    status: 501,
    component: 'NotImplemented',
    description: 'The operation has no resolver and no constant; the response names the edge of the topology.',
    title: 'Not Implemented',
    detail: 'This operation has no resolver.',
  },
];

const openResponses = everyResponse.filter(({ status }) => status !== 401 && status !== 403);

const otherProblem: GeneralResponse = {
  status: 405,
  component: 'OtherProblem',
  description: 'The server rejected the request before running the operation.',
  title: 'Method Not Allowed',
  detail: 'This route does not support the method.',
};

/** The schema of a declared error: problem details with its code and its fields. */
export function declaredProblemSchema(
  schema: GqlSchema,
  { name, description, status, fields }: GqlProblemType,
): SchemaObject {
  const { parameter: _, errors: __, ...general } = problemSchema().properties ?? {};
  const properties: Record<string, JsonSchema> = {
    ...(general as Record<string, JsonSchema>),
    status: { type: 'integer', const: status },
    code: { type: 'string', const: problemCodeOf(name) },
  };
  for (const field of fields) {
    const property = typeSchema(schema, nonNull(nullable(field.type)));
    setDescription(property, field.description);
    properties[field.name] = property;
  }
  const always = fields.filter(({ type: given, fallback }) => given.kind === 'nonNull' || (fallback ?? null) !== null);
  const required = ['title', 'status', 'code', ...always.map((field) => field.name)];
  return objectOf(description, properties, required);
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
export function problemSchema(): SchemaObject {
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
      errors: {
        type: 'array',
        description: 'All mistakes in the arguments, at most 100; or all errors of an operation with several.',
        items: {
          type: 'object',
          properties: {
            pointer: {
              type: 'string',
              format: 'uri-reference',
              description: 'The place in the object of the arguments, a JSON Pointer: `#/input/tags/1`.',
            },
            detail: { type: 'string', description: 'What is wrong there.' },
            code: { type: 'string', description: 'A machine-readable code, such as MISSING_ARGUMENT.' },
          },
          required: ['detail'],
        },
      },
    },
    required: ['title', 'status'],
  };
}

/** The components behind `addProblemResponses`; `problem` is the name of the one that holds `problemSchema`. */
export function problemComponents(schema: GqlSchema, problem: string): Record<string, OpenAPIV3_1.ResponseObject> {
  const conditions = new Set(schema.mutations.flatMap(preconditions));
  const general = generalResponses(allOperations(schema).reduce<GqlAccess>(joinAccess, {}));
  const all = [...general, ...conditions, otherProblem];
  const components = all.map(({ status, component, description, title, detail, headers }) => {
    const example = { type: 'about:blank', title, status, detail };
    return [component, responseOf(description, headers, { schema: componentRef(problem), example })] as const;
  });
  return Object.fromEntries(components);
}

function responseOf(
  description: string,
  headers: GeneralResponse['headers'],
  body: OpenAPIV3_1.MediaTypeObject,
): OpenAPIV3_1.ResponseObject {
  return { description, ...(headers && { headers }), content: { 'application/problem+json': body } };
}
