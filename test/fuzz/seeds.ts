import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../../src/compiler/compile.js';

/** The texts that are mutated. */
export interface Seeds {
  readonly topologies: readonly string[];
  /** OpenAPI documents, GraphQL schemas and Postman collections. */
  readonly descriptions: readonly string[];
}

/**
 * The goldens, the examples of the docs, also those in the pages of forms and stored nodes, and the documents that are made
 * of them. Large texts are left out: mutants of small ones say more.
 */
export function readSeeds(): Seeds {
  const files = ['golden', 'docs/examples'].flatMap((folder) => textsBelow(folder, /\.gg$/));
  const topologies = [...files, ...pages.flatMap(topologiesOf)];
  const documents = topologies.flatMap((topology) => {
    const compilation = compile(topology);
    return compilation.ok ? Object.values(compilation.artifacts) : [];
  });
  const given = textsBelow('test/analysis/import', /\.(?:json|graphql)$/);
  return { topologies, descriptions: [...new Set([...documents, ...given])] };
}

/** Pages whose words few goldens have. */
const pages = ['uploads', 'store', 'migrations', 'database', 'mock', 'authentication', 'headers', 'fallbacks'];

function topologiesOf(page: string): readonly string[] {
  const text = readFileSync(`docs/${page}.md`, 'utf8');
  return [...text.matchAll(/^```gg[^\n]*\n(.*?)^```$/gms)].map(([, topology]) => topology as string);
}

function textsBelow(folder: string, names: RegExp): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => names.test(name));
  return files
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((text) => text.length < 20_000);
}
