import { deepStrictEqual } from 'node:assert';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIV3_1 } from 'openapi-types';
import { generateTopology } from '../generate.js';
import { freshSchema } from '../inputs.js';
import { compareSamples } from '../measure.js';
import { type BenchContext, sizeLabel } from '../measurement.js';
import { schemaToTypeSpec, typeSpecConfig } from '../peers/typespec.js';
import { peakMemory, timeProcess } from '../processes.js';

/** The same API, written for the other compiler of APIs that people use, both from file to file. */
export function measureTypeSpec(context: BenchContext): void {
  for (const operations of [100, 1_000]) measureOperations(operations, context);
}

function measureOperations(operations: number, { root, scratch, isQuick, wants, report }: BenchContext): void {
  const directory = join(scratch, `api-${operations}`);
  writeSources(operations, directory);
  const output = { ours: join(directory, 'out'), theirs: join(directory, 'typespec') };
  // Neither has the federation layer, and TypeSpec makes no map of its documents.
  const options = ['--no-federation', '--no-map'];
  const ours = [join(root, 'dist/tools/cli/gg-svc.js'), 'build', 'main.gg', '-o', 'out', ...options];
  const theirs = [join(root, 'node_modules/@typespec/compiler/cmd/tsp.js'), 'compile', 'main.tsp'];
  // Neither side may find its files from the last time and leave them as they are.
  const clean = () => {
    for (const path of Object.values(output)) rmSync(path, { recursive: true, force: true });
  };
  const using = (measure: (args: readonly string[]) => number, args: readonly string[]) => () => {
    clean();
    return measure(args);
  };
  const time = (args: readonly string[]) => timeProcess(args, directory);
  const hook = join(root, 'test/bench/peak-memory.cjs');
  const peak = (args: readonly string[]) => peakMemory(args, directory, hook);
  const size = `${sizeLabel(operations)} operations`;

  clean();
  time(ours);
  time(theirs);
  checkEqual(read(join(output.ours, 'openapi.json')), read(join(output.theirs, 'openapi.json')));
  if (wants('typespec-time')) {
    const comparison = compareSamples(using(time, ours), using(time, theirs), 3);
    report({ row: 'typespec-time', size, unit: 'ms', judged: true, ...comparison });
  }
  if (wants('typespec-memory')) {
    const comparison = compareSamples(using(peak, ours), using(peak, theirs), isQuick ? 1 : 3);
    report({ row: 'typespec-memory', size, unit: 'MiB', judged: true, ...comparison });
  }
}

function writeSources(operations: number, directory: string): void {
  const source = generateTopology({ edges: operations, restOnly: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'main.gg'), source);
  writeFileSync(join(directory, 'main.tsp'), schemaToTypeSpec(freshSchema([{ name: 'main.gg', source }])));
  writeFileSync(join(directory, 'tspconfig.yaml'), typeSpecConfig);
}

/** Both documents have to describe the same operations over the same models, or the race is off. */
function checkEqual(ours: OpenAPIV3_1.Document, theirs: OpenAPIV3_1.Document): void {
  deepStrictEqual(operationsOf(ours), operationsOf(theirs));
  const models = modelsOf(theirs);
  models.delete('Problem');
  const found = modelsOf(ours);
  for (const [name, fields] of models) deepStrictEqual([name, found.get(name)], [name, fields]);
}

function operationsOf({ paths = {} }: OpenAPIV3_1.Document): string[] {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      (['get', 'post'] as const).flatMap((method) => {
        const operation = item?.[method];
        if (operation === undefined) return [];
        // The parameter by reference is `fields`, which narrows an answer; TypeSpec is not asked for that.
        const names = (operation.parameters ?? []).flatMap((one) => ('name' in one ? one.name : []));
        return [`${method} ${path} ${operation.operationId} (${names.join(', ')})`];
      }),
    )
    .sort();
}

function modelsOf({ components }: OpenAPIV3_1.Document): Map<string, string[]> {
  const schemas = Object.entries(components?.schemas ?? {});
  return new Map(
    schemas.map(([name, { properties, enum: values }]) => [name, values ?? Object.keys(properties ?? {})]),
  );
}

function read(path: string): OpenAPIV3_1.Document {
  return JSON.parse(readFileSync(path, 'utf8'));
}
