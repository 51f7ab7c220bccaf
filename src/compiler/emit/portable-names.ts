import { type Diagnostic, diagnose } from '../../base/diagnostics/diagnostic.js';
import type { Span } from '../../base/source/span.js';
import { appendTo } from '../graph/maps.js';
import type { GqlSchema } from '../schema/gql-schema.js';
import { indexSchema } from '../schema/schema-index.js';
import { problemName } from './openapi/problems.js';
import { allSchemas } from './openapi.js';

/** The names of types that the code of a generator uses itself, by generator. */
const takenNames: Readonly<Record<string, readonly string[]>> = {
  // hey-api/hey-api#3481
  'hey-api': ['Array', 'Blob', 'File'],
  // OpenAPITools/openapi-generator#5817
  'openapi-generator (Java)': ['File'],
};

/** Generators that write a file for each schema, whose name has lower case and no dots (OpenAPITools/openapi-generator#12608). */
const fileGenerators = 'openapi-generator and openapi-python-client';

/** A warning for each name that a known code generator cannot use (GG5030). */
export function unportableNames(schema: GqlSchema): readonly Diagnostic[] {
  const placeOf = (component: string): Span | undefined => {
    const found = indexSchema(schema).types.get(component.split('.', 1)[0] as string);
    if (found === undefined || found.kind === 'builtin') return undefined;
    if (found.kind === 'union') return found.type.edges[0]?.span;
    const { node } = found.kind === 'input' && found.type.of ? (objectOf(found.type.of) ?? {}) : found.type;
    return node?.span;
  };
  const objectOf = (name: string) => schema.objects.find((type) => type.name === name);
  const findings: Diagnostic[] = [];
  const warn = (tool: string, name: string, reason: string, span: Span | undefined) => {
    if (span !== undefined) findings.push(diagnose('GG5030', { tool, name, reason }, span));
  };
  const byFile = new Map<string, string[]>();
  for (const [name] of allSchemas(schema, problemName(schema))) {
    for (const [tool, taken] of Object.entries(takenNames))
      if (taken.includes(name)) warn(tool, name, 'its code uses a type of that name', placeOf(name));
    appendTo(byFile, name.replace(/[._]/g, '').toLowerCase(), name);
  }
  for (const [first, ...others] of byFile.values())
    for (const name of others) warn(fileGenerators, name, `it names the file of ${first}, too`, placeOf(name));
  for (const { name, values, valueSpans } of schema.enums) {
    const members = new Map<string, string>();
    for (const [at, value] of values.entries()) {
      // dotansimha/graphql-code-generator#4043
      const member = value.replaceAll('_', '').toLowerCase();
      const before = members.get(member);
      const reason = `it becomes the same member as ${before}`;
      if (before === undefined) members.set(member, value);
      else warn('GraphQL Code Generator', `${name}.${value}`, reason, valueSpans?.[at]);
    }
  }
  return findings;
}
