import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLSchema,
  getOperationAST,
  isLeafType,
  type SelectionSetNode,
} from 'graphql';
import { problemCodeOf } from '../../graph/names.js';
import { nullable, type TypeRef } from '../../graph/type-ref.js';
import type { WatchedOperation } from '../../logs/watch.js';
import {
  allOperations,
  type GqlField,
  type GqlProblemType,
  type GqlSchema,
} from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';

/** The operation of a result: its document and, if that has several, its name. */
export interface ExecutedOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** The request of the operation, for reports of its faults. */
  readonly watched?: WatchedOperation | undefined;
}

/**
 * Finds the error for the client if a resolver threw a declared error that the operation may answer with. An error is
 * recognized by its `name`, so that any class will do, or by the code of a GraphQLError. Undefined for any other error.
 *
 * @throws {TypeError} If a field of the declared error has no value of its type.
 */
export type DeclaredErrors = (error: GraphQLError, executed: ExecutedOperation) => GraphQLError | undefined;

/** Makes the finder of the declared errors of a schema; undefined if it has none. */
export function createDeclaredErrors(model: GqlSchema, schema: GraphQLSchema): DeclaredErrors | undefined {
  const { problems = [] } = model;
  if (problems.length === 0) return undefined;
  const byName = new Map(problems.map((problem) => [problem.name, problem]));
  const byCode = new Map(problems.map((problem) => [problemCodeOf(problem.name), problem]));
  const throwsOf = new Map(
    allOperations(model).map(({ kind, name, throws = [] }) => [`${kind} ${name}`, throws]),
  );
  return (error, executed) => {
    const { originalError, path, extensions, message } = error;
    const named = byName.get(nameOf(originalError));
    const problem = named ?? byCode.get(String(extensions.code));
    if (problem === undefined || path === undefined) return undefined;
    const operation = getOperationAST(executed.document, executed.operationName);
    if (!operation) return undefined;
    const root = rootField(executed.document, operation.selectionSet, path[0]);
    if (root === undefined) return undefined;
    const throws = throwsOf.get(`${operation.operation} ${root.name.value}`);
    if (throws?.includes(problem.name) !== true) return undefined;
    const properties = originalError as unknown as Readonly<Record<string, unknown>>;
    const thrown = named === undefined ? { ...extensions, message } : properties;
    return new GraphQLError(messageOf(thrown, problem), {
      nodes: error.nodes ?? null,
      source: error.source ?? null,
      positions: error.positions ?? null,
      path,
      originalError: originalError ?? null,
      extensions: {
        code: problemCodeOf(problem.name),
        ...readFields({ model, schema }, problem.fields, thrown, problem.name),
      },
    });
  };
}

function nameOf(error: Error | null | undefined): string {
  try {
    return error instanceof Error ? String(error.name) : '';
  } catch {
    return '';
  }
}

function messageOf(
  { message }: Readonly<Record<string, unknown>>,
  { name, description }: GqlProblemType,
): string {
  return typeof message === 'string' && message !== '' ? message : (description ?? name);
}

/** The field of the root type with a response key, also in fragments. */
function rootField(
  document: DocumentNode,
  { selections }: SelectionSetNode,
  key: string | number | undefined,
): FieldNode | undefined {
  for (const selection of selections) {
    if (selection.kind === 'Field') {
      if ((selection.alias ?? selection.name).value === key) return selection;
      continue;
    }
    const set =
      selection.kind === 'InlineFragment'
        ? selection.selectionSet
        : document.definitions.find(
            (definition) =>
              definition.kind === 'FragmentDefinition' && definition.name.value === selection.name.value,
          );
    const inner =
      set === undefined || 'selections' in set ? set : 'selectionSet' in set ? set.selectionSet : undefined;
    const found = inner && rootField(document, inner, key);
    if (found !== undefined) return found;
  }
  return undefined;
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
  if (isLeafType(leaf)) return (leaf as GraphQLLeafType).serialize(value);
  throw new TypeError(`${place} must be a scalar, an enum or an object.`);
}
