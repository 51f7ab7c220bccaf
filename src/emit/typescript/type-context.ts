import type { GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';

/** What the parts of the emitted module share. */
export interface TypeContext {
  readonly schema: GqlSchema;
  /** The name of a type in TypeScript. */
  readonly nameOf: (name: string) => string;
}

/** A scalar or an enum. */
export function leafText({ schema, nameOf }: TypeContext, name: string): string {
  const found = namedType(schema, name);
  return found.kind === 'builtin' ? typeof found.wire.example : nameOf(name);
}
