import { type CliCommandEntry, type CliCommandGroup, listEntries } from './terminal/command.js';

const federation: CliCommandGroup = {
  usage: 'federation',
  summary: 'create and verify signed federation bundles',
  commands: listEntries({
    keygen: ['', 'create a signing key', () => import('./commands/federation/keygen.js')],
    sign: ['<index>', 'sign an index, giving a bundle', () => import('./commands/federation/sign.js')],
    verify: [
      '<bundle>',
      'verify a signed bundle, from a file or a URL',
      () => import('./commands/federation/verify.js'),
    ],
    show: [
      '<bundle>',
      'print a signed bundle, without verifying it',
      () => import('./commands/federation/show.js'),
    ],
  }),
};

const files = '[files...]';

/** The registry of commands, in the order in which help lists them. A command is loaded when it is named. */
export const commands: readonly (CliCommandEntry | CliCommandGroup)[] = [
  ...listEntries({
    init: [
      '[directory]',
      'create a project: topology, resolvers, types, scripts',
      () => import('./commands/init.js'),
    ],
    build: [
      files,
      'write schema.graphql, openapi.json and collection.json',
      () => import('./commands/build.js'),
    ],
    check: [files, 'report errors and warnings in a topology', () => import('./commands/check.js')],
    serve: [files, 'run the API of a topology: GraphQL and REST', () => import('./commands/serve.js')],
    dev: [files, 'check, serve and watch a topology', () => import('./commands/dev.js')],
    test: [
      '[workflows...]',
      'run the workflows of an API, including events',
      () => import('./commands/test.js'),
    ],
    mcp: [files, 'run the API as tools for an agent, over stdio', () => import('./commands/mcp.js')],
    types: [
      files,
      'write TypeScript types for resolvers and REST clients',
      () => import('./commands/types.js'),
    ],
    import: [
      '<file>',
      'create a topology from an OpenAPI, GraphQL or Postman description',
      () => import('./commands/import.js'),
    ],
    fmt: [files, 'format topologies, or check that they are formatted', () => import('./commands/fmt.js')],
    graph: [files, 'draw a topology: Mermaid, DOT, SVG or PNG', () => import('./commands/graph.js')],
    docs: [files, 'write a static site: reference, graph, changelog', () => import('./commands/docs.js')],
    diff: [
      '[operands...]',
      'list API changes and whether they break clients',
      () => import('./commands/diff.js'),
    ],
  }),
  federation,
  ...listEntries({
    lsp: ['', 'run the language server for editors', () => import('./commands/lsp.js')],
    explain: [
      '<what...>',
      'explain a diagnostic, or where a part of the API comes from',
      () => import('./commands/explain.js'),
    ],
    completion: [
      '<shell>',
      'print a completion script: bash, zsh or fish',
      () => import('./commands/completion.js'),
    ],
  }),
];
