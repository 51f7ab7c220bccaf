import type { GqlArgument, GqlField } from '../schema/gql-schema.js';

/** Whether callers must give an argument or an input field: it is non-null and has no default. */
export function isRequired({ type, fallback }: Pick<GqlArgument, 'type' | 'fallback'>): boolean {
  return type.kind === 'nonNull' && (fallback === undefined || fallback === null);
}

/** Whether only GraphQL can select a field: it has a required argument, and REST passes none. */
export function needsArguments({ arguments: args }: Pick<GqlField, 'arguments'>): boolean {
  return args?.some(isRequired) === true;
}

/** The fields of a type that REST returns. */
export function answeredFields(fields: readonly GqlField[]): readonly GqlField[] {
  return fields.some(needsArguments) ? fields.filter((field) => !needsArguments(field)) : fields;
}
