import { type DocumentNode, type GraphQLError, type GraphQLSchema, getOperationAST, isLeafType } from 'graphql';
import { problemCodeOf } from '../../../compiler/graph/names.js';
import { nullable, type TypeRef } from '../../../compiler/graph/type-ref.js';
import {
  allOperations,
  type GqlField,
  type GqlProblemType,
  type GqlSchema,
} from '../../../compiler/schema/gql-schema.js';
import { namedType } from '../../../compiler/schema/schema-index.js';
import { errorInPlaceOf } from '../../limits/error-in-place.js';
import { rootFieldsOf } from '../../limits/root-fields.js';
import type { TrackedOperation } from '../../logs/monitor.js';

export interface ExecutedOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly tracked?: TrackedOperation | undefined;
}

/**
 * Finds the error for the client if a resolver threw a declared error that the operation may answer with. An error is
 * recognized by its `name`, so that any class will do, or by the code of a GraphQLError. Undefined for any other error.
 *
 * @throws {TypeError} If a field of the declared error has no value of its type.
 */
export type DeclaredErrors = (error: GraphQLError, executed: ExecutedOperation) => GraphQLError | undefined;

export function createDeclaredErrors(model: GqlSchema, schema: GraphQLSchema): DeclaredErrors | undefined {
  if ((model.problems ?? []).length === 0) return undefined;
  const find = createProblemFinder(model);
  const throwsOf = new Map(allOperations(model).map(({ kind, name, throws = [] }) => [`${kind} ${name}`, throws]));
  return (error, executed) => {
    const { originalError, path, extensions, message } = error;
    const problem = find(originalError, extensions.code);
    if (problem === undefined || path === undefined) return undefined;
    const operation = getOperationAST(executed.document, executed.operationName);
    if (!operation) return undefined;
    const fields = rootFieldsOf(executed.document, operation);
    const root = fields.find(({ alias, name }) => (alias ?? name).value === path[0]);
    if (root === undefined) return undefined;
    const throws = throwsOf.get(`${operation.operation} ${root.name.value}`);
    if (throws?.includes(problem.name) !== true) return undefined;
    const properties = originalError as unknown as Readonly<Record<string, unknown>>;
    const thrown = problem.name === nameOf(originalError) ? properties : { ...extensions, message };
    return errorInPlaceOf(
      error,
      typeof thrown.message === 'string' && thrown.message !== ''
        ? thrown.message
        : (problem.description ?? problem.name),
      { code: problemCodeOf(problem.name), ...readFields({ model, schema }, problem.fields, thrown, problem.name) },
      originalError,
    );
  };
}

/** Finds the declared error that was thrown: by its `name`, or by the code of a GraphQLError. */
export function createProblemFinder({ problems = [] }: GqlSchema) {
  const byName = new Map(problems.map((problem) => [problem.name, problem]));
  const byCode = new Map(problems.map((problem) => [problemCodeOf(problem.name), problem]));
  return (error: unknown, code: unknown): GqlProblemType | undefined =>
    byName.get(nameOf(error)) ?? byCode.get(String(code));
}

function nameOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.name) : '';
  } catch {
    return '';
  }
}

interface Schemas {
  readonly model: GqlSchema;
  readonly schema: GraphQLSchema;
}

function readFields(
  schemas: Schemas,
  fields: readonly GqlField[],
  value: Readonly<Record<string, unknown>>,
  place: string,
): Record<string, unknown> {
  const read: [string, unknown][] = fields.map(({ name, type, fallback }) => [
    name,
    readValue(schemas, type, value[name] ?? fallback, `${place}.${name}`),
  ]);
  return Object.fromEntries(read.filter(([, found]) => found !== null));
}

function readValue(schemas: Schemas, type: TypeRef, value: unknown, place: string): unknown {
  if (value === undefined || value === null) {
    if (type.kind === 'nonNull') throw new TypeError(`${place} must have a value.`);
    return null;
  }
  const bare = nullable(type);
  if (bare.kind === 'list') {
    if (!Array.isArray(value)) throw new TypeError(`${place} must be a list.`);
    return value.map((item, at) => readValue(schemas, bare.of, item, `${place}[${at}]`));
  }
  const found = namedType(schemas.model, bare.name);
  if (found.kind === 'object') {
    return readFields(schemas, found.type.fields, value as Readonly<Record<string, unknown>>, place);
  }
  const leaf = schemas.schema.getType(bare.name);
  if (isLeafType(leaf)) return leaf.serialize(value);
  throw new TypeError(`${place} must be a scalar, an enum or an object.`);
}
