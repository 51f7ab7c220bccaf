import { withDefaults } from '../../compiler/compile.js';
import { originOf } from '../../compiler/emit/collection/addresses.js';
import { schemaToCollection } from '../../compiler/emit/collection.js';
import { schemaToGraphQL } from '../../compiler/emit/graphql.js';
import { schemaToOpenAPI } from '../../compiler/emit/openapi.js';
import type { GqlSchema } from '../../compiler/schema/gql-schema.js';
import { defaultEndpoint, restPrefix } from '../../compiler/schema/server-paths.js';

export type SchemaExports = ReturnType<typeof createExports>;

/** Makes the exports of a schema. Parts that do not depend on the request are computed once, on first use. */
export function createExports(schema: GqlSchema, endpoint: string, options: Parameters<typeof withDefaults>[0]) {
  const names = withDefaults(options);
  const graphql = once(() => schemaToGraphQL(schema));
  const openapi = once(() => {
    const { title, eventFormat, takesKeys, pageSize } = names;
    return schemaToOpenAPI(schema, title, eventFormat, takesKeys, pageSize);
  });
  return {
    names,
    baseUrl: options.baseUrl,
    graphql,
    openapi,
    /** @param served - The origin of the server, for a collection without a base URL of its own. */
    collection(served = names.baseUrl): ReturnType<typeof schemaToCollection> {
      const baseUrl = options.baseUrl ?? served;
      const origin = originOf(baseUrl);
      // An origin without a path means GraphQL at /graphql; another endpoint must be in the URL.
      if (origin === undefined || endpoint === defaultEndpoint)
        return schemaToCollection(schema, names.collectionName, baseUrl);
      const collection = schemaToCollection(schema, names.collectionName, `${origin}${endpoint}`);
      // The emitter expects REST next to the endpoint, but this server has it at the root.
      const values: Partial<Record<string, string>> = {
        api_url: `${origin}${restPrefix.slice(0, -1)}`,
        root_url: origin,
      };
      const variable = collection.variable.map((entry) => ({ ...entry, value: values[entry.key] ?? entry.value }));
      return { ...collection, variable };
    },
  };
}

/** Makes a function that makes its value when it is called first. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
