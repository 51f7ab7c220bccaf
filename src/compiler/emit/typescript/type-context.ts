import { isComposite } from '../../api/nesting.js';
import type { GqlSchema } from '../../schema/gql-schema.js';
import { namedType } from '../../schema/schema-index.js';

/** The state that all parts of the emitter share. */
export interface TypeContext {
  readonly schema: GqlSchema;
  readonly nameOf: (name: string) => string;
  /** The types that resolvers may return for a scalar beside the one that they receive; undefined without any. */
  readonly alsoReturned: (name: string) => string | undefined;
}

/** The TypeScript type of a scalar or an enum. */
export function leafText({ schema, nameOf }: TypeContext, name: string): string {
  const found = namedType(schema, name);
  return found.kind === 'builtin' ? typeof found.wire.example : nameOf(name);
}

/** The TypeScript type of a value in an answer: an object by its name, or a scalar or an enum. */
export function answerText(context: TypeContext, name: string): string {
  return isComposite(context.schema, name) ? context.nameOf(name) : leafText(context, name);
}
