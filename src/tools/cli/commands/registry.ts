import { type CliCommandEntry, type CliCommandGroup, listEntries } from '../terminal/command.js';

const files = '[files...]';

const migrate: CliCommandGroup = {
  usage: 'migrate',
  summary: 'bring the tables of a database into step with a topology',
  commands: listEntries({
    plan: [files, 'print the steps as SQL, without taking them', () => import('./migrate/plan.js')],
    apply: [files, 'take the steps, all or none', () => import('./migrate/apply.js')],
    status: [files, 'report whether a database is in step', () => import('./migrate/status.js')],
  }),
};

/** The commands of runs are one file, because each is a few lines. */
const ofRuns = (name: 'list' | 'show' | 'retry' | 'cancel') => async () => ({
  command: (await import('./runs.js')).commands[name],
});

const runs: CliCommandGroup = {
  usage: 'runs',
  summary: 'read, retry and cancel runs of durable chains',
  commands: listEntries({
    list: ['', 'list the last runs', ofRuns('list')],
    show: ['<id>', 'print a run with the results of its steps', ofRuns('show')],
    retry: ['<id>', 'continue a run that failed or was cancelled, as a new one', ofRuns('retry')],
    cancel: ['<id>', 'cancel a run', ofRuns('cancel')],
  }),
};

const federation: CliCommandGroup = {
  usage: 'federation',
  summary: 'create and verify signed federation bundles',
  commands: listEntries({
    keygen: ['', 'create a signing key', () => import('./federation/keygen.js')],
    sign: ['<index>', 'sign an index, giving a bundle', () => import('./federation/sign.js')],
    verify: ['<bundle>', 'verify a signed bundle, from a file or a URL', () => import('./federation/verify.js')],
    show: ['<bundle>', 'print a signed bundle, without verifying it', () => import('./federation/show.js')],
  }),
};

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
  migrate,
  ...listEntries({
    seed: [files, 'fill the empty tables of a database with example rows', () => import('./seed.js')],
  }),
  runs,
  federation,
  ...listEntries({
    lsp: ['', 'run the language server for editors', () => import('./lsp.js')],
    explain: ['<what...>', 'explain a diagnostic, or where a part of the API comes from', () => import('./explain.js')],
    completion: ['<shell>', 'print a completion script: bash, zsh or fish', () => import('./completion.js')],
  }),
];
