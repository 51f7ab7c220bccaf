import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../compiler/schema/gql-schema.js';

/** The folders of the site, by the kind of operation. */
export const operationFolders: Readonly<Record<GqlOperation['kind'], string>> = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
};

export type Paths = ReturnType<typeof assignPaths>;

/** Assigns a path to each part of an API. Names that differ only in case get a number: files may ignore case. */
export function assignPaths(schema: GqlSchema) {
  const taken = new Set<string>();
  /** By the schema coordinate of an operation, or the name of a type. */
  const all = new Map<string, string>();
  const assign = (key: string, folder: string, name: string): void => {
    // A page of this name would be the index of its folder.
    let path = `${folder}/${name.toLowerCase() === 'index' ? `${name}-` : name}`;
    for (let number = 2; taken.has(path.toLowerCase()); number++) path = `${folder}/${name}-${number}`;
    taken.add(path.toLowerCase());
    all.set(key, path);
  };
  for (const operation of allOperations(schema))
    assign(operationCoordinate(operation), operationFolders[operation.kind], operation.name);
  const { objects, interfaces = [], unions, enums, scalars, inputs, problems = [] } = schema;
  for (const { name } of [...objects, ...interfaces, ...unions, ...enums, ...scalars])
    assign(name, 'types', name);
  for (const { name } of inputs) assign(name, 'inputs', name);
  for (const { name } of problems) assign(name, 'errors', name);
  return {
    ofOperation: (operation: GqlOperation) => all.get(operationCoordinate(operation)) as string,
    /** Of a type, an input or a declared error; undefined for a built-in scalar. */
    ofType: (name: string) => all.get(name),
    all: all as ReadonlyMap<string, string>,
  };
}
