type Json = Readonly<Record<string, unknown>>;

/** An OpenAPI document without the component schemas that no path refers to, directly or through others. */
export function withoutUnusedSchemas(document: Json): Json {
  const { components, ...others } = document;
  const { schemas, ...used } = components as { readonly schemas: Json } & Json;
  const reached = new Set(schemasIn([others, used]));
  // A set is iterated in order of insertion, with what is added meanwhile.
  for (const name of reached) for (const inner of schemasIn(schemas[name])) reached.add(inner);
  const kept = Object.entries(schemas).filter(([name]) => reached.has(name));
  return { ...others, components: { schemas: Object.fromEntries(kept), ...used } };
}

const prefix = '#/components/schemas/';

/** The names of the component schemas that a part of a document refers to, also in the mapping of a discriminator. */
function schemasIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.startsWith(prefix) ? [value.slice(prefix.length)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(schemasIn) : [];
}
