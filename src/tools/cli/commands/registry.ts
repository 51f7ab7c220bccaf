import { type CliCommand, type CliCommandEntry, type CliCommandGroup, listEntries } from '../terminal/command.js';

const files = '[files...]';

/** A group whose commands are one file, because each of them is a few lines. */
function group<Name extends string>(
  usage: string,
  summary: string,
  load: () => Promise<{ readonly commands: Readonly<Record<Name, CliCommand>> }>,
  table: Readonly<Record<Name, [usage: string, summary: string]>>,
): CliCommandGroup {
  const names = Object.keys(table) as Name[];
  const entries = names.map((name) => [
    name,
    [...table[name], async () => ({ command: (await load()).commands[name] })],
  ]);
  return { usage, summary, commands: listEntries(Object.fromEntries(entries)) };
}

/** The registry of commands, in the order in which help lists them. A command is loaded when it is named. */
export const commands: readonly (CliCommandEntry | CliCommandGroup)[] = [
  ...listEntries({
    init: ['[directory]', 'create a project: topology, resolvers, types, scripts', () => import('./init.js')],
    build: [files, 'write schema.graphql, openapi.json and collection.json', () => import('./build.js')],
    check: [files, 'report errors and warnings in a topology', () => import('./check.js')],
    serve: [files, 'run the API of a topology: GraphQL and REST', () => import('./serve.js')],
    dev: [files, 'check, serve and watch a topology', () => import('./dev.js')],
    test: ['[workflows...]', 'run the workflows of an API, including events', () => import('./test.js')],
    drill: [files, 'break connections and servers on purpose, and look for lost events', () => import('./drill.js')],
    token: ['', 'print a token of a caller, for development', () => import('./token.js')],
    mcp: [files, 'run the API as tools for an agent, over stdio', () => import('./mcp.js')],
    types: [files, 'write TypeScript types for resolvers and REST clients', () => import('./types.js')],
    import: ['<file>', 'create a topology from an API description or a database', () => import('./import.js')],
    fmt: [files, 'format topologies, or check that they are formatted', () => import('./fmt.js')],
    graph: [files, 'draw a topology: Mermaid, DOT, SVG or PNG', () => import('./graph.js')],
    docs: [files, 'write a static site: reference, graph, changelog', () => import('./docs.js')],
    diff: ['[operands...]', 'list API changes and whether they break clients', () => import('./diff.js')],
  }),
  group('migrate', 'bring the tables of a database into step with a topology', () => import('./migrate.js'), {
    plan: [files, 'print the steps as SQL, without taking them'],
    apply: [files, 'take the steps, all or none'],
    status: [files, 'report whether a database is in step'],
  }),
  ...listEntries({
    seed: [files, 'fill the empty tables of a database with example rows', () => import('./seed.js')],
  }),
  group('runs', 'read, retry and cancel runs of durable chains', () => import('./runs.js'), {
    list: ['', 'list the last runs'],
    show: ['<id>', 'print a run with the results of its steps'],
    retry: ['<id>', 'continue a run that failed or was cancelled, as a new one'],
    cancel: ['<id>', 'cancel a run'],
  }),
  group('federation', 'create and verify signed federation bundles', () => import('./federation.js'), {
    keygen: ['', 'create a signing key'],
    sign: ['<index>', 'sign an index, giving a bundle'],
    verify: ['<bundle>', 'verify a signed bundle, from a file or a URL'],
    show: ['<bundle>', 'print a signed bundle, without verifying it'],
  }),
  ...listEntries({
    lsp: ['', 'run the language server for editors', () => import('./lsp.js')],
    explain: ['<what...>', 'explain a diagnostic, or where a part of the API comes from', () => import('./explain.js')],
    completion: ['<shell>', 'print a completion script: bash, zsh or fish', () => import('./completion.js')],
  }),
];
