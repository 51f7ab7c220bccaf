import { readdirSync, readFileSync } from 'node:fs';
import { analyze } from '../../../src/compiler/analyze.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';

const examples = new URL('../../../docs/examples/', import.meta.url);

/** The schema of the example that the product ships. */
export function serviceExample(): GqlSchema {
  return schemaOfFiles([{ name: 'service.gg', source: readFileSync(new URL('service.gg', examples), 'utf8') }]);
}

/** The schema of the larger example, of several files. */
export function parcelExample(): GqlSchema {
  const folder = new URL('parcel/', examples);
  const names = readdirSync(folder).filter((name) => name.endsWith('.gg'));
  return schemaOfFiles(names.map((name) => ({ name, source: readFileSync(new URL(name, folder), 'utf8') })));
}

/** The schema of a golden case of the language. */
export function goldenExample(name: string): GqlSchema {
  const source = readFileSync(new URL(`../../../golden/${name}/input.gg`, import.meta.url), 'utf8');
  return schemaOfFiles([{ name: 'input.gg', source }]);
}

function schemaOfFiles(sources: readonly { readonly name: string; readonly source: string }[]): GqlSchema {
  const { schema, diagnostics } = analyze(sources);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return schema;
}
