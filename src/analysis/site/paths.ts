import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { baseName } from '../../compiler/graph/type-ref.js';
import {
  allOperations,
  type GqlObjectType,
  type GqlOperation,
  type GqlSchema,
} from '../../compiler/schema/gql-schema.js';

/** The folders of the site, by the kind of operation. */
export const operationFolders: Readonly<Record<GqlOperation['kind'], string>> = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
};

/** The folder of the federation layer, whose parts every server has: they are apart from those of the topology. */
export const federationFolder = 'federation';

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
  const { objects, interfaces = [], unions, enums, scalars, inputs, problems = [] } = schema;
  const isLayered = ({ name, node }: GqlObjectType) => node === undefined && /^Federation[A-Z]/.test(name);
  const layered = new Set(objects.filter(isLayered).map(({ name }) => name));
  for (const operation of allOperations(schema)) {
    const folder = layered.has(baseName(operation.type))
      ? federationFolder
      : operationFolders[operation.kind];
    assign(operationCoordinate(operation), folder, operation.name);
  }
  for (const { name } of [...objects, ...interfaces, ...unions, ...enums, ...scalars])
    assign(name, layered.has(name) ? federationFolder : 'types', name);
  for (const { name, of = '' } of inputs) assign(name, layered.has(of) ? federationFolder : 'inputs', name);
  for (const { name } of problems) assign(name, 'errors', name);
  return {
    ofOperation: (operation: GqlOperation) => all.get(operationCoordinate(operation)) as string,
    /** Of a type, an input or a declared error; undefined for a built-in scalar. */
    ofType: (name: string) => all.get(name),
    all: all as ReadonlyMap<string, string>,
  };
}
