import type { GqlOperation } from '../../schema/gql-schema.js';

/** An object that is served from constants. */
export interface ConstantOrigin {
  readonly typeName: string;
  /** The operation that it is served for; undefined inside a value of a resolver. */
  readonly operation: GqlOperation | undefined;
}

/** The objects that are served from the constants of a topology: one for each type and operation. */
export interface ConstantObjects {
  /** An object with the constants of a type, which is the parent of its fields' resolvers. */
  make(typeName: string, operation: GqlOperation | undefined): object;
  /** The constant object of a parent value, if it is one. */
  originOf(parent: unknown): ConstantOrigin | undefined;
}

/** Makes the store of constant objects, from the constants of a type by field, as resolvers would return them. */
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
