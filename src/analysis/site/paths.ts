import { operationCoordinate } from '../../compiler/api/operation-coordinate.js';
import { baseName } from '../../compiler/graph/type-ref.js';
import { allOperations, type GqlOperation, type GqlSchema } from '../../compiler/schema/gql-schema.js';
import { federationPath, federationTypes } from './federation-page.js';

/** The folders of the site, by the kind of operation. */
export const operationFolders: Readonly<Record<GqlOperation['kind'], string>> = {
  query: 'queries',
  mutation: 'mutations',
  subscription: 'subscriptions',
};

/** The path of the page of unused inputs. No input has such a name. */
export const unusedInputsPath = 'inputs/unused-inputs';

/** The names of the inputs that no argument of an operation or of a field takes, directly or inside another input. */
function findUnusedInputs(schema: GqlSchema): ReadonlySet<string> {
  const { inputs, objects, interfaces = [] } = schema;
  const byName = new Map(inputs.map((input) => [input.name, input]));
  const unused = new Set(byName.keys());
  const use = (name: string): void => {
    if (!unused.delete(name)) return;
    for (const { type } of byName.get(name)?.fields ?? []) use(baseName(type));
  };
  const fields = [...objects, ...interfaces].flatMap((type) => type.fields);
  for (const { arguments: args = [] } of [...allOperations(schema), ...fields])
    for (const { type } of args) use(baseName(type));
  return unused;
}

export type Paths = ReturnType<typeof assignPaths>;

/** Assigns a path to each part of an API; parts of the federation layer share one, and so do unused inputs. Names that differ only in case get a number: files may ignore case. */
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
  const layered = new Set(federationTypes(schema).map(({ name }) => name));
  const unused = findUnusedInputs(schema);
  for (const operation of allOperations(schema)) {
    const coordinate = operationCoordinate(operation);
    if (layered.has(baseName(operation.type))) all.set(coordinate, federationPath);
    else assign(coordinate, operationFolders[operation.kind], operation.name);
  }
  for (const { name } of [...objects, ...interfaces, ...unions, ...enums, ...scalars]) {
    if (layered.has(name)) all.set(name, federationPath);
    else assign(name, 'types', name);
  }
  for (const { name, of = '' } of inputs) {
    if (layered.has(of)) all.set(name, federationPath);
    else if (unused.has(name)) all.set(name, unusedInputsPath);
    else assign(name, 'inputs', name);
  }
  for (const { name } of problems) assign(name, 'errors', name);
  return {
    ofOperation: (operation: GqlOperation) => all.get(operationCoordinate(operation)) as string,
    /** Of a type, an input or a declared error; undefined for a built-in scalar. */
    ofType: (name: string) => all.get(name),
    /** Whether the page of a part is only its own. */
    isOwn: (path: string | undefined) => path !== federationPath && path !== unusedInputsPath,
    all: all as ReadonlyMap<string, string>,
  };
}
