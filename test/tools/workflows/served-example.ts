import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { analyze, type SourceInput } from '../../../src/compiler/analyze.js';
import type { ArazzoDescription } from '../../../src/compiler/emit/arazzo/format.js';
import { schemaToWorkflows } from '../../../src/compiler/emit/arazzo.js';
import { schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import type { GqlSchema } from '../../../src/compiler/schema/gql-schema.js';
import { createBetaHttpServer, createGqlServer, drainHttpServer } from '../../../src/index.js';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import type { GqlServerOptions } from '../../../src/runtime/server/options.js';
import { runWorkflow, type WorkflowResult } from '../../../src/tools/workflows/run-workflow.js';

/** The documents that describe an API. */
export interface Documents {
  readonly schema: GqlSchema;
  readonly arazzo: ArazzoDescription;
  readonly openapi: ReturnType<typeof schemaToOpenAPI>;
}

/** The files of a shipped example, whose first one is given: `docs/examples/parcel/main.gg`. */
export function sourcesOf(file: string): readonly SourceInput[] {
  const { sources } = analyze(
    { name: file, source: readFileSync(file, 'utf8') },
    {
      readImport: (path) =>
        readdirSync(dirname(path)).includes(path.split('/').at(-1) ?? '') ? readFileSync(path, 'utf8') : undefined,
    },
  );
  return sources.map(({ name, text }) => ({ name, source: text }));
}

/** The documents of a topology; undefined if it has errors. */
export function documentsOf(sources: readonly SourceInput[]): Documents | undefined {
  const { schema, diagnostics } = analyze(sources);
  const arazzo = diagnostics.some(({ severity }) => severity === 'error')
    ? undefined
    : schemaToWorkflows(schema, 'Test');
  return arazzo && { schema, arazzo, openapi: schemaToOpenAPI(schema, 'Test') };
}

let imports = 0;

/** The resolvers next to a topology, with data of their own. */
export async function resolversOf(file: string): Promise<Resolvers> {
  const url = pathToFileURL(join(process.cwd(), file.replace(/\.gg$/, '.resolvers.mjs'))).href;
  imports += 1;
  return ((await import(`${url}?${imports}`)) as { readonly default: Resolvers }).default;
}

/** Serves a topology while a function runs. */
export async function whileServed<Result>(
  options: GqlServerOptions,
  use: (origin: string) => Promise<Result>,
): Promise<Result> {
  const server = createGqlServer(options);
  const http = createBetaHttpServer(server);
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  try {
    return await use(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  } finally {
    await drainHttpServer(http, server, { notice: 0, grace: 0 });
  }
}

/** Runs all workflows of the documents. */
export async function runAll(
  { arazzo, openapi }: Documents,
  origin: string,
  inputs: Readonly<Record<string, string>> = {},
  timeout = 120_000,
): Promise<readonly WorkflowResult[]> {
  const signal = new AbortController().signal;
  const clock = () => performance.now();
  const results: WorkflowResult[] = [];
  for (const workflow of arazzo.workflows)
    results.push(await runWorkflow({ openapi, origin }, workflow, { inputs, headers: {}, timeout, signal, clock }));
  return results;
}
