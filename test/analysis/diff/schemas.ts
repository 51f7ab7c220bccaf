import { expect } from 'vitest';
import { diffSchemas } from '../../../src/analysis/diff/diff-schemas.js';
import type { SchemaChange } from '../../../src/analysis/diff/model/change.js';
import { compile } from '../../../src/compiler/compile.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';

/** The schema of a topology that has no errors. */
export function schemaFrom(text: string): GqlSchema {
  const { schema, diagnostics } = compile({ name: 'service.gg', source: text });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return schema;
}

/** What changed between two topologies. */
export function changesBetween(before: string, after: string): readonly SchemaChange[] {
  return diffSchemas(schemaFrom(before), schemaFrom(after));
}

/** Changes in a line each: `breaking field-removed User.email`. */
export function briefly(changes: readonly SchemaChange[]): readonly string[] {
  return changes.map(({ level, kind, coordinate }) => `${level} ${kind} ${coordinate}`);
}
