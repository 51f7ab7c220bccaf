import type { GqlOperation } from '../../../compiler/schema/gql-schema.js';

export interface ConstantOrigin {
  readonly typeName: string;
  /** The operation that it is served for; undefined inside a value of a resolver. */
  readonly operation: GqlOperation | undefined;
}

/** The objects that are served from the constants of a topology: one for each type and operation. */
export interface ConstantObjects {
  /** An object with the constants of a type, which is the parent of its fields' resolvers. */
  make(typeName: string, operation: GqlOperation | undefined): object;
  originOf(parent: unknown): ConstantOrigin | undefined;
}

export function createConstantObjects(
  constantsOf: (typeName: string) => Readonly<Record<string, unknown>>,
): ConstantObjects {
  const objects = new Map<GqlOperation | undefined, Map<string, object>>();
  const origins = new WeakMap<object, ConstantOrigin>();
  return {
    make(typeName, operation) {
      let ofOperation = objects.get(operation);
      if (ofOperation === undefined) {
        ofOperation = new Map();
        objects.set(operation, ofOperation);
      }
      let object = ofOperation.get(typeName);
      if (object === undefined) {
        object = Object.freeze({ ...constantsOf(typeName) });
        origins.set(object, { typeName, operation });
        ofOperation.set(typeName, object);
      }
      return object;
    },
    originOf: (parent) => (typeof parent === 'object' && parent !== null ? origins.get(parent) : undefined),
  };
}
