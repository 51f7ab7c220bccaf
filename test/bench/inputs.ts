import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSourceFile } from '../../src/base/source/source-file.js';
import { generateSchema, type SourceInput } from '../../src/compiler/analyze.js';
import type { GqlSchema } from '../../src/compiler/schema/gql-schema.js';
import { parseTopology } from '../compiler/syntax/parse-topology.js';
import { freshText } from './measure.js';

/** The files of the larger example, the one that imports the others first. */
export function readParcel(root: string): SourceInput[] {
  const folder = join(root, 'docs/examples/parcel');
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.gg'))
    .sort((a, b) => Number(b === 'main.gg') - Number(a === 'main.gg') || a.localeCompare(b));
  return names.map((name) => ({ name, source: readFileSync(join(folder, name), 'utf8') }));
}

/** Copies of the sources that nobody has read yet. */
export function freshSources(sources: readonly SourceInput[]): SourceInput[] {
  return sources.map(({ name, source }) => ({ name, source: freshText(source) }));
}

/** The schema of the sources, made from scratch: neither it nor any part of it has been seen before. */
export function freshSchema(sources: readonly SourceInput[]): GqlSchema {
  const files = freshSources(sources).map(({ name, source }) => createSourceFile(name, source));
  return generateSchema(parseTopology(files).value);
}
