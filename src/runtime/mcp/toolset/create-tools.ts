import { describeAccess, withReason } from '../../../compiler/api/access.js';
import { findSteps } from '../../../compiler/api/chains/named-steps.js';
import { resultSchema } from '../../../compiler/emit/openapi/chains.js';
import { argumentsSchema, componentSchemas } from '../../../compiler/emit/openapi/component-schemas.js';
import { limitPages } from '../../../compiler/emit/openapi/type-schema.js';
import type { GqlSchema } from '../../../compiler/schema/gql-schema.js';
import { wireView } from '../../../compiler/schema/wire-view.js';
import { isJsonObject } from '../../limits/parse-json.js';
import { hintsOf, type Tool, type ToolMode } from './agent-tool.js';
import { chainTools } from './chain-tools.js';
import { findTools } from './find-tools.js';

/** The tools of a schema, in a fixed order. The operations of all tools together are the queries and mutations; those of `find` are found by words. */
export function createTools(whole: GqlSchema, mode: ToolMode, pageSize?: number): readonly Tool[] {
  if (mode === 'find') return findTools;
  const schema = wireView(whole);
  return mode === 'chains' ? chainTools(schema, pageSize) : operationTools(schema, pageSize);
}

/** One tool for each query and mutation, with the schemas of the OpenAPI document for its arguments and its result. */
function operationTools(schema: GqlSchema, pageSize: number | undefined): readonly Tool[] {
  const complete = createCompleter(schema);
  return findSteps(schema).map((step): Tool => {
    const { name, operation } = step;
    const text = [operation.description ?? operation.name, describeAccess(operation)].filter(Boolean).join('\n\n');
    return {
      definition: {
        name,
        description: withReason(text, operation.deprecated) ?? name,
        inputSchema: complete(limitPages(argumentsSchema(schema, operation.arguments), operation, pageSize)),
        outputSchema: complete({
          type: 'object',
          properties: { [name]: resultSchema(schema, operation) },
          required: [name],
        }),
        annotations: hintsOf(schema, [operation]),
      },
      steps: [step],
      isOneStep: true,
    };
  });
}

/** Makes the function that gives a schema its own `$defs`. Tools share the definitions. */
function createCompleter(schema: GqlSchema): (made: object) => Tool['definition']['inputSchema'] {
  const components = new Map<string, ReturnType<typeof moved>>();
  for (const [name, component] of componentSchemas(schema)) components.set(name, moved(component));
  return (made) => {
    const { schema: root, refers } = moved(made);
    const definitions = new Map<string, unknown>();
    const waiting = [...refers];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const component = components.get(name);
      if (component === undefined || definitions.has(name)) continue;
      definitions.set(name, component.schema);
      waiting.push(...component.refers);
    }
    const complete = root as Tool['definition']['inputSchema'];
    return definitions.size === 0 ? complete : { ...complete, $defs: Object.fromEntries(definitions) };
  };
}

/** Moves the references of a schema to `$defs`, and collects their names. OpenAPI's `discriminator` is not a keyword of JSON Schema. */
function moved(made: object) {
  const refers = new Set<string>();
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move);
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      if (key === 'discriminator' && Object.hasOwn(value, 'oneOf')) return [];
      if (key !== '$ref' || typeof member !== 'string') return [[key, move(member)]];
      const name = member.replace(/^#\/components\/schemas\//, '');
      refers.add(name);
      return [[key, `#/$defs/${name}`]];
    });
    return Object.fromEntries(entries);
  };
  return { schema: move(made), refers };
}
