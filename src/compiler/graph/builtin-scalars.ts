/** The names of the five scalars that GraphQL has by itself (October 2021, section 3.5). */
export const builtinScalarNames: ReadonlySet<string> = new Set(['ID', 'String', 'Int', 'Float', 'Boolean']);
